// analysis/asset/pattern.h
//
// When two units of work have mixed their accesses to an atomic set: the eleven
// problematic access patterns (Vaziri, Tip and Dolby, POPL 2006; Lai, Cheung
// and Chan, ICSE 2010, Table 1), and the conflict graph that they are names
// for. Pure functions of a trace; nothing here knows programs.
//
//   form    order of steps    patterns
//   alone   u u' u            1 to 5, one location
//   inside  u u' u' u         6, 8, 9
//   across  u u' u u'         7, 10, 11
//
// A match implies a cycle of the conflict graph. The reverse holds where every
// unit that writes one location of the set writes all of them.
// Differs from the paper: which says "if and only if" without that condition;
// write skew and cycles of three units have no pattern.

#ifndef FAIRLEAD_ANALYSIS_ASSET_PATTERN_H_
#define FAIRLEAD_ANALYSIS_ASSET_PATTERN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fairlead::analysis::asset {

enum class Way : uint8_t { kRead, kWrite };
// u, whose steps come first and later again, and u', which comes between.
enum class Side : uint8_t { kFirst, kOther };
enum class Form : uint8_t { kAlone, kInside, kAcross };

struct PatternStep {
  Side side;
  Way way;
  uint8_t location;  // 0 or 1: m1 or m2
};

struct Pattern {
  uint8_t number;  // of the paper, 1 to 11; 6, 8 and 9 have two variants each
  Form form;
  std::array<PatternStep, 4> steps;
  std::string_view sentence;  // of the paper

  size_t num_steps() const { return form == Form::kAlone ? 3 : 4; }
};

// All of them, by number.
std::span<const Pattern> Patterns();

// One access to one location of an atomic set, by a unit.
struct UnitAccess {
  uint32_t unit;
  uint32_t thread;
  uint32_t location;
  Way way;
};

// Where a trace matches: by step of the pattern, the index of the access.
struct Match {
  const Pattern* pattern;
  std::array<size_t, 4> at;
};

// The first pattern that two units of different threads match in this trace, by
// trying everything; none = none.
std::optional<Match> FindMatch(std::span<const UnitAccess> trace);
bool Matches(const Pattern& pattern, std::span<const UnitAccess> trace);

// A cycle of the conflict graph: units, each of which has an access ahead of a
// conflicting one of the next, and the last of the first. Empty = conflict-
// serializable.
std::vector<uint32_t> FindCycle(std::span<const UnitAccess> trace);

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_PATTERN_H_
