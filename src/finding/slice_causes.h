// finding/slice_causes.h
//
// What a failure follows from, by values: a read saw a write, and the writer
// had decided to write by what it had read itself, and so on. Where others had
// changed that by the time it acted, it acted on what was no longer so.
//
// Incomplete: which reads a write follows from is guessed: the last few of its
// thread that decide a branch, or an address, or are an argument.

#ifndef FAIRLEAD_FINDING_SLICE_CAUSES_H_
#define FAIRLEAD_FINDING_SLICE_CAUSES_H_

#include <functional>
#include <optional>
#include <vector>

#include "finding/slice_index.h"
#include "finding/story.h"
#include "trace/trace.h"

namespace fairlead::finding {

class Causes {
 public:
  // Both must outlive this. `is_met`: whether several actors met at an access.
  Causes(const trace::Trace& whole, const SliceIndex& index,
         std::function<bool(size_t)> is_met)
      : whole_(whole),
        events_(whole.events),
        index_(index),
        is_met_(std::move(is_met)) {}

  // The nearest to the failure of what was overtaken. `looks`: reads that
  // the failure follows from, the most telling first.
  std::optional<Story> Overtaken(const std::vector<size_t>& looks) const;

  // Two things that one thread reads, the one before and the other after
  // another thread changes both; or that it reads between the other's two
  // writes.
  std::optional<Story> Split(const std::vector<size_t>& looks) const;

  // The same as `Overtaken` of one step: what its thread had decided it by.
  std::optional<Story> DecidedBefore(size_t act) const;

  // Reads that decided a step, of what another thread had written; the last
  // first.
  struct Seen {
    size_t read;
    size_t write;
  };
  std::vector<Seen> SeenBefore(size_t act) const;

  // The condition that the thread had tested ahead of a wait that never ended,
  // and that another made true before it began to wait.
  std::optional<Story> Missed(size_t wait) const;

  // Of what the thread at fault saw: what another writes only later.
  std::optional<Story> TooEarly(const std::vector<size_t>& looks) const;

 private:
  // A read, and the step that follows from it.
  struct Look {
    size_t read;
    size_t act;
  };
  // Reads that the failure follows from, the nearest first, each with the step
  // that follows from it. `stop`: whether to look no further.
  void Follow(const std::vector<size_t>& looks,
              const std::function<bool(const Look&)>& stop) const;
  std::optional<Story> OvertakenAt(const Look& look) const;
  std::optional<size_t> SeenAt(size_t read) const;
  std::optional<Story> SplitAt(size_t before, size_t after) const;
  std::optional<Story> HalfAt(size_t saw, size_t missed) const;
  std::optional<size_t> WriteBetween(size_t around, size_t begin, size_t end,
                                     Actor actor) const;
  std::vector<size_t> AccessesAround(size_t access) const;
  std::optional<size_t> ChangedBetween(const Look& look,
                                       const std::vector<size_t>& all) const;
  std::vector<size_t> ReadsBefore(size_t write) const;
  bool Decides(size_t access) const;

  const trace::Trace& whole_;
  const std::vector<trace::Event>& events_;
  const SliceIndex& index_;
  std::function<bool(size_t)> is_met_;
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_CAUSES_H_
