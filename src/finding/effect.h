// finding/effect.h
//
// What a finding means for who runs the program: the word that comes first,
// where a kind says more exactly what went wrong. Not what came of forcing
// something, which is finding/outcome.h.

#ifndef FAIRLEAD_FINDING_EFFECT_H_
#define FAIRLEAD_FINDING_EFFECT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "finding/finding.h"

namespace fairlead::finding {

// The worst first.
enum class Effect : uint8_t {
  kCrash,           // it ends all at once, or its memory is damaged
  kHang,            // it does not go on, or gets nowhere
  kCorruptedState,  // what it says must hold does not
  kWrongAnswer,     // it ends, and not as it should
  kSuspicious,      // it gets away with it, here
};
inline constexpr size_t kNumEffects = 5;

std::string_view WordOf(Effect effect);
// Of a prediction: what it leads to.
Effect EffectOf(Kind kind);

// "2 crashes, 1 hang": the effects of so many findings; "" for none.
std::string EffectsText(std::span<const Kind> kinds);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_EFFECT_H_
