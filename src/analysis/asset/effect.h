// analysis/asset/effect.h
//
// What came of two units of work that an execution mixed, against the same two
// one after the other, in either order. The state is that of the sets that the
// two touch: the value of each location when both are over, and what each unit
// read of it last, since a reader that sees two fields out of step leaves no
// trace in them.
//
// Values are compared only where both executions found the same state when the
// first of the two units began, and nobody else touched the set meanwhile;
// pointers, and what has no value in events, are left out.
//
// Unsound: without such a pair of executions, nothing is said.
// Differs from the paper: which counts every match as a violation, and only
// failures as effects.

#ifndef FAIRLEAD_ANALYSIS_ASSET_EFFECT_H_
#define FAIRLEAD_ANALYSIS_ASSET_EFFECT_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/asset/unit_log.h"
#include "finding/target.h"

namespace fairlead::analysis::asset {

// A log with what its numbers mean in every execution.
struct NamedLog {
  std::shared_ptr<const UnitLog> log;
  std::map<uint32_t, uint64_t> anchors;       // by site
  std::map<uint32_t, uint64_t> contexts;      // by node
  std::map<trace::Tid, std::string> threads;  // paths

  uint64_t AnchorOf(const LoggedAccess& access) const;
  uint64_t ContextOf(const LoggedAccess& access) const;
};

// Two activations, so that they can be found in another execution: which one of
// those in its thread that come to the target's first step of that unit.
struct UnitPair {
  std::array<std::string, 2> threads;
  std::array<uint64_t, 2> occurrences = {};
};

// Of a location of a set: which set, in the order in which the two units come
// to them, field, byte, and whether it lies in a buffer.
using StateKey = std::tuple<uint32_t, uint32_t, uint64_t, bool>;
using State = std::map<StateKey, std::vector<uint64_t>>;

enum class UnitOrder : uint8_t { kMixed, kFirstFirst, kOtherFirst };

// What two units did, in one execution.
struct Effect {
  UnitOrder order = UnitOrder::kMixed;
  bool disturbed = false;                 // others touched the set between them
  State before;                           // when the first of the two began
  State after;                            // when both were over
  std::array<State, 2> seen;              // by unit: what it read last
  std::vector<std::string> set_names;     // by number in a key
  std::map<StateKey, std::string> names;  // of locations
  // Of each unit: its first and its last access to the set.
  std::array<LoggedAccess, 2> first;
  std::array<LoggedAccess, 2> last;
};

// The two units by which `log` matches the steps of `target`, in their order.
std::optional<UnitPair> FindPair(const NamedLog& log,
                                 const finding::Target& target);
// What they did; none = they are not there.
std::optional<Effect> EffectOf(const NamedLog& log,
                               const finding::Target& target,
                               const UnitPair& pair);

// `target` with the two units one after the other, from what they did when they
// were mixed.
finding::Target SerialTarget(const NamedLog& log, const finding::Target& target,
                             const Effect& mixed, UnitOrder order);

// How `mixed` differs from what both orders give, as a sentence; "" = it does
// not, or nobody knows. `first_first` and `other_first`: effects of executions
// in that order.
std::string Difference(const Effect& mixed,
                       const std::vector<Effect>& first_first,
                       const std::vector<Effect>& other_first);

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_EFFECT_H_
