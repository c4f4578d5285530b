// abi/hidden_state.h
//
// What functions of the C library keep for all threads together
// (abi/hidden_states.inc). The pass makes accesses to it of calls of these
// functions: to a variable of the program's that stands for it, and, where
// such a function returns the buffer itself, to that. The type of such a site
// has the state's name, so that whoever reads a program's tables knows.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_HIDDEN_STATE_H_
#define FAIRLEAD_ABI_HIDDEN_STATE_H_

#include <stdint.h>

namespace fairlead::abi {

enum class HiddenState : uint8_t {
#define FL_HIDDEN_STATE(state, word, name, advice) state,
#include "abi/hidden_states.inc"
#undef FL_HIDDEN_STATE
};

struct HiddenStateEntry {
  const char* word;
  const char* name;
  const char* advice;
};

inline constexpr HiddenStateEntry kHiddenStates[] = {
#define FL_HIDDEN_STATE(state, word, name, advice) {word, name, advice},
#include "abi/hidden_states.inc"
#undef FL_HIDDEN_STATE
};

// What the symbol of a state begins with; its word follows.
inline constexpr char kHiddenSymbol[] = "__fl_hidden_";

constexpr const HiddenStateEntry& EntryOf(HiddenState state) {
  return kHiddenStates[static_cast<uint8_t>(state)];
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_HIDDEN_STATE_H_
