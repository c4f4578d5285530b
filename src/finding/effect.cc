#include "finding/effect.h"

#include <fmt/format.h>

#include <array>

namespace fairlead::finding {
namespace {

constexpr struct {
  std::string_view word;
  std::string_view plural;
} kWords[kNumEffects] = {
    {"crash", "crashes"},
    {"hang", "hangs"},
    {"corrupted state", "corrupted states"},
    {"wrong answer", "wrong answers"},
    {"suspicious", "suspicious"},
};

}  // namespace

std::string_view WordOf(Effect effect) {
  return kWords[static_cast<size_t>(effect)].word;
}

// No default: whoever adds a kind says what it means for users.
Effect EffectOf(Kind kind) {
  switch (kind) {
    case Kind::kUseAfterFree:
    case Kind::kDoubleFree:
    case Kind::kBadFree:
    case Kind::kOutOfBounds:
    case Kind::kUninitialised:
    case Kind::kSanitizer:
    case Kind::kCrash:
    case Kind::kAssertion:
    case Kind::kAbort:
    case Kind::kUncaught:
    case Kind::kDangling:
    case Kind::kNull:
    case Kind::kUninit:
    case Kind::kOverflow:
      return Effect::kCrash;
    case Kind::kDeadlock:
    case Kind::kLostWakeup:
    case Kind::kLivelock:
    case Kind::kCondvar:
    case Kind::kCancel:
      return Effect::kHang;
    case Kind::kAlways:
    case Kind::kCorruptedState:
    case Kind::kTogether:
      return Effect::kCorruptedState;
    case Kind::kClosure:
    case Kind::kTest:
    case Kind::kExit:
    case Kind::kClient:
    case Kind::kOutput:
    case Kind::kJudge:
    case Kind::kWrongAnswer:
      return Effect::kWrongAnswer;
    case Kind::kSometimes:
    case Kind::kReachable:
    case Kind::kMisuse:
    case Kind::kRace:
    case Kind::kAtomicity:
      return Effect::kSuspicious;
  }
  return Effect::kSuspicious;
}

std::string EffectsText(std::span<const Kind> kinds) {
  std::array<size_t, kNumEffects> counts = {};
  for (const Kind kind : kinds) ++counts[static_cast<size_t>(EffectOf(kind))];
  std::string text;
  for (size_t i = 0; i < kNumEffects; ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i],
                        counts[i] == 1 ? kWords[i].word : kWords[i].plural);
  }
  return text;
}

}  // namespace fairlead::finding
