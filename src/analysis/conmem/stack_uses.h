// analysis/conmem/stack_uses.h
//
// What a thread touches on the stack of another, or in its thread-local
// storage: once the function that it belongs to has returned, or the thread has
// ended, it is gone. Where frames begin and end is not known here. So each such
// use is foreseen behind the last thing that the owner does before anything
// orders it behind the use, or behind whoever joins the owner; whether the
// memory is gone by then is for the oracle to say
// (runtime/model/stack_oracle.h).
//
// An owner that waited for the user on a condition variable may give up in
// time: then the use is foreseen behind what the owner does next.
//
// Unsound: of one owner kMost uses are kept.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_STACK_USES_H_
#define FAIRLEAD_ANALYSIS_CONMEM_STACK_USES_H_

#include <cstdint>
#include <vector>

#include "analysis/conmem/stacks.h"
#include "order/model.h"

namespace fairlead::analysis::conmem {

// A use that may come behind `after`.
struct LateOnStack {
  order::Spot use;
  uint64_t address = 0;
  uint64_t hold = 0;  // SiteKey of the first lock that it was made under; or 0
  order::Spot after;
  uint64_t after_address = 0;  // what it is about
  bool ended = false;          // the owner has, by then
};

class StackUses {
 public:
  // For every event. `visit(LateOnStack)`.
  template <typename Visit>
  void OnEvent(const trace::Event& event, order::Model& order, Visit visit) {
    const trace::Tid owner = stacks_.OwnerOf(event.address);
    if (owner != trace::Tid::kNone && owner != event.tid) {
      OnTouch(event, owner, order);
    }
    if (num_waiting_ == 0) return;
    late_.clear();
    Follow(event, order);
    for (const LateOnStack& each : late_) visit(each);
  }
  // A stack or thread-local storage begins, or a thread ends or is joined;
  // ahead of OnEvent.
  template <typename Visit>
  void OnThread(const trace::Event& event, order::Model& order, Visit visit) {
    late_.clear();
    Change(event, order);
    for (const LateOnStack& each : late_) visit(each);
  }
  template <typename Visit>
  void OnEnd(Visit visit) {
    for (const Use& use : uses_) {
      if (use.late.after.seq != 0) visit(use.late);
    }
  }

 private:
  static constexpr size_t kMost = 8;

  struct Use {
    trace::Tid owner = trace::Tid::kNone;
    uint32_t weak = 0;
    bool beyond = false;  // the owner has waited for it on a condition variable
    LateOnStack late;
  };

  void OnTouch(const trace::Event& event, trace::Tid owner,
               order::Model& order);
  void Follow(const trace::Event& event, order::Model& order);
  void Change(const trace::Event& event, order::Model& order);

  Stacks stacks_;
  std::vector<Use> uses_;   // that nothing orders ahead of their owner yet
  size_t num_waiting_ = 0;  // of them, of owners that live
  std::vector<LateOnStack> late_;
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_STACK_USES_H_
