#include "lin/check.h"

#include <algorithm>

namespace fairlead::lin {
namespace {

bool Takes(Call call) {
  return call != Call::kRead && call != Call::kPop && call != Call::kAcquire &&
         call != Call::kRelease;
}
bool Gives(const Operation& operation) {
  switch (operation.call) {
    case Call::kRead:
    case Call::kPop:
    case Call::kCas:
    case Call::kContains:
      return true;
    case Call::kAdd:
    case Call::kRemove:
    case Call::kAcquire:
      return operation.result != ValueId::kUnknown;
    default:
      return false;
  }
}

class Teller {
 public:
  Teller(const Histories& histories, const ObjectHistory& object,
         const ValueTable& values)
      : histories_(histories), object_(object), values_(values) {}

  Contradiction Tell(const Linearization& found, Model& model) const {
    Contradiction told{.key = object_.key,
                       .num_operations = object_.operations.size(),
                       .prefix_length = found.order.size()};
    State state = model.Initial();
    std::vector<bool> in_order(object_.operations.size());
    const size_t first =
        found.order.size() - std::min(found.order.size(), kToldPrefix);
    for (size_t i = 0; i < found.order.size(); ++i) {
      const uint32_t which = found.order[i];
      in_order[which] = true;
      state = model.Step(state, object_.operations[which]).value_or(state);
      if (i >= first) told.prefix.push_back(Operate(which, state, model));
    }
    told.stuck = Operate(found.stuck, state, model);
    const uint64_t now = object_.operations[found.stuck].end;
    for (uint32_t i = 0; i < object_.operations.size(); ++i) {
      const Operation& each = object_.operations[i];
      if (in_order[i] || i == found.stuck || each.begin > now) continue;
      if (told.under_way.size() < kToldPrefix) {
        told.under_way.push_back(Operate(i, state, model));
      }
    }
    return told;
  }

 private:
  ToldOperation Operate(uint32_t which, State state, const Model& model) const {
    const Operation& operation = object_.operations[which];
    ToldOperation told{.origin = histories_.origins[operation.number],
                       .state = model.TextOf(state)};
    if (Takes(operation.call))
      told.argument = values_.TextOf(operation.argument);
    if (operation.call == Call::kCas) {
      told.argument += " " + values_.TextOf(operation.second);
    }
    if (Gives(operation)) told.result = values_.TextOf(operation.result);
    return told;
  }

  const Histories& histories_;
  const ObjectHistory& object_;
  const ValueTable& values_;
};

}  // namespace

Checked Check(const Histories& histories, const ModelKind& kind,
              ValueId initial, ValueTable& values, const Budget& budget) {
  Checked checked{.num_operations = histories.origins.size(),
                  .num_pending = histories.num_pending,
                  .num_objects = histories.objects.size()};
  for (const ObjectHistory& object : histories.objects) {
    if (budget.is_over()) {
      ++checked.num_unknown;
      continue;
    }
    const std::unique_ptr<Model> model = kind.make(values, initial);
    const Linearization found = Search(object.operations, *model, budget);
    checked.num_configurations += found.num_configurations;
    if (found.verdict == Verdict::kYes) continue;
    if (found.verdict == Verdict::kUnknown) {
      ++checked.num_unknown;
      checked.out_of_memory |= found.out_of_memory;
      continue;
    }
    checked.wrong_keys.push_back(object.key);
    if (checked.contradictions.empty()) {
      checked.contradictions.push_back(
          Teller(histories, object, values).Tell(found, *model));
    }
  }
  if (!checked.wrong_keys.empty()) {
    checked.verdict = Verdict::kNo;
  } else if (checked.num_unknown > 0) {
    checked.verdict = Verdict::kUnknown;
  }
  return checked;
}

}  // namespace fairlead::lin
