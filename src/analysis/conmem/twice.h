// analysis/conmem/twice.h
//
// Double free, foreseen. What frees a block looks first whether it should, and
// leaves a mark so that nobody does it again:
//
//   if (p != NULL) { free(p); p = NULL; }       a flag; a list without the node
//
// A thread that looks at the same place in the code, and finds the mark, would
// have freed the block as well, had it looked before. Predicted when nothing
// but a lock orders its look behind the mark, and that lock was not held from
// the other's last look to its mark. Where that last look was under a lock and
// decides, earlier ones do not count: it would send the second thread away.
//
// Look: a read of what its thread overwrites soon after, which decides a branch
// or is a pointer to the block. Mark: that write. Both in one step (exchange,
// compare-and-swap) cannot be torn apart, and are left out.
//
// Unsound: of each thread the last kLooks reads count, of each mark kMost looks
// and seconds.
// Incomplete: what else the second thread looks at may send it away. Forcing
// tells.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_TWICE_H_
#define FAIRLEAD_ANALYSIS_CONMEM_TWICE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/conmem/before.h"
#include "analysis/conmem/lives.h"
#include "order/model.h"
#include "order/object_table.h"
#include "trace/program_tables.h"

namespace fairlead::analysis::conmem {

// A block that two threads could free.
struct FreedTwice {
  order::Spot look;  // of the second thread
  uint64_t location = 0;
  bool null = false;     // what the first one saw there
  order::Spot free;      // by the first
  order::Spot last_use;  // of the block by the first, behind its look; seq 0 =
                         // none
  uint64_t used = 0;     // where
  uint64_t block = 0;
  uint64_t bytes = 0;
  order::Spot made;
  // The look was at a pointer to the block.
  bool at_pointer = false;
};

class Twice {
 public:
  void OnBegin(trace::ProgramTables& tables) { tables_ = &tables; }

  // For every access, ahead of what `lives` learns from it.
  template <typename Visit>
  void OnAccess(const trace::Event& event, Lives& lives, order::Model& order,
                Visit visit) {
    const order::AccessKind kind = order.kind();
    if (event.size <= kPointerBytes) {
      if (kind == order::AccessKind::kRead) {
        OnRead(event, lives, order, visit);
      } else if (kind == order::AccessKind::kWrite) {
        OnWrite(event, order);
      }
    }
    before_.Done(event.tid, order);
  }
  void OnOther(const trace::Event& event, order::Model& order) {
    before_.Done(event.tid, order);
    if (order::EndsMemory(event.kind)) {
      marks_.Forget(event.address, event.value);
    }
  }
  // `life` ends with this event.
  template <typename Visit>
  void OnFree(const trace::Event& event, const Life& life, Visit visit) {
    const Freed freed = FreedBy(event, life);
    ThreadOf(event.tid).freed = freed;
    for (const uint64_t location : ThreadOf(event.tid).marked) {
      Mark* mark = location == 0 ? nullptr : marks_.Find(location);
      if (mark == nullptr || !Ties(*mark, freed)) continue;
      mark->freed = freed;
      for (const Second& second : mark->seconds) visit(Told(*mark, second));
    }
  }

 private:
  static constexpr uint64_t kPointerBytes = 8;
  static constexpr size_t kLooks = 16;
  static constexpr size_t kMost = 4;
  // Accesses of a thread that may lie between its look and the free, or between
  // the free and its mark.
  static constexpr uint64_t kNear = 64;

  struct Look {
    order::Spot spot;
    uint64_t location = 0;
    uint64_t value = 0;
    uint64_t at = 0;  // accesses of its thread before it
    bool decides = false;
  };
  struct Freed {
    order::Spot spot;  // seq 0 = none
    uint64_t at = 0;
    uint64_t begin = 0;
    uint64_t bytes = 0;
    order::Spot made;
    order::Spot last_use;
    uint64_t used = 0;
  };
  struct Second {
    order::Spot spot;
  };
  struct Mark {
    Tid tid = Tid::kNone;
    std::vector<Look> looks;
    std::vector<Second> seconds;
    order::Epoch weak;
    order::LocksetId over = order::LocksetId::kEmpty;  // since the last look
    uint64_t location = 0;
    Freed freed;
  };
  struct Thread {
    std::array<Look, kLooks> looks;
    uint64_t num_accesses = 0;
    size_t num_looks = 0;
    std::array<uint64_t, kMost> marked = {};  // locations; 0 = none
    size_t num_marked = 0;
    Freed freed;
  };

  Thread& ThreadOf(Tid tid) {
    const size_t index = abi::Index(tid);
    if (index >= threads_.size()) threads_.resize(index + 1);
    return threads_[index];
  }
  template <typename Visit>
  void OnRead(const trace::Event& event, Lives& lives, order::Model& order,
              Visit visit) {
    if (num_marks_ != 0) {
      if (Mark* mark = marks_.Find(event.address)) {
        const Second second = {order::SpotOf(event)};
        if (IsSecond(*mark, second, order)) {
          if (mark->freed.spot.seq != 0) visit(Told(*mark, second));
        }
      }
    }
    Remember(event, lives);
  }
  void Remember(const trace::Event& event, Lives& lives);
  void OnWrite(const trace::Event& event, order::Model& order);
  // Keeps it, if it is one.
  bool IsSecond(Mark& mark, const Second& second, order::Model& order);
  Freed FreedBy(const trace::Event& event, const Life& life);
  // Whether the look was made for this free.
  static bool Ties(const Mark& mark, const Freed& freed);
  static FreedTwice Told(const Mark& mark, const Second& second);

  trace::ProgramTables* tables_ = nullptr;
  std::vector<Thread> threads_;
  order::ObjectTable<Mark> marks_;  // by location
  size_t num_marks_ = 0;            // ever made
  Before before_;
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_TWICE_H_
