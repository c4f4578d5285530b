#include "explore/explain/sketch.h"

#include <algorithm>
#include <set>

#include "explore/explain/stable_order.h"

namespace fairlead::explore {
namespace {

using Choice = std::span<const abi::SeenRecord>;

bool IsOption(Choice choice) {
  return choice.size() > 1 && choice[0].thread == choice[1].thread;
}

size_t ChosenOf(Choice choice) {
  for (size_t i = 0; i < choice.size(); ++i) {
    if ((choice[i].flags & abi::kSeenChosen) != 0) return i;
  }
  return choice.size();
}

size_t RunningOf(Choice choice) {
  for (size_t i = 0; i < choice.size(); ++i) {
    if (choice[i].thread == choice[i].running) return i;
  }
  return choice.size();
}

// What `first` would take.
size_t DefaultOf(Choice choice) {
  const size_t running = IsOption(choice) ? 0 : RunningOf(choice);
  return running == choice.size() ? 0 : running;
}

bool Preempts(Choice choice, size_t chosen) {
  if (IsOption(choice) || (choice[chosen].flags & abi::kSeenYielding) != 0) {
    return false;
  }
  const size_t running = RunningOf(choice);
  return running != choice.size() && running != chosen;
}

SketchRecord RecordOf(Choice choice, size_t chosen) {
  const abi::SeenRecord& seen = choice[chosen];
  return {
      .choice = {.next = seen.thread,
                 .left = seen.running,
                 .count = seen.count,
                 .anchor = seen.site,
                 .option =
                     IsOption(choice) ? static_cast<uint32_t>(seen.object) : 0,
                 .way = 0},
      .preempts = Preempts(choice, chosen)};
}

// Calls `each` for every choice; the program may have written anything.
template <typename Each>
uint64_t ForEachChoice(std::span<const abi::SeenRecord> seen, Each each) {
  uint64_t number = 0;
  for (size_t begin = 0; begin < seen.size();) {
    size_t end = begin;
    while (end < seen.size() && (seen[end].flags & abi::kSeenLast) == 0) ++end;
    if (end == seen.size()) break;
    each(seen.subspan(begin, end + 1 - begin));
    begin = end + 1;
    ++number;
  }
  return number;
}

Sketch SketchOfSwitches(std::span<const abi::ChoiceRecord> choices) {
  Sketch sketch;
  for (abi::ChoiceRecord choice : choices) {
    choice.way = 0;
    sketch.push_back({choice, choice.next != choice.left});
  }
  return sketch;
}

}  // namespace

Sketched SketchOf(const Executed& executed) {
  const ControlMemory& memory = *executed.memory;
  const auto choices =
      memory.Entries<abi::ChoiceRecord>(abi::RegionId::kChoicesOut);
  Sketched sketched;
  const uint64_t number = ForEachChoice(
      memory.Entries<abi::SeenRecord>(abi::RegionId::kPointsOut),
      [&](Choice choice) {
        const size_t chosen = ChosenOf(choice);
        if (chosen == choice.size() || chosen == DefaultOf(choice)) return;
        sketched.sketch.push_back(RecordOf(choice, chosen));
      });
  sketched.whole = number >= executed.outcome.steps;
  if (!sketched.whole) sketched.sketch = SketchOfSwitches(choices);
  std::set<abi::Tid> threads;
  for (const abi::ChoiceRecord& choice : choices) {
    if (choice.next == choice.left) continue;
    ++sketched.size.switches;
    threads.insert(choice.next);
    if (choice.left != abi::Tid::kNone) threads.insert(choice.left);
  }
  sketched.size.preemptions = static_cast<uint64_t>(
      std::ranges::count_if(sketched.sketch, &SketchRecord::preempts));
  sketched.size.threads = threads.size();
  sketched.size.steps = executed.outcome.points;
  return sketched;
}

std::vector<Passed> PlacesPassed(const Executed& executed, size_t limit) {
  std::vector<Passed> places;
  ForEachChoice(
      executed.memory->Entries<abi::SeenRecord>(abi::RegionId::kPointsOut),
      [&](Choice choice) {
        if (places.size() == limit || IsOption(choice)) return;
        if (RunningOf(choice) == choice.size()) return;
        Passed& place = places.emplace_back(choice[0].running, choice[0].count,
                                            choice[0].site);
        for (const abi::SeenRecord& seen : choice) {
          if (seen.thread != seen.running) place.others.push_back(seen.thread);
        }
      });
  return places;
}

Sketch SleepsOf(const Executed& executed) {
  Sketch sleeps;
  ForEachChoice(
      executed.memory->Entries<abi::SeenRecord>(abi::RegionId::kPointsOut),
      [&](Choice choice) {
        const bool sleeps_here =
            IsOption(choice) && choice[0].op == abi::EventKind::kSleep;
        if (sleeps_here && ChosenOf(choice) == 0) {
          sleeps.push_back(RecordOf(choice, 1));
        }
      });
  return sleeps;
}

std::vector<abi::ChoiceRecord> RecordsOf(const Sketch& sketch) {
  std::vector<abi::ChoiceRecord> records;
  for (const SketchRecord& record : sketch) records.push_back(record.choice);
  SortStably(records, [](const auto& a, const auto& b) {
    if (a.left != b.left) return a.left < b.left;
    if (a.count != b.count) return a.count < b.count;
    return (a.next == a.left) > (b.next == b.left);  // options first
  });
  return records;
}

}  // namespace fairlead::explore
