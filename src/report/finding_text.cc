#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "report/finding_list.h"
#include "report/text.h"

namespace fairlead::report {
namespace {

// Waits that had to end by their time for this to happen; "" = none. A schedule
// may let a deadline pass however far away it is, so a reader must know.
std::string Timeouts(const trace::Trace& slice) {
  size_t number = 0;
  std::set<trace::Place> places;
  for (const trace::Event& event : slice.events) {
    if (!event.has(abi::kFlagTimedOut)) continue;
    ++number;
    if (const trace::Place* place = slice.names.PlaceOf(event)) {
      places.insert(*place);
    }
  }
  if (number == 0) return "";
  std::string text =
      number == 1 ? "timeouts: 1 wait ends by its time"
                  : fmt::format("timeouts: {} waits end by their time", number);
  const char* separator = ": ";
  for (const trace::Place& place : places) {
    text += separator + trace::PlaceText(place);
    separator = ", ";
  }
  return text;
}

// What was forced, and what came of it.
void AddAim(const finding::Aim& aim, std::vector<std::string>& facts) {
  for (const std::string& line : aim.tried) facts.push_back("tried: " + line);
  for (const std::string_view line :
       Split(finding::PrintTarget(aim.target), '\n')) {
    if (!line.empty()) facts.push_back(fmt::format("target: {}", line));
  }
}

std::string FoundText(const KeptFinding& kept, Depth depth) {
  const finding::Witness& witness = kept.finding->witness;
  std::string line =
      fmt::format("found in execution {}", Grouped(kept.first_execution));
  if (depth == Depth::kHowItWasFound && witness.schedule) {
    line += fmt::format(" ({}, seed {})", witness.schedule->strategy,
                        witness.schedule->seed);
  }
  return line + fmt::format("; seen {} in {}", Counted(kept.times, "time"),
                            Counted(kept.num_campaigns, "campaign"));
}

std::vector<std::string> Facts(const KeptFinding& kept, Depth depth) {
  std::vector<std::string> facts;
  const finding::Witness& witness = kept.finding->witness;
  if (kept.predicted()) {
    facts.push_back(fmt::format("predicted in {}; no execution has shown it",
                                Counted(kept.num_campaigns, "campaign")));
    if (witness.aim) AddAim(*witness.aim, facts);
    return facts;
  }
  facts.push_back(FoundText(kept, depth));
  if (witness.schedule) {
    facts.push_back(fmt::format(
        "schedule: {} {}", Grouped(witness.schedule->choices.size()),
        witness.schedule->choices.size() == 1 ? "switch" : "switches"));
  }
  facts.insert(facts.end(), kept.facts.begin(), kept.facts.end());
  if (depth == Depth::kHowItWasFound && witness.aim) {
    AddAim(*witness.aim, facts);
  }
  if (std::string text = Timeouts(witness.slice); !text.empty()) {
    facts.push_back(std::move(text));
  }
  if (!kept.argv.empty()) {
    facts.push_back("command: " + ShellCommand(kept.argv));
  }
  return facts;
}

}  // namespace

std::string FindingText(const KeptFinding& kept, Depth depth, Rows rows,
                        size_t width) {
  const finding::Finding& finding = *kept.finding;
  return TextReport({.finding = &finding,
                     .heading = fmt::format(
                         "finding {} of {}: {}, {}, {}", kept.name,
                         kept.typed_name, finding::WordOf(finding.severity),
                         finding::WordOf(finding.verdict), kept.status),
                     .facts = Facts(kept, depth),
                     .commands = kept.commands,
                     .rows = rows},
                    width);
}

}  // namespace fairlead::report
