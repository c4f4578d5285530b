// lin/model.h
//
// What an object does when one operation comes after another: the sequential
// specification. A model is a set of states, known by numbers, and one function
// from a state and an operation to the next state. It may keep tables of its
// own to number states by; equal states have equal numbers.
//
// Threads: one.

#ifndef FAIRLEAD_LIN_MODEL_H_
#define FAIRLEAD_LIN_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lin/operation.h"
#include "lin/values.h"

namespace fairlead::lin {

using State = uint64_t;

class Model {
 public:
  virtual ~Model() = default;

  // Called once, before all else, with the history that is asked about: what
  // comes later may say which orders are not worth trying.
  virtual void Prepare(const History& /*history*/) {}

  virtual State Initial() = 0;

  // The state behind `operation` done in `state`; none if it cannot have been
  // done there with its result. A result of kUnknown fits every state. What
  // only looks (OnlyLooks) leaves the state as it is.
  virtual std::optional<State> Step(State state,
                                    const Operation& operation) = 0;

  // Whether the operation may be taken as soon as it fits: whatever could come
  // before it could as well come after.
  virtual bool IsSafeNow(const Operation& operation) const {
    return OnlyLooks(operation);
  }

  // Of operations that could come next, the least urgent are tried last.
  virtual uint64_t UrgentBefore(const Operation& /*operation*/) const {
    return 0;
  }

  // What the object holds then, for people.
  virtual std::string TextOf(State state) const = 0;
};

// What is known of a kind of model before there is one.
struct ModelKind {
  std::string_view name;     // on the command line
  std::string_view summary;  // a line of help
  // Makes one whose values are of `values`, which outlives it; `initial` is
  // what the object holds at first.
  std::unique_ptr<Model> (*make)(ValueTable& values, ValueId initial);
  // Whether operations on different keys, or of a set on different elements,
  // are about different objects.
  enum class Parts : uint8_t {
    kWhole,
    kByKey,
    kByElement
  } parts = Parts::kWhole;
};

// All of them, in the order of help.
const std::vector<ModelKind>& ModelKinds();
// None = there is no such model. Knows aliases: cas-register, fifo-queue, …
const ModelKind* FindModel(std::string_view name);

// The call that a word of a history means to this kind of model, if any.
std::optional<Call> CallOf(const ModelKind& kind, std::string_view word);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_MODEL_H_
