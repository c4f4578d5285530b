#include "explore/judge/cut_short.h"

#include <algorithm>

#include "base/text.h"
#include "explore/judge/describe.h"
#include "explore/names/schedule_of.h"
#include "explore/names/stacks.h"

namespace fairlead::explore {
namespace {

// Threads beyond this many are only counted.
constexpr size_t kMaxThreadsTold = 8;
// Of a line that the program printed.
constexpr size_t kMaxLine = 200;

std::string LastLine(std::string_view text) {
  text = Trim(text);
  const size_t at = text.rfind('\n');
  if (at != std::string_view::npos) text.remove_prefix(at + 1);
  return std::string(text.substr(0, kMaxLine));
}

// "main/1: ran at work (app.c:7)".
std::string LineOf(const finding::ThreadState& state) {
  std::string line = fmt::format(
      "{}: {}", state.thread, state.doing.empty() ? "could run" : state.doing);
  const std::string where =
      state.frames.empty() ? "" : finding::WhereText(state.frames[0]);
  return where.empty() ? line : fmt::format("{} at {}", line, where);
}

// What is known of a program that did not say where it was: who went on last,
// and from where.
std::string LastChoice(const Executed& executed, Namer& namer) {
  const auto choices =
      executed.memory->Entries<abi::ChoiceRecord>(abi::RegionId::kChoicesOut);
  if (choices.empty()) return "";
  const abi::ChoiceRecord& last = choices.back();
  const auto anchor = static_cast<uint64_t>(last.anchor);
  const auto places = PlacesOf(executed, {anchor}, namer);
  std::string line = fmt::format("{} went on last, by choice {}",
                                 namer.Thread(last.next), choices.size());
  if (places.empty()) return line;
  return fmt::format("{}, where {} had come to {}", line,
                     namer.Thread(last.left), places.begin()->second);
}

}  // namespace

std::vector<std::string> WhereItWas(const Finished& finished, Namer& namer) {
  std::vector<std::string> lines;
  const abi::Outcome& outcome = finished.executed.outcome;
  if (outcome.status == abi::Status::kCut) {
    const std::vector<finding::ThreadState> states = ThreadStates(
        finished.executed, Stacks(*finished.executed.memory, namer), namer);
    for (const finding::ThreadState& state : states) {
      if (lines.size() == kMaxThreadsTold) {
        lines.push_back(
            fmt::format("and {} more",
                        std::max<size_t>(finished.executed.outcome.num_threads,
                                         states.size()) -
                            lines.size()));
        break;
      }
      lines.push_back(LineOf(state));
    }
  } else if (finished.executed.stopped_by == StoppedBy::kTimeout ||
             finished.executed.stopped_by == StoppedBy::kSuspended) {
    lines.push_back(finished.executed.stopped_by == StoppedBy::kTimeout
                        ? "it did not end when it was told to, and was ended"
                        : "it was stopped (SIGSTOP), and nobody continued it");
    if (std::string last = LastChoice(finished.executed, namer);
        !last.empty()) {
      lines.push_back(std::move(last));
    }
  }
  const std::string said = LastLine(finished.output->Error());
  const std::string printed = LastLine(finished.output->Output());
  if (!printed.empty()) lines.push_back("it printed last: " + printed);
  if (!said.empty()) {
    lines.push_back("it said last, on standard error: " + said);
  }
  return lines;
}

}  // namespace fairlead::explore
