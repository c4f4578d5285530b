#include "explore/judge/divergence.h"

#include <fmt/core.h>

#include "explore/judge/uncontrolled.h"
#include "explore/names/schedule_of.h"

namespace fairlead::explore {
namespace {

std::string ScheduleThread(const trace::Schedule& schedule, abi::Tid tid) {
  if (tid == abi::Tid::kNone) return "nobody";
  const size_t index = abi::Index(tid);
  return index < schedule.threads.size() ? schedule.threads[index].path
                                         : fmt::format("thread-{}", index);
}

std::string Anchor(abi::SiteId site) {
  if (site == abi::SiteId::kNone) return "";
  return fmt::format(" at anchor {:#x}", static_cast<uint64_t>(site));
}

std::string Wanted(const trace::Schedule& schedule,
                   const abi::ChoiceRecord& record) {
  if (record.next == record.left) {
    return fmt::format("{} takes option {} at its point {}{}",
                       ScheduleThread(schedule, record.left), record.option,
                       record.count, Anchor(record.anchor));
  }
  return fmt::format("{} stops at its point {}{}, and {} goes on",
                     ScheduleThread(schedule, record.left), record.count,
                     Anchor(record.anchor),
                     ScheduleThread(schedule, record.next));
}

// How far `thread` was known to do as recorded: its last recorded place before
// choice number `choice`. 0 = none.
uint32_t LastAgreed(const trace::Schedule& schedule, uint64_t choice,
                    abi::Tid thread) {
  for (uint64_t i = choice; i-- > 0;) {
    if (schedule.choices[i].left == thread) return schedule.choices[i].count;
  }
  return 0;
}

// Where the first event lies that differs, as far as the schedule can tell.
std::string FirstDifference(const trace::Schedule& schedule,
                            const abi::Divergence& where, Namer& namer) {
  const abi::ChoiceRecord& found = where.found;
  if (where.choice >= schedule.choices.size() || found.count == 0) return "";
  const abi::ChoiceRecord& wanted = schedule.choices[where.choice];
  if (wanted.left != found.left || wanted.way == 0) return "";
  const std::string thread = namer.Thread(found.left);
  if (wanted.way == found.way && wanted.count == found.count) {
    return fmt::format("{} came here as recorded: another thread differs",
                       thread);
  }
  const uint32_t agreed = LastAgreed(schedule, where.choice, found.left);
  return fmt::format(
      "{} took another way: its first event that differs lies between its "
      "points {} and {}",
      thread, agreed, found.count);
}

std::string Cause(const Executed& executed, const trace::Schedule& schedule,
                  const std::string& doubt) {
  const std::vector<std::string> uncontrolled =
      UncontrolledLines(executed.outcome, nullptr);
  if (!doubt.empty()) return doubt;
  if (std::string forced = ForcedText(schedule); !forced.empty()) return forced;
  if (executed.outcome.point_set_digest != schedule.identity.point_set) {
    return "other sites are points than when it was recorded: give the "
           "--profile that was given then";
  }
  if (!uncontrolled.empty()) {
    std::string causes = "what no schedule controls: ";
    for (size_t i = 0; i < uncontrolled.size(); ++i) {
      if (i != 0) causes += ", ";
      causes += uncontrolled[i];
    }
    return causes;
  }
  return "a result that is not recorded (time, random numbers, addresses, "
         "files that changed); `fairlead run --check-determinism 10` looks "
         "for it";
}

}  // namespace

std::vector<std::string> DivergenceLines(const Executed& executed,
                                         const trace::Schedule& schedule,
                                         const std::string& doubt,
                                         Namer& namer) {
  const abi::Divergence& where = executed.outcome.divergence;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("at choice {} of {}, after {} events",
                              where.choice + 1, schedule.choices.size(),
                              where.event));
  const bool past_end = where.choice >= schedule.choices.size();
  const abi::ChoiceRecord& wanted =
      past_end ? where.wanted : schedule.choices[where.choice];
  lines.push_back("schedule: " +
                  (past_end ? "no further choice" : Wanted(schedule, wanted)));
  const abi::ChoiceRecord& found = where.found;
  std::string program =
      fmt::format("program:  {} is at its point {}{}", namer.Thread(found.left),
                  found.count, Anchor(found.anchor));
  const std::string place =
      namer.Where(executed.outcome.site, executed.outcome.site_flags);
  if (!place.empty()) program += fmt::format(" ({})", place);
  if (!past_end && found.next == abi::Tid::kNone) {
    program += fmt::format(", and {} cannot go on",
                           ScheduleThread(schedule, wanted.next));
  }
  // Nobody came to the gate any more.
  if (found.count == 0) program = "program:  ended before it came to that";
  lines.push_back(program);
  if (const std::string first = FirstDifference(schedule, where, namer);
      !first.empty()) {
    lines.push_back(first);
  }
  lines.push_back("likely cause: " + Cause(executed, schedule, doubt));
  return lines;
}

}  // namespace fairlead::explore
