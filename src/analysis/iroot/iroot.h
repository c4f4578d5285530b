// analysis/iroot/iroot.h
//
// An iRoot: one way in which accesses of two threads can follow each other, by
// places in the program (Maple: Yu, Narayanasamy, Pereira and Pokam, OOPSLA
// 2012). `x => y` is an immediate dependency between the threads; a step's
// letter is its index.
//
//   1   T1: A        T2: B         A => B                     one location
//   2   T1: A .. C   T2: B         A => B, B => C             one location
//   3   T1: A .. D   T2: B .. C    A => B, C => D             one location
//   4   T1: A .. D   T2: B .. C    A => B, C => D             two locations
//   5   T1: A .. D   T2: C .. B    A => B, C => D             two locations
//   6   T1: A .. C   T2: B .. D    A => B, C => D             two locations
//
// The definitions of => and .. are in docs/design/maple.md. Idiom 5 also has a
// form whose four steps are locks: a deadlock of two threads.

#ifndef FAIRLEAD_ANALYSIS_IROOT_IROOT_H_
#define FAIRLEAD_ANALYSIS_IROOT_IROOT_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead::analysis::iroot {

enum class Operation : uint8_t { kRead, kWrite, kLock, kUnlock };
std::string_view WordOf(Operation operation);

inline constexpr uint8_t kNumIdioms = 6;
inline constexpr size_t kMaxSteps = 4;

// Instructions of one thread between two steps of it, at most: the default of
// the authors' released code. Ours are of the intermediate representation.
inline constexpr uint64_t kWindow = 1000;

constexpr size_t NumSteps(uint8_t idiom) {
  return idiom == 1 ? 2 : idiom == 2 ? 3 : 4;
}

// Which of the two threads makes a step: 0 = T1, the one of A.
constexpr size_t ThreadOfStep(uint8_t idiom, size_t step) {
  switch (idiom) {
    case 1:
      return step;
    case 2:
      return step == 1 ? 1 : 0;
    case 6:
      return step % 2;
    default:  // A and D
      return step == 0 || step == 3 ? 0 : 1;
  }
}

struct Step {
  // While events stream by, the place as order::SiteKey has it; in memos, files
  // and targets the site's anchor.
  uint64_t place = 0;
  Operation operation = Operation::kRead;
  auto operator<=>(const Step&) const = default;
};

struct IRoot {
  uint8_t idiom = 1;                       // 1 to kNumIdioms
  std::array<Step, kMaxSteps> steps = {};  // those beyond NumSteps are empty
  auto operator<=>(const IRoot&) const = default;

  std::span<const Step> used() const {
    return std::span(steps).first(NumSteps(idiom));
  }
  bool is_deadlock() const {
    return idiom == 5 && steps[0].operation == Operation::kLock;
  }
};

// Of the two spellings of idiom 5 (either thread may be T1) the smaller one;
// others are as they were.
IRoot Canonical(IRoot root);

struct IRootHash {
  size_t operator()(const IRoot& root) const;
};

// Equal in every process and version for equal iRoots over anchors. Never 0.
uint64_t IdentityOf(const IRoot& root);

// "4 write:0x1f=>read:0x2a write:0x2b=>read:0x20"; of idiom 2 "2 read:0x1=>
// write:0x2=>read:0x3" without the break. Parsing gives out canonical ones.
std::string PrintIRoot(const IRoot& root);
Result<IRoot> ParseIRootUntrusted(std::string_view text);

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_ANALYSIS_IROOT_IROOT_H_
