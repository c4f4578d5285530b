// analysis/conmem/uninit.h
//
// Con-UnInit (ConMem, section 4.3): a thread reads what another one sets, and
// could read it before. For each variable, the first write of each thread with
// its clock, and each thread's first read: predicted when that is ordered
// behind none of the first writes, and its own thread has not written. Locks do
// not count, as they order nothing.
//
// What the memory holds before it is set decides what a read is worth:
//
//   anything   a block of malloc, another thread's stack: predicted when the
//              value is used (a branch, an address, an index, a call); unlikely
//              when it is only passed on
//   zero       statics, calloc, fresh mappings: they are initialised, so only a
//              pointer that is used (analysis/conmem/derefs.h) is: it is null
//
// A thread that has read what the other one wrote behind the initialisation, a
// flag or a pointer to what is set (told.h), comes for that reason: unlikely,
// as is what a container or smart pointer sets before it lets others at it.
//
// Differs from the paper: the two kinds of memory; what the compiler knows of
// the read.
// Unsound: a thread's own stack is left out; on another's, what an earlier
// function had written counts.
// Incomplete: whether the read comes may depend on other values. Forcing tells.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_UNINIT_H_
#define FAIRLEAD_ANALYSIS_CONMEM_UNINIT_H_

#include <vector>

#include "analysis/analysis.h"
#include "analysis/conmem/before.h"
#include "analysis/conmem/derefs.h"
#include "analysis/conmem/stacks.h"
#include "analysis/conmem/told.h"
#include "analysis/site_pairs.h"
#include "order/byte_ranges.h"
#include "order/variable_states.h"

namespace fairlead::analysis {

class Uninit final : public Analysis {
 public:
  std::string_view name() const override { return "uninit"; }
  void OnBegin(trace::ProgramTables& tables) override { tables_ = &tables; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;

 private:
  struct Init {
    order::Spot spot;
    uint32_t weak = 0;
    uint64_t hold = 0;
    bool library = false;  // a container's own: it links what it has set
  };
  struct State {
    // Bits of the first 64 threads, so that most accesses look no further.
    uint64_t wrote = 0;
    uint64_t read = 0;
    std::vector<Init> inits;  // the first write of each thread
    std::vector<Tid> readers;
  };
  // A read that nothing orders behind an initialisation.
  struct Early {
    order::Spot read;
    Init init;
    uint64_t address = 0;
    bool zero = false;
    bool told = false;
    bool matters = true;
  };

  void OnWrite(State& state, const trace::Event& event, order::Model& order);
  void OnRead(uint64_t address, State& state, const trace::Event& event,
              order::Model& order, PredictionSink& out);
  void Report(const Early& early, PredictionSink& out);

  trace::ProgramTables* tables_ = nullptr;
  order::VariableStates<State> variables_;
  conmem::Stacks stacks_;
  order::ByteRanges unset_;  // blocks that hold anything
  conmem::Derefs<Early> derefs_;
  conmem::Before before_;
  conmem::Told told_;
  SitePairs reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_CONMEM_UNINIT_H_
