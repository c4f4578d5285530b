#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "trace/schedule.h"
#include "trace/schedule_words.h"

namespace fairlead::trace {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string PathOf(const Schedule& schedule, Tid tid) {
  const size_t index = abi::Index(tid);
  if (tid == Tid::kNone) return std::string(kNobody);
  if (index >= schedule.threads.size()) return fmt::format("thread-{}", index);
  return Escape(schedule.threads[index].path);
}

// So many fit a line that people can read.
constexpr size_t kIdsInLine = 4;

void PrintIds(Out out, std::string_view key, const std::vector<uint64_t>& ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i % kIdsInLine == 0)
      fmt::format_to(out, "{}{}", i == 0 ? "" : "\n", key);
    fmt::format_to(out, " {:#x}", ids[i]);
  }
  if (!ids.empty()) fmt::format_to(out, "\n");
}

void PrintHeader(Out out, const Schedule& schedule) {
  const Identity& identity = schedule.identity;
  fmt::format_to(out, "{} {}\n", kScheduleMagic, schedule.version);
  fmt::format_to(out, "tool: {}\n", Escape(schedule.tool));
  fmt::format_to(out, "program: {}\n", Escape(identity.program));
  fmt::format_to(out, "points: rule {}, set {:#x}\n", identity.point_rule,
                 identity.point_set);
  for (const Identity::Build& build : identity.builds) {
    fmt::format_to(out, "build: {} {}\n", Escape(build.build_id),
                   Escape(build.path));
  }
  fmt::format_to(out, "argv:");
  for (const std::string& word : identity.argv) {
    fmt::format_to(out, " {}", Escape(word));
  }
  fmt::format_to(out, "\nenvironment: {:#x}\n", identity.environment);
  fmt::format_to(out, "stdin: {}\n",
                 identity.stdin_digest
                     ? fmt::format("{:#x}", *identity.stdin_digest)
                     : "-");
  fmt::format_to(out, "strategy: {}, seed {}\n", Escape(schedule.strategy),
                 schedule.seed);
  fmt::format_to(out, "carrier: {}\n", Escape(schedule.carrier));
  fmt::format_to(out, "policies:");
  for (const std::string& policy : schedule.policies) {
    fmt::format_to(out, " {}", Escape(policy));
  }
  fmt::format_to(out, "\noutcome: {}\n", Escape(schedule.outcome));
  PrintIds(out, kIdle, schedule.quiet.idle);
  PrintIds(out, kOrdered, schedule.quiet.ordered);
  if (schedule.explore_call != 0) {
    fmt::format_to(out, "{} {}\n", kClosure, schedule.explore_call);
  }
  for (const ThreadName& thread : schedule.threads) {
    fmt::format_to(out, "thread: {}", Escape(thread.path));
    if (!thread.name.empty()) {
      fmt::format_to(out, " name={}", Escape(thread.name));
    }
    fmt::format_to(out, "\n");
  }
}

void PrintChoice(Out out, const Schedule& schedule,
                 const abi::ChoiceRecord& choice,
                 const std::map<uint64_t, std::string>& places) {
  fmt::format_to(out, "{} @ {} ", PathOf(schedule, choice.left), choice.count);
  if (choice.next == choice.left) {
    fmt::format_to(out, "= {}", choice.option);
  } else {
    fmt::format_to(out, "-> {}", PathOf(schedule, choice.next));
  }
  const auto anchor = static_cast<uint64_t>(choice.anchor);
  if (anchor != 0) fmt::format_to(out, "  at {:#x}", anchor);
  if (anchor != 0 && choice.way != 0) {
    fmt::format_to(out, " way {:#x}", choice.way);
  }
  if (const auto place = places.find(anchor); place != places.end()) {
    fmt::format_to(out, "  // {}", place->second);
  }
  fmt::format_to(out, "\n");
}

}  // namespace

std::string PrintSchedule(const Schedule& schedule,
                          const std::map<uint64_t, std::string>& places) {
  std::string text;
  const Out out = std::back_inserter(text);
  PrintHeader(out, schedule);
  for (const abi::ChoiceRecord& choice : schedule.choices) {
    PrintChoice(out, schedule, choice, places);
  }
  for (const Input& input : schedule.inputs) {
    fmt::format_to(out, "input {} @ {}: {} {}", PathOf(schedule, input.tid),
                   input.count, WordOf(input.kind), input.value);
    if (!input.payload.empty()) {
      fmt::format_to(out, " bytes={}", Escape(input.payload));
    }
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "end: {} choices, {} inputs\n", schedule.choices.size(),
                 schedule.inputs.size());
  return text;
}

}  // namespace fairlead::trace
