// analysis/iroot/histories.h
//
// Idiom 1 of the profiler: of each location the touches of each thread,
// condensed, and from them which node could depend on which in another
// execution. As in the paper (3.3 to 3.5):
//
//   order      a pair that the weak order has in order gives that direction
//              only, and only from the last touch before to the first after
//   locks      for every lock that both hold, unless both only read under it,
//              the earlier touch must be its section's last of the location,
//              and the later one its section's first
//
// Whether a touch is a section's last is known when its thread touches the
// location again, the memory ends, or the thread or the execution does: until
// then it is pending. Touches of one node that agree in clocks and in what is
// first and last are one entry, and only a new entry is compared with others.
// Entries that all live threads have passed and a later one supersedes are
// dropped.
//
// Unsound: of a location at most kMaxEntries entries are kept, the latest.

#ifndef FAIRLEAD_ANALYSIS_IROOT_HISTORIES_H_
#define FAIRLEAD_ANALYSIS_IROOT_HISTORIES_H_

#include <cstdint>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/iroot/nodes.h"
#include "analysis/iroot/segments.h"
#include "order/locksets.h"
#include "order/object_table.h"
#include "order/variables.h"

namespace fairlead::analysis::iroot {

class Histories {
 public:
  Histories(Nodes& nodes, order::Locksets& locks, Segments& segments)
      : nodes_(nodes), locks_(locks), segments_(segments) {}

  // A touch of one thread; locks and clocks are those right after its event.
  struct Now {
    uint64_t seq = 0;
    KindId kind = {};
    Tid tid = Tid::kNone;
    Moment moment;
  };
  // What it was at one location.
  struct Seen {
    uint64_t address = 0;
    NodeId node = kNoNode;
    uint64_t own_before = 0;  // seq + 1 of the thread's last touch; 0 = none
    bool shared = false;      // others have touched it, too, and somebody wrote
  };

  // Calls `seen` for each location of the touch.
  template <typename Visit>
  void Add(const Touch& touch, const Now& now, Visit seen) {
    if (IsLock(touch.shape)) {
      State& state = locks_at_.At(touch.address);
      if (state.slots.empty()) MarkLock(touch.address);
      seen(OnTouch(state, touch.address, now));
      return;
    }
    memory_.Touch(touch.address, touch.bytes,
                  [&](uint64_t address, State& state) {
                    if (!state.is_lock) seen(OnTouch(state, address, now));
                  });
  }

  // Memory, or a lock, is over: what is pending there is told.
  void EndMemory(uint64_t address, uint64_t bytes);
  void EndLock(uint64_t address);
  void OnThreadBegin(Tid tid);
  void OnThreadEnd(Tid tid);
  // Tells all that is pending.
  void OnEnd();

  // By source: the nodes that could depend on it directly.
  const std::unordered_map<NodeId, std::vector<NodeId>>& edges() const {
    return edges_;
  }
  size_t num_locations() const { return memory_.num_variables(); }

 private:
  static constexpr size_t kMaxEntries = 48;
  static constexpr size_t kManyEntries = 8;  // worth looking what can go

  struct Entry {
    NodeId node = kNoNode;
    // Bit i: the first, the last touch of its section of the i-th lock held.
    uint32_t first = 0;
    uint32_t last = 0;
    uint64_t first_seq = 0;
    uint64_t last_seq = 0;
    Moment moment;
    bool Like(const Entry& other) const {
      return node == other.node && first == other.first && last == other.last;
    }
  };
  struct Slot {  // of a thread
    Tid tid = Tid::kNone;
    bool pending = false;
    uint32_t first = 0;
    KindId kind = {};
    NodeId node = kNoNode;
    uint64_t seq = 0;  // of the last touch, pending or not
    Moment moment;
  };
  struct State {
    std::vector<Slot> slots;
    std::vector<Entry> entries;
    bool is_lock = false;  // bytes of a lock: does not count
    bool written = false;
    bool shared = false;
  };

  Seen OnTouch(State& state, uint64_t address, const Now& now);
  void MarkLock(uint64_t address);
  Slot& SlotOf(State& state, Tid tid);
  uint32_t FirstMask(const Kind& kind, Tid tid, uint64_t own_before) const;
  uint32_t LastMask(const Slot& slot) const;
  void Settle(State& state, Slot& slot, uint32_t last, bool over);
  void SettleAll(State& state);
  void AddEntry(State& state, Entry entry, bool over);
  bool Passed(const State& state, const Entry& entry);
  void DropPassed(State& state);
  void MakeRoom(State& state);
  void Scan(State& state, size_t index);
  void Compare(const State& state, const Entry& one, const Entry& other);
  bool Neighbours(const State& state, const Entry& early, const Entry& late,
                  bool atomic) const;
  bool LocksAllow(const Entry& source, const Entry& end) const;
  void Predict(const Entry& source, const Entry& end);
  Tid TidOf(const Entry& entry) const { return nodes_.KindOf(entry.node).tid; }

  Nodes& nodes_;
  order::Locksets& locks_;
  Segments& segments_;
  order::Variables<State> memory_;
  order::ObjectTable<State> locks_at_;
  std::set<uint64_t> lock_addresses_;  // of locks_at_; may name forgotten ones
  std::vector<Tid> live_;              // threads that may still do something
  std::unordered_set<uint64_t> known_edges_;
  std::unordered_map<NodeId, std::vector<NodeId>> edges_;
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_HISTORIES_H_
