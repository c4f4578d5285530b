// analysis/condvar/condvar.h
//
// Condition variables used so that another schedule could lose a wake-up or go
// on without its condition. The condition of a wait is what its thread read
// last before it: in the section of the mutex, or, if nothing was read there,
// shortly before.
//
//   lost wake-up      Another thread changes the condition and signals, and no
//                     lock that it holds keeps it from doing so between the
//                     waiter's look at the condition and its wait. Or the wait
//                     has no condition at all.
//   not checked again After the wait, the section goes on without the read that
//                     came before it: `if` where `while` is needed.
//   wrong waiter      A signal, not a broadcast, for one condition, at a
//                     variable where others wait for another one.
//   two mutexes       Waits at one variable with different mutexes.
//
// Incomplete: `do wait while` whose first look is elsewhere counts as not
// checked again. Unsound: conditions that are read by code without sites are
// not known, and waits without any are judged only in instrumented code.

#ifndef FAIRLEAD_ANALYSIS_CONDVAR_CONDVAR_H_
#define FAIRLEAD_ANALYSIS_CONDVAR_CONDVAR_H_

#include <array>
#include <memory>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/site_pairs.h"
#include "order/object_table.h"

namespace fairlead::analysis {

class Condvar final : public Analysis {
 public:
  // Accesses of a thread that are looked at around a wait or a signal: what
  // decides about it is close by.
  static constexpr size_t kMaxAccesses = 8;
  // Waits and signals kept for a variable that differ in place or locks.
  static constexpr size_t kMaxEntries = 16;

  std::string_view name() const override { return "condvar"; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  struct Access {
    order::Spot spot;
    uint64_t address;
    uint64_t bytes;
    order::LocksetId locks;
  };
  // The last accesses of a thread.
  class Recent {
   public:
    Access& Add() { return accesses_[num_added_++ % kMaxAccesses]; }
    // Oldest first.
    std::vector<Access> List() const;

   private:
    std::array<Access, kMaxAccesses> accesses_;
    uint64_t num_added_ = 0;
  };
  struct Wait {
    order::Spot spot;
    uint64_t mutex;
    order::Epoch epoch;
    std::vector<Access> reads;           // of the condition; may be empty
    std::vector<order::LocksetId> over;  // by read: held from it to the wait
    std::shared_ptr<const order::VectorClock> knew;
  };
  struct Signal {
    order::Spot spot;
    order::Epoch epoch;
    std::vector<Access> writes;  // of its thread before it
    order::LocksetId locks;
    std::shared_ptr<const order::VectorClock> knew;
  };
  struct State {
    std::vector<Wait> waits;
    std::vector<Signal> signals;
  };
  // A wait that is over, until the section shows what comes next.
  struct Woken {
    bool pending = false;
    Wait wait;
    uint64_t condvar = 0;
  };
  struct Thread {
    Recent reads;
    Recent writes;
    Wait waiting;
    Woken woken;
  };

  Thread& ThreadOf(Tid tid) {
    const size_t index = abi::Index(tid);
    if (index >= threads_.size()) threads_.resize(index + 1);
    return threads_[index];
  }
  void LookAgain(Thread& thread, const trace::Event& event);
  void OnWait(const trace::Event& event, order::Model& order,
              PredictionSink& out);
  void OnWaited(const trace::Event& event);
  void OnSignal(const trace::Event& event, order::Model& order,
                PredictionSink& out);
  void EndOfSection(const trace::Event& event, PredictionSink& out);
  void Compare(uint64_t condvar, const Wait& wait, const Signal& signal,
               order::Model& order, PredictionSink& out);
  void CompareWaits(uint64_t condvar, const Wait& one, const Wait& other,
                    PredictionSink& out);
  void WrongWaiter(uint64_t condvar, const State& state, const Signal& signal,
                   PredictionSink& out);

  std::vector<Thread> threads_;  // by Tid
  order::ObjectTable<State> condvars_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_CONDVAR_CONDVAR_H_
