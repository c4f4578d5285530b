// analysis/analysis.h
//
// An Analysis reads one execution, event by event, and predicts what another
// schedule of it could do. It never sees the program, never blocks, and may be
// run over a stored trace years later, so everything it needs must be in the
// stream, or in the tables that stand before it. Its memory grows with what is
// alive in the program, not with the length of the execution.

#ifndef FAIRLEAD_ANALYSIS_ANALYSIS_H_
#define FAIRLEAD_ANALYSIS_ANALYSIS_H_

#include <string_view>

#include "analysis/prediction.h"
#include "order/model.h"
#include "trace/event.h"
#include "trace/program_tables.h"

namespace fairlead::analysis {

struct Declared;  // analysis/declared.h

class Analysis {
 public:
  virtual ~Analysis() = default;

  // Stable name: the word in `--analyses`, in JSON and in the `expect` lines of
  // trace fixtures.
  virtual std::string_view name() const = 0;

  // Ahead of the first event: what the compiler knows of the sites, functions
  // and types that events name. `tables` outlives the analysis's last event.
  // Not called where nobody knows anything.
  virtual void OnBegin(trace::ProgramTables& /*tables*/) {}

  // Consume the next event, which `order` has consumed already: an access to
  // memory (order.kind() says which), by far the most events, or another.
  // Events arrive in stream order, which is a total order of the execution. Any
  // sequence of decoded events is fine, also one that no program produces.
  virtual void OnAccess(const trace::Event& /*event*/, order::Model& /*order*/,
                        PredictionSink& /*out*/) {}
  virtual void OnOther(const trace::Event& /*event*/, order::Model& /*order*/,
                       PredictionSink& /*out*/) {}

  // False: it is not given accesses.
  virtual bool WantsAccesses() const { return true; }

  // Ahead of OnBegin: what people have declared; outlives the last event.
  virtual void OnDeclared(const Declared& /*declared*/) {}

  // True: it goes by the functions that threads are in (kEnter, kLeave), which
  // executions tell only where somebody asks.
  virtual bool WantsFrames() const { return false; }

  // An access to this variable (order::Model::variables) is near: a chance to
  // have what is known of it at hand. Called when it `Expects`.
  virtual bool Expects() const { return false; }
  virtual void Expect(uint32_t /*variable*/) {}

  // The stream is complete. Not called if it was cut short: an analysis that
  // predicts here must be one that needs the whole execution.
  virtual void OnEnd(PredictionSink& /*out*/) {}
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_ANALYSIS_H_
