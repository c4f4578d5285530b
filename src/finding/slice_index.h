// finding/slice_index.h
//
// The accesses of a trace by what they touch, for finding/slice_for.h: which
// overlap, which two actors met in, and where one came between the steps of
// another. Positions are indices into the trace's events, ascending.

#ifndef FAIRLEAD_FINDING_SLICE_INDEX_H_
#define FAIRLEAD_FINDING_SLICE_INDEX_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "finding/slice_actors.h"
#include "trace/trace.h"

namespace fairlead::finding {

// By whom an access was made: by the application's own code, or by a library
// on its behalf.
enum class By { kApplication, kLibrary };

// How surely an interruption is a mistake, the surest first.
enum class Rank {
  kLostUpdate,   // what the other wrote is overwritten, unseen
  kInterrupted,  // no serial order gives the same
  kOvertaken,    // it had looked before, and then acted in a later region
};

class SliceIndex {
 public:
  // `whole` must outlive the index.
  explicit SliceIndex(const trace::Trace& whole);

  bool Is(size_t index, By by) const;

  Actor ActorOf(size_t index) const { return actors_.by_event[index]; }
  const std::vector<SignalHandling>& signals() const { return actors_.signals; }

  // The call into a library that an access is part of, 0 = none: of one call,
  // one access is enough for people.
  uint32_t CallOf(size_t index) const { return calls_[index]; }

  // What a call on a descriptor goes through: descriptors that one call opened
  // (the ends of a pipe) are one channel. 0 = no such call, or a descriptor
  // that every program has.
  uint32_t ChannelOf(size_t index) const { return channels_[index]; }

  // All accesses of that sort that touch one of `size` bytes at `address`.
  std::vector<size_t> Touching(uint64_t address, uint64_t size, By by) const;

  // Which access of another thread the k-th of `accesses` met: the write whose
  // value it is the first of its thread to see, or what it overwrites. What a
  // thread finds prepared by those that made it is no meeting.
  std::optional<size_t> PartnerOf(const std::vector<size_t>& accesses,
                                  size_t k) const;

  // Whether the thread of `after` was made, by that of `before` or by one that
  // it made, only after `before`: then no schedule has them the other way.
  bool IsPrepared(size_t before, size_t after) const;

  // Addresses by when two threads last met there, the latest first.
  std::vector<uint64_t> LatestShared(By by) const;

  // Threads that only look at an address in turns, at different places of one
  // of them: what they do with it, unseen in a library, may get in each other's
  // way. The latest, and none where somebody writes.
  std::vector<size_t> LatestTurns() const;

  // Another actor comes between two steps of one.
  struct Between {
    Rank rank = Rank::kLostUpdate;
    size_t first = 0, other = 0, second = 0;
  };
  // By rank, and of one rank the latest first.
  std::vector<Between> Interruptions(By by) const;
  // The same for one object's accesses.
  std::vector<Between> InterruptionsAmong(
      const std::vector<size_t>& accesses) const;

 private:
  using Accesses = std::map<uint64_t, std::vector<size_t>>;

  const Accesses& Of(By by) const {
    return by == By::kApplication ? own_ : library_;
  }
  void AddCall(size_t index, uint32_t node);
  void AddChannel(size_t index);
  bool IsOthersData(uint64_t address) const;
  std::optional<Between> InterruptionAt(const std::vector<size_t>& accesses,
                                        size_t k) const;
  std::optional<Between> OvertakenAt(const std::vector<size_t>& accesses,
                                     size_t k, Between between) const;

  const std::vector<trace::Event>& events_;
  Actors actors_;
  Accesses own_;
  Accesses library_;
  std::vector<size_t> ranges_;      // accesses to more bytes than a word has
  std::vector<uint32_t> calls_;     // by event
  std::vector<uint32_t> channels_;  // by event
  std::map<uint64_t, uint32_t> channel_of_;  // by descriptor, now
  uint32_t num_channels_ = 0;
  // Where modules lie that we did not compile, by first byte.
  std::map<uint64_t, uint64_t> others_;
  // By event: synchronisation of its thread up to there.
  std::vector<uint32_t> regions_;
  std::map<trace::Tid, size_t> made_;  // the event that made a thread
  uint32_t num_calls_ = 0;
  uint32_t last_node_ = 0;
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_INDEX_H_
