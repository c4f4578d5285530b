#include "definition.h"

namespace fairlead::lin {
namespace {

// Whether some operation outside of `used` ends before `next` begins.
bool ComesTooEarly(const History& history, const std::vector<bool>& used,
                   uint32_t next) {
  for (uint32_t i = 0; i < history.size(); ++i) {
    if (!used[i] && i != next && history[i].end < history[next].begin) {
      return true;
    }
  }
  return false;
}

bool CanGoOn(const History& history, Model& model, State state,
             std::vector<bool>& used) {
  bool done = true;
  for (uint32_t i = 0; i < history.size(); ++i) {
    if (!used[i] && history[i].end != kNever) done = false;
  }
  if (done) return true;
  for (uint32_t i = 0; i < history.size(); ++i) {
    if (used[i] || ComesTooEarly(history, used, i)) continue;
    const std::optional<State> next = model.Step(state, history[i]);
    if (!next) continue;
    used[i] = true;
    if (CanGoOn(history, model, *next, used)) return true;
    used[i] = false;
  }
  return false;
}

}  // namespace

bool IsLinearizable(const History& history, Model& model) {
  std::vector<bool> used(history.size());
  return CanGoOn(history, model, model.Initial(), used);
}

bool IsOrderOf(const History& history, Model& model,
               const std::vector<uint32_t>& order, bool all) {
  State state = model.Initial();
  std::vector<bool> used(history.size());
  for (const uint32_t each : order) {
    if (used[each]) return false;
    const std::optional<State> next = model.Step(state, history[each]);
    if (!next || ComesTooEarly(history, used, each)) return false;
    used[each] = true;
    state = *next;
  }
  for (uint32_t i = 0; all && i < history.size(); ++i) {
    if (!used[i] && history[i].end != kNever) return false;
  }
  return true;
}

}  // namespace fairlead::lin
