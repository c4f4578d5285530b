// analysis/iroot/observer.h
//
// Which iRoots an execution exposed. Reads events once. Of a location only the
// last touch of each thread is kept, of dependencies only those that a compound
// idiom can still be made of: memory grows with what is alive, not with length.
//
// On a byte, a => b holds for touches a and b of different threads iff they
// conflict (touch.h), b comes later in the life of the memory, and in between
// neither of the two threads touches the byte, nor does a third one so that it
// conflicts with both. Compound idioms: docs/design/maple.md.
//
// Unsound: of an access to more than 64 KiB, only the first 64 KiB count. A
// deadlock (four locks) is never over, so nobody exposes one here; whoever
// forces it knows.

#ifndef FAIRLEAD_ANALYSIS_IROOT_OBSERVER_H_
#define FAIRLEAD_ANALYSIS_IROOT_OBSERVER_H_

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/iroot/iroot.h"
#include "analysis/iroot/touch.h"
#include "order/object_table.h"
#include "order/variables.h"

namespace fairlead::analysis::iroot {

using IRootSet = std::unordered_set<IRoot, IRootHash>;

class Observer {
 public:
  explicit Observer(uint64_t window = kWindow) : window_(window) {}

  // Consumes the next event. Any sequence is fine.
  void OnEvent(const trace::Event& event);

  // So far; over places.
  const IRootSet& exposed() const { return exposed_; }
  uint64_t num_dependencies() const { return num_dependencies_; }

 private:
  // One touch of one thread.
  struct Mark {
    uint64_t seq = 0;
    uint64_t place = 0;
    uint64_t instructions = 0;  // of its thread, so far
    Tid tid = Tid::kNone;
    Shape shape = Shape::kRead;
    bool exclusive = false;
  };
  struct State {
    std::vector<Mark> marks;      // of each thread the last; newest first
    uint64_t last_exclusive = 0;  // seq + 1 of the last exclusive touch
    bool is_lock = false;         // bytes of a lock: does not count
  };
  // Bytes, or a lock (then first == last).
  struct Extent {
    bool lock = false;
    uint64_t first = 0;
    uint64_t last = 0;
    bool Overlaps(const Extent& other) const {
      return lock == other.lock && first <= other.last && other.first <= last;
    }
  };
  struct Dependency {
    Mark source;
    Mark end;
    Extent extent;  // where it holds: the smallest range around its bytes
  };
  // Bytes of a dependency found now, and when the thread of its end had last
  // touched them before: seq + 1, 0 = never.
  struct Before {
    uint64_t address;
    uint64_t last;  // byte that goes with it
    uint64_t own_touch;
  };
  struct Fresh {
    Dependency dependency;
    std::vector<Before> bytes;
  };
  // Of one pair of threads, by time of the end. Those that are over are dropped
  // when they are half of all: sources are in no order, so that one that is not
  // over may be anywhere.
  struct Recent {
    std::vector<Dependency> all;
    size_t room = 16;  // until it is looked for those that are over
  };
  using Pair = uint32_t;  // thread of the source above, of the end below
  static Pair PairOf(Tid source, Tid end) {
    return static_cast<uint32_t>(abi::Index(source)) << 16 |
           static_cast<uint32_t>(abi::Index(end));
  }

  void OnTouch(State& state, const Extent& at, const Mark& mark);
  void Add(const Mark& source, const Mark& end, bool lock, Before byte);
  void Finish(size_t num_fresh);
  void Expose(uint8_t idiom, std::initializer_list<Step> steps);
  void WithOpposite(const Fresh& fresh, const Dependency& first);
  void WithSame(const Dependency& second, const Dependency& first);
  bool Near(const Mark& one, const Mark& other) const {
    const uint64_t distance = one.instructions < other.instructions
                                  ? other.instructions - one.instructions
                                  : one.instructions - other.instructions;
    return distance <= window_;
  }
  // No step of its thread that is yet to come is near enough to it.
  bool Over(const Mark& mark) const {
    return instructions_[abi::Index(mark.tid)] - mark.instructions > window_;
  }
  // Whether `mark` is still its thread's last touch of some byte of `extent`.
  bool Untouched(const Extent& extent, const Mark& mark);
  void Keep(const Dependency& dependency, Recent& recent);

  uint64_t window_;
  std::vector<uint64_t> instructions_;  // by thread, so far
  order::Variables<State> memory_;
  order::ObjectTable<State> locks_;
  std::vector<Fresh> fresh_;  // of the event at hand; elements are reused
  size_t num_fresh_ = 0;
  std::unordered_map<Pair, Recent> recent_;
  IRootSet exposed_;
  uint64_t num_dependencies_ = 0;
};

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_OBSERVER_H_
