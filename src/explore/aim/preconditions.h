// explore/aim/preconditions.h
//
// What leads to a step that was not reached: the earlier choices of its thread
// that depend on what others have written. A branch on a flag is a read of it,
// and the read is decided by whether a write comes before or behind it.
//
//   From an execution that reached the step: for each read of its thread ahead
//   of it that saw something else in one that did not, the order between this
//   read and the write that makes the difference.
//
//   From one that did not, when none did: the reads of the function that the
//   step lies in, in the thread that was in it. The last one that could have
//   seen something else is turned around, those before it are kept; further
//   attempts turn around the one before.
//
// They become soft edges between optional steps: a director holds threads for
// them, and gives them up before the target.
//
// Follows the remark of Maple (Yu et al., OOPSLA 2012, section 4.8) that its
// active scheduler cannot find preconditions.
//
// Incomplete: reads that decide nothing are kept or turned around, too.
// Unsound: of a long execution only the first kMaxSeen events are known;
// threads are told apart by the order of their creation.

#ifndef FAIRLEAD_EXPLORE_AIM_PRECONDITIONS_H_
#define FAIRLEAD_EXPLORE_AIM_PRECONDITIONS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/aim/seen_event.h"
#include "explore/aim/seen_index.h"
#include "explore/names/namer.h"
#include "explore/watch/watcher.h"
#include "finding/target.h"

namespace fairlead::explore {

// The events of one attempt, in order, and what the director made of it. Not to
// be copied: events refer to `functions`.
struct SeenExecution {
  SeenExecution() = default;
  SeenExecution(SeenExecution&& other) noexcept
      : events(std::move(other.events)),
        functions(std::move(other.functions)),
        in_sight(other.in_sight) {}
  std::vector<SeenEvent> events;
  std::map<uint64_t, std::string> functions;  // by anchor
  uint64_t in_sight = 0;                      // steps of the target

  // Of the events, which stay as they are from the first call on.
  const SeenIndex& index() const {
    if (index_ == nullptr) index_ = std::make_unique<SeenIndex>(events);
    return *index_;
  }

 private:
  mutable std::unique_ptr<const SeenIndex> index_;
};

using SeenPointer = std::shared_ptr<const SeenExecution>;
using SeenExecutions = std::vector<SeenPointer>;

// Collects one.
class AttemptObserver final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kAttempt;
  using Seen = SeenPointer;

  void OnEvent(const trace::Event& event) override;
  SeenExecution Finish(Namer& namer, uint64_t in_sight);
  Seen End(const Ended& ended) {
    return std::make_shared<SeenExecution>(Finish(ended.namer, 0));
  }

  static constexpr size_t kMaxSeen = 200'000;

 private:
  struct Raw {
    SeenEvent event;
    uint32_t site;
    bool instrumented;
  };
  std::vector<Raw> raw_;
};

// That a write comes before a read, or behind it; by index into the events of
// the execution that it was seen in.
struct Precondition {
  size_t read = 0;
  size_t write = 0;
  bool write_first = false;
  bool operator==(const Precondition&) const = default;
};

// Whether a step was come to in any of these.
bool WasReached(const finding::Target& target, size_t step,
                const SeenExecutions& seen);

// For step `step` of `target`, whose place of the program is in `function`.
// `index`, from 0, counts further proposals; none when there are no more. The
// execution that they were seen in is `from`, an index into `seen`.
struct Proposal {
  size_t from = 0;
  std::vector<Precondition> preconditions;
};
std::optional<Proposal> Propose(const finding::Target& target, size_t step,
                                const std::string& function,
                                const SeenExecutions& seen, size_t index);

// `target` with these preconditions of `step`, as far as there is room, and
// where its own steps are now, by their index in `target`.
struct Prepared {
  finding::Target target;
  std::vector<size_t> own;
  bool anew = false;  // tried like a first attempt: it is another target
};
Prepared WithPreconditions(const finding::Target& target, size_t step,
                           const SeenExecution& from,
                           const std::vector<Precondition>& added);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_PRECONDITIONS_H_
