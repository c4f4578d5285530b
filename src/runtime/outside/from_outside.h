// runtime/outside/from_outside.h
//
// Results of system calls as inputs (gate/inputs.h).
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_FROM_OUTSIDE_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_FROM_OUTSIDE_H_

#include <stdint.h>

#include "runtime/gate/inputs.h"
#include "runtime/outside/call.h"

namespace fairlead::rt {

// The result of a call that `ask()` makes: recorded if it comes from outside.
// `outputs(result, outputs)` names what the call has filled.
template <typename Ask, typename NameOutputs>
long FromOutside(Call& call, bool foreign, Ask ask, NameOutputs name_outputs) {
  if (!foreign) return ask();
  const Tid tid = call.thread->tid;
  if (inputs().fed()) {
    const abi::InputRecord* record =
        inputs().Take(tid, abi::InputKind::kResult);
    if (record != nullptr) {
      const long result = static_cast<long>(record->value);
      Outputs outputs;
      name_outputs(result, outputs);
      inputs().Fill(*record, outputs);
      return result;
    }
  }
  const long result = ask();
  Outputs outputs;
  name_outputs(result, outputs);
  inputs().Record(tid, abi::InputKind::kResult, static_cast<uint64_t>(result),
                  &outputs);
  return result;
}

// The same for a call without outputs.
template <typename Ask>
long FromOutside(Call& call, bool foreign, Ask ask) {
  return FromOutside(call, foreign, ask, [](long, Outputs&) {});
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_FROM_OUTSIDE_H_
