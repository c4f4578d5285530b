// `fairlead guard check`: what an execution did that good ones did not; and
// `fairlead guard log`: the same of what a guard has stalled.

#include <stdio.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>

#include "abi/guard_rules.h"
#include "analysis/invariant/recorder.h"
#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/facts.h"
#include "cli/guard.h"
#include "cli/guard_facts.h"
#include "cli/guard_training.h"
#include "cli/print.h"
#include "explore/run/program.h"
#include "store/store.h"
#include "trace/file_reader.h"

namespace fairlead::cli {
namespace {

using analysis::BelongingSets;
using analysis::Predecessor;

using SiteNames = std::map<uint64_t, trace::SiteName>;

std::string WordsOf(uint64_t anchor, const SiteNames& names) {
  if (anchor == 0) return "none yet";
  const std::string words = PlaceWordsOf(names, anchor);
  return words.empty() ? fmt::format("@{:x}", anchor) : words;
}

// "a, b or none yet".
std::string AllowedWords(const BelongingSets& sets, uint64_t site,
                         const SiteNames& names) {
  const BelongingSets plain = sets.WithoutHistory();
  const auto found = plain.sets().find(site);
  if (found == plain.sets().end()) return "never seen";
  std::string words;
  const BelongingSets::Set& set = found->second;
  size_t left = set.size();
  for (auto each = set.rbegin(); each != set.rend(); ++each, --left) {
    if (!words.empty()) words += left == 1 ? " or " : ", ";
    words += WordsOf(each->site, names);
  }
  return words;
}

// How a thread came to an access that good runs knew, but not so.
constexpr std::string_view kHistories[] = {", its thread's first there",
                                           ", behind another of its thread's",
                                           ", repeated by its thread"};

std::string SentenceOf(uint64_t site, const Predecessor& actual,
                       const BelongingSets& sets, const SiteNames& names) {
  const bool known = sets.WithoutHistory().Allows(site, {.site = actual.site});
  return fmt::format(
      "at {} the last access of another thread was {}{}; in good runs it was "
      "{}{}",
      WordsOf(site, names), WordsOf(actual.site, names),
      known ? kHistories[static_cast<size_t>(actual.history)] : "",
      AllowedWords(sets, site, names), known ? ", and never so" : "");
}

Result<std::vector<fact::Fact>> KnownFacts(const std::string& path) {
  Result<std::unique_ptr<store::Store>> store = store::OpenStoreToRead(path);
  if (!store) return store.error();
  return (*store)->Facts();
}

SiteNames NamesOf(const std::map<uint32_t, trace::SiteName>& sites) {
  SiteNames names;
  for (const auto& [index, site] : sites) names.emplace(site.anchor, site);
  return names;
}

// A line of a guard's log (guard/log.h in words).
struct LogLine {
  std::string end;
  uint64_t site = 0;
  Predecessor actual;
};
std::optional<LogLine> ParseLogLine(std::string_view text) {
  const std::vector<std::string_view> words = Split(text, '\t');
  if (words.size() != 8) return {};
  const auto hex = [](std::string_view word, uint64_t& value) {
    const auto read =
        std::from_chars(word.data(), word.data() + word.size(), value, 16);
    return read.ec == std::errc() && read.ptr == word.data() + word.size();
  };
  LogLine line;
  line.end = std::string(words[3]);
  uint64_t history = 0;
  if (!hex(words[5], line.site) || !hex(words[6], line.actual.site) ||
      !hex(words[7], history) || history >= abi::kNumGuardHistories) {
    return {};
  }
  line.actual.history = static_cast<abi::GuardHistory>(history);
  return line;
}

struct LogRow {
  uint64_t resolved = 0;
  uint64_t others = 0;
};

}  // namespace

Result<ExitCode> GuardCheck(const GuardLogOptions& options) {
  Result<trace::FileReader> reader =
      trace::FileReader::OpenUntrusted(options.file, trace::Damage::kRefuse);
  if (!reader) return reader.error();
  const trace::Names& known = reader->names();
  std::string program;
  std::set<std::string> binaries;  // they name what this execution never ran
  for (const auto& [number, module] : known.modules) {
    if (module.program) program = GuardName(module.path);
    if (module.instrumented) binaries.insert(module.path);
  }
  const Result<std::vector<fact::Fact>> facts = KnownFacts(options.store);
  if (!facts) return facts.error();
  const BelongingSets sets = SetsOfFacts(*facts, program);
  if (sets.num_sites() == 0) {
    return Error(ErrorCode::kUsage)
        .Say("nothing was learnt of {}", PrintableLine(program))
        .Hint("fairlead guard learn -- PROGRAM");
  }
  SiteNames names = NamesOf(known.sites);
  names.merge(SiteNamesOf(binaries));
  const auto anchor_of = [&](uint32_t site) -> uint64_t {
    const auto found = known.sites.find(site);
    return found == known.sites.end() ? 0 : found->second.anchor;
  };
  // Only what was learnt is followed: sites that share nothing are nobody's
  // predecessors, and those that were not there then are unknown.
  analysis::PredecessorRecorder recorder;
  std::vector<std::string> sentences;
  trace::Event event;
  while (true) {
    const Result<bool> more = reader->Next(event);
    if (!more) return more.error();
    if (!*more) break;
    const uint64_t site = event.instrumented() ? anchor_of(event.site) : 0;
    const bool access = event.kind <= abi::EventKind::kFence;
    if (access && !sets.sets().contains(site)) continue;
    const auto* found = recorder.OnEvent(event);
    if (found == nullptr) continue;
    for (Predecessor actual : *found) {
      actual.site =
          actual.site == 0 ? 0 : anchor_of(static_cast<uint32_t>(actual.site));
      if (sets.Allows(site, actual)) continue;
      std::string sentence = fmt::format("{}: {}", known.ThreadText(event.tid),
                                         SentenceOf(site, actual, sets, names));
      if (std::ranges::find(sentences, sentence) == sentences.end()) {
        sentences.push_back(std::move(sentence));
      }
    }
  }
  for (const std::string& sentence : sentences) {
    Print(stdout, sentence + "\n");
  }
  if (sentences.empty()) Note("it did nothing that good runs did not do");
  return sentences.empty() ? ExitCode::kNothingFound : ExitCode::kFindings;
}

Result<ExitCode> GuardLog(const GuardLogOptions& options,
                          const Arguments& argv) {
  const Result<explore::Program> program = explore::InspectProgram(argv[0]);
  if (!program) return program.error();
  const std::string name = GuardName(program->path);
  const Result<std::string> text = ReadFile(options.file, kMaxFileBytes);
  if (!text) return text.error();
  const Result<std::vector<fact::Fact>> facts = KnownFacts(options.store);
  if (!facts) return facts.error();
  const BelongingSets sets = SetsOfFacts(*facts, name);
  const SiteNames names = SiteNamesOf({program->path});
  std::map<std::pair<uint64_t, Predecessor>, LogRow> rows;
  for (const std::string_view line : Split(*text, '\n')) {
    const std::optional<LogLine> parsed = ParseLogLine(line);
    if (!parsed) continue;
    LogRow& row = rows[{parsed->site, parsed->actual}];
    ++(parsed->end == "resolved" ? row.resolved : row.others);
  }
  BelongingSets relaxed;
  for (const auto& [pair, row] : rows) {
    Print(stdout,
          fmt::format("{} resolved, {} not: {}\n", row.resolved, row.others,
                      SentenceOf(pair.first, pair.second, sets, names)));
    relaxed.Add(pair.first, pair.second);
  }
  if (!options.relax) return ExitCode::kNothingFound;
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  const auto merged = (*store)->MergeFacts(FactsOfSets(
      relaxed, fact::State::kProposed, name, "guard",
      [&](uint64_t anchor) { return PlaceWordsOf(names, anchor); }));
  if (!merged) return merged.error();
  Note("{} proposed: fairlead facts accept order, or one of them by its id",
       Counted(relaxed.num_pairs(), "predecessor"));
  return ExitCode::kNothingFound;
}

}  // namespace fairlead::cli
