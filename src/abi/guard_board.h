// abi/guard_board.h
//
// The memory that a guard library shares with the tool: what it counts, what it
// is told, and, while it learns, what it has learnt. A file that is mapped by
// both; it may be damaged by the program, and readers believe nothing in it.
//
//   GuardBoard                      one page and a bit
//   LearntSite [kMaxGuardSites+1]   only while learning; by number, 0 is unused
//   uint64_t   [kMaxGuardPairs]     only while learning: GuardPair
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_GUARD_BOARD_H_
#define FAIRLEAD_ABI_GUARD_BOARD_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/guard_rules.h"

namespace fairlead::abi {

inline constexpr char kGuardBoardMagic[8] = {'F', 'L', 'B', 'O',
                                             'A', 'R', 'D', '\n'};
inline constexpr uint32_t kGuardBoardVersion = 1;

// What the environment of a program tells its guard.
inline constexpr char kGuardRulesVariable[] = "FAIRLEAD_GUARD";
inline constexpr char kGuardLearnVariable[] = "FAIRLEAD_GUARD_LEARN";
inline constexpr char kGuardOptionsVariable[] = "FAIRLEAD_GUARD_OPTIONS";
inline constexpr char kGuardOffVariable[] = "FAIRLEAD_GUARD_OFF";

enum class GuardState : uint32_t {
  kStarting,
  kGuarding,
  kLearning,
  kOff,  // why is in `reason`
};

// Every counter. FL_GUARD_COUNTER(name, words).
#define FL_GUARD_COUNTERS(FL_GUARD_COUNTER)                                    \
  FL_GUARD_COUNTER(violations, "accesses with a predecessor not learnt")       \
  FL_GUARD_COUNTER(stalls, "of these, stalled")                                \
  FL_GUARD_COUNTER(resolved, "stalls after which the predecessor was right")   \
  FL_GUARD_COUNTER(unresolved, "stalls that came to their limit")              \
  FL_GUARD_COUNTER(hopeless, "stalls given up: who could end it waits for us") \
  FL_GUARD_COUNTER(yielded, "stalls that gave up a lock for a while")          \
  FL_GUARD_COUNTER(over_budget, "not stalled: the budget was used up")         \
  FL_GUARD_COUNTER(backed_off, "not stalled: in vain too often before")        \
  FL_GUARD_COUNTER(stalled_ns, "nanoseconds stalled in all")                   \
  FL_GUARD_COUNTER(lost_log_lines, "lines that the log had no room for")       \
  FL_GUARD_COUNTER(lost_accesses, "accesses not followed: no memory left")     \
  FL_GUARD_COUNTER(pages, "pages of 4 KB that are followed")                   \
  FL_GUARD_COUNTER(threads, "threads seen")

struct GuardCounters {
#define FL_GUARD_COUNTER(name, words) uint64_t name;
  FL_GUARD_COUNTERS(FL_GUARD_COUNTER)
#undef FL_GUARD_COUNTER
};

inline constexpr size_t kMaxGuardModules = 32;
inline constexpr size_t kGuardPathBytes = 256;

struct GuardBoard {
  char magic[8];
  uint32_t version;
  GuardState state;
  uint32_t pid;          // who writes; 0 = nobody yet
  uint32_t off;          // 1 = do nothing any more. Anybody may set it
  uint32_t wanted;       // raised by the tool: read the rules again
  uint32_t taken;        // the `wanted` that was heeded last
  uint32_t num_sites;    // guarded, or known while learning
  uint32_t num_missing;  // sites of the rules that the program does not have
  uint32_t num_pairs;    // used of the pairs
  uint32_t num_modules;  // used of `modules`
  GuardCounters counters;
  char reason[kGuardPathBytes];                     // of kOff
  char program[kGuardPathBytes];                    // the executable
  char rules[kGuardPathBytes];                      // the file of rules
  char modules[kMaxGuardModules][kGuardPathBytes];  // instrumented ones
};

enum LearntFlag : uint32_t {
  kLearntSeen = 1u << 0,    // it ran
  kLearntShared = 1u << 1,  // on memory that two threads touched
};
struct LearntSite {
  uint64_t anchor;
  uint32_t flags;  // LearntFlag
  uint32_t reserved;
};
static_assert(sizeof(LearntSite) == 16);

inline constexpr size_t kGuardSitesOffset = 16384;
static_assert(sizeof(GuardBoard) <= kGuardSitesOffset);
inline constexpr size_t kGuardPairsOffset =
    kGuardSitesOffset + (kMaxGuardSites + 1) * sizeof(LearntSite);
inline constexpr size_t kLearnBoardBytes =
    kGuardPairsOffset + kMaxGuardPairs * sizeof(uint64_t);

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_GUARD_BOARD_H_
