#include "explore/names/thread_names.h"

#include <fmt/core.h>

#include <map>
#include <string>

#include "finding/frames.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using trace::Tid;

// "Run" of "Pool::Run".
std::string LastPart(const std::string& function) {
  const size_t end = function.find_first_of("(<");
  const size_t colon = function.rfind("::", end);
  return function.substr(colon == std::string::npos ? 0 : colon + 2);
}

std::string NameOf(const finding::Frame& start) {
  if (LastPart(start.function) == "operator()") {
    return fmt::format("lambda:{}", start.place.line);
  }
  return start.function;
}

// The outermost function of the application's, by thread, as soon as an event
// tells.
std::map<Tid, std::string> StartsIn(const trace::Trace& whole) {
  std::map<Tid, std::string> starts;
  for (const trace::Event& event : whole.events) {
    // Its beginning and its stack have the context of the call that made it.
    const trace::EventGroup group = trace::GroupOf(event.kind);
    const bool own = group == trace::EventGroup::kAccess ||
                     group == trace::EventGroup::kSync;
    if (!own || event.tid == Tid::kMain || event.tid == Tid::kNone ||
        starts.contains(event.tid)) {
      continue;
    }
    const auto frames = finding::FramesOf(event, whole.names);
    if (frames.empty() || frames.back().function.empty()) continue;
    starts[event.tid] = NameOf(frames.back());
  }
  return starts;
}

}  // namespace

void NameThreads(const trace::Trace& whole, finding::Finding& finding) {
  trace::Names& names = finding.witness.slice.names;
  const std::map<Tid, std::string> starts = StartsIn(whole);
  std::map<std::string, int> all, seen;
  for (const auto& [tid, start] : starts) ++all[start];
  std::map<std::string, std::string> by_path;
  for (const auto& [tid, start] : starts) {
    const int number = ++seen[start];
    const auto thread = names.threads.find(tid);
    if (thread == names.threads.end() || !thread->second.name.empty()) continue;
    thread->second.name =
        all[start] > 1 ? fmt::format("{} {}", start, number) : start;
    by_path[thread->second.path] = thread->second.name;
  }
  for (finding::ThreadState& state : finding.witness.threads) {
    const auto named = by_path.find(state.thread);
    if (named == by_path.end()) continue;
    state.thread += fmt::format(" ({})", named->second);
  }
}

}  // namespace fairlead::explore
