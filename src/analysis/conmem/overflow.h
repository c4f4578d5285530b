// analysis/conmem/overflow.h
//
// Con-Overflow (ConMem, section 4.5): a shared variable that forms an index, a
// length or a bound, and that another thread may change between the check and
// the use. Predicted for a read that the compiler says feeds an index
// (abi::kSiteFeedsIndex), bounds a loop (abi::kSiteBound) or decides about one
// after the thread has read the variable elsewhere, and a write of
// another thread that neither order nor a lock keeps away from it: where the
// thread has read the variable before, over both reads; else from the read
// itself.
//
// A thread that looks where another one had looked ahead of a use, and finds
// what that has written behind it, could have looked before, and would have
// come to the same use (`if (n < most) list[n++] = x` by two threads, and room
// for one).
//
// Whether a value that is out of bounds comes of it depends on values, which
// are not looked at: predictions are unlikely, that is, forced, and told if
// something comes of it.
//
// Differs from the paper: no second execution, since the pass knows the flow.
// Unsound: an index that passes through memory or a call is not seen. Without
// what the compiler knows of sites, nothing is predicted.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_OVERFLOW_H_
#define FAIRLEAD_ANALYSIS_CONMEM_OVERFLOW_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/variable_states.h"

namespace fairlead::analysis {

class Overflow final : public Analysis {
 public:
  std::string_view name() const override { return "overflow"; }
  void OnBegin(trace::ProgramTables& tables) override { tables_ = &tables; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  static constexpr size_t kMost = 8;

  struct Access {
    order::Spot spot;
    uint32_t weak = 0;
    order::LocksetId locks = {};  // of a read: held over its check, too
    order::Spot check = {};       // of a read; seq 0 = none
    uint64_t hold = 0;
  };
  struct State {
    std::vector<Access> uses;        // reads that feed an index,
    std::vector<Access> writes;      // the last of each thread and place
    std::vector<order::Spot> reads;  // the last of each thread
  };

  // Of the use by this thread at this place; seq 0 = none.
  static order::Spot CheckOf(const State& state, const order::Spot& spot);
  static Access AccessOf(const trace::Event& event, order::Model& order);
  // A read that may be such a look.
  void OnLook(uint64_t address, const State& state, const Access& look,
              order::Model& order, PredictionSink& out);
  void Report(uint64_t address, const order::Spot& check,
              const order::Spot& write, const order::Spot& use, uint64_t hold,
              PredictionSink& out);
  void Judge(uint64_t address, const Access& write, const Access& use,
             Tid later, order::Model& order, PredictionSink& out);

  trace::ProgramTables* tables_ = nullptr;
  order::VariableStates<State> variables_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_CONMEM_OVERFLOW_H_
