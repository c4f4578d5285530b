// finding/target.h
//
// A target: an interleaving worth forcing, as a value. A few steps over roles
// of threads and objects, under a partial order. Predictions of every analysis,
// deadlock cycles, order inversions and the edges of a portable bug file are
// targets; the director realises them, and nothing here knows how.
//
//   fairlead target 1
//   kind: race
//   object x
//   step 1 a: read x anchor=0x1f99 @app.c:31
//   step 2 b: write x anchor=0x71a0 @app.c:52
//   edge 1 -> 2 adjacent=object
//   success order
//
// A role is a word of letters, digits and _-+./ . Equal roles mean the same
// thread or object, different ones mean different threads; objects of different
// roles may coincide unless a relation says otherwise. docs/design/target.md
// has the meaning of each part.

#ifndef FAIRLEAD_FINDING_TARGET_H_
#define FAIRLEAD_FINDING_TARGET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "trace/names.h"

namespace fairlead::finding {

// History of the text form (newest first; readers refuse newer ones):
//   1  first layout.
inline constexpr uint32_t kTargetVersion = 1;

// A director keeps a bit for each (abi/target.h).
inline constexpr size_t kMaxSteps = 64;

enum class Operation : uint8_t {
#define FL_OPERATION(name, word) name,
#include "finding/target_words.inc"
};
enum class Relation : uint8_t {
#define FL_RELATION(name, word) name,
#include "finding/target_words.inc"
};
enum class Adjacency : uint8_t {
#define FL_ADJACENCY(name, word) name,
#include "finding/target_words.inc"
};
enum class Success : uint8_t {
#define FL_SUCCESS(name, word) name,
#include "finding/target_words.inc"
};
// The value that the step reads or writes.
enum class ValueIs : uint8_t { kAny, kZero, kNonzero };
// Whether a step is reached when its thread stands before it or behind it.
enum class Phase : uint8_t { kComplete, kArrive };
enum class Strength : uint8_t { kHard, kSoft };

// Which of the thread's passes over the anchor is meant.
inline constexpr uint32_t kAnyOccurrence = 0;

struct ObjectRole {
  std::string name;
  Relation relation = Relation::kItself;
  std::string other;  // of the relation; empty for kItself and kLock
  bool operator==(const ObjectRole&) const = default;
};

struct TargetStep {
  std::string thread;     // role
  std::string unit = {};  // role of the activation; "" = any
  Operation operation = Operation::kRead;
  std::string object = {};               // role; "" = none
  uint64_t anchor = 0;                   // of the site; 0 = any site
  uint64_t context = 0;                  // of the call chain; 0 = any
  uint64_t unit_context = 0;             // of the unit's frame; 0 = the step's
  uint32_t occurrence = kAnyOccurrence;  // else counted from 1
  ValueIs value = ValueIs::kAny;
  Phase phase = Phase::kComplete;
  uint64_t hold_at = 0;     // anchor where the thread should wait; 0 = here
  trace::Place place = {};  // for people
  bool operator==(const TargetStep&) const = default;
};

// Steps are named by their index.
struct TargetEdge {
  uint32_t before = 0;
  uint32_t after = 0;
  Adjacency adjacency = Adjacency::kNone;
  uint32_t within = 0;  // instructions of the thread of `before`; for kWithin
  std::vector<std::string> opens = {};  // roles of locks whose release, after
                                        // `before`, opens the window
  Strength strength = Strength::kHard;
  // Part of what leads there, not of what is to be shown.
  bool precondition = false;
  bool operator==(const TargetEdge&) const = default;
};

struct Target {
  std::string kind;  // a word: race, deadlock, atomicity, …
  std::vector<ObjectRole> objects;
  std::vector<TargetStep> steps;
  std::vector<TargetEdge> edges;
  Success success = Success::kOrder;
  bool operator==(const Target&) const = default;
};

std::string_view WordOf(Operation operation);
std::string_view WordOf(Relation relation);
std::string_view WordOf(Adjacency adjacency);
std::string_view WordOf(Success success);

// What is wrong with a target, as a sentence: too many steps, an edge to a step
// that is not there, a cycle of edges, a role that nobody declared.
Status CheckTarget(const Target& target);

// Equal for targets that mean the same: over anchors, contexts, operations,
// roles up to renaming, and edges. Neither names nor places nor the numbering
// of steps count. Never 0.
uint64_t IdentityOf(const Target& target);

// Text and JSON, both ways. Parsing checks what it gives out, and errors of the
// text form name line and column.
std::string PrintTarget(const Target& target);
Result<Target> ParseTargetUntrusted(std::string_view text);
Json TargetJson(const Target& target);
Result<Target> TargetFromJsonUntrusted(const Json& json);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_TARGET_H_
