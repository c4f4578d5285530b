// abi/tables.h
//
// The entries of the tables in the control page (abi/regions.inc) that have no
// header of their own.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_TABLES_H_
#define FAIRLEAD_ABI_TABLES_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"
#include "abi/ids.h"

namespace fairlead::abi {

struct NodeRecord {
  uint32_t parent;  // node; smaller than its own number
  uint32_t site;    // index of the call site; 0 in the root
  uint64_t hash;    // over the ids of the call sites from the root to here
};
static_assert(sizeof(NodeRecord) == 16);

struct CallerRecord {
  uint32_t module;  // index into modules
  uint32_t reserved;
  uint64_t offset;  // of the call's return address from the module's base
  SiteId anchor;    // hash of the module's file name and `offset`
};
static_assert(sizeof(CallerRecord) == 24);

inline constexpr size_t kPathBytes = 512;
inline constexpr size_t kBuildIdBytes = 32;
inline constexpr size_t kNameBytes = 16;  // with the ending zero

enum ModuleFlag : uint32_t {
  kModuleInstrumented = 1u << 0,
  kModuleProgram = 1u << 1,   // the executable itself
  kModuleNewerAbi = 1u << 2,  // has sites that this runtime cannot read
  kModuleUnloaded = 1u << 3,
};

struct ModuleEntry {
  uint64_t base;   // load address minus address in the file
  uint64_t begin;  // first and one past the last mapped byte
  uint64_t end;
  uint32_t first_site;  // 0 when there are none
  uint32_t num_sites;
  uint32_t first_function;
  uint32_t num_functions;
  uint32_t flags;           // ModuleFlag
  uint32_t build_id_bytes;  // used of build_id; 0 = the file has none
  uint8_t build_id[kBuildIdBytes];
  char path[kPathBytes];  // zero-terminated; cut if longer
};

// How a thread stood when the execution ended.
enum class ThreadEnd : uint8_t {
  kUnknown,  // the execution left no outcome
  kCouldRun,
  kWaited,  // its operation was not possible
  kOver,    // it had ended
};

// Threads are named by creation path: `main` created its first thread `main/1`,
// which created `main/1/1`. Children are counted from 1.
struct ThreadEntry {
  Tid parent;        // Tid::kNone for main
  uint16_t ordinal;  // among the children of `parent`, from 1
  uint32_t points;   // how often it came to the gate
  uint64_t stack_begin;
  uint64_t stack_end;
  uint64_t tls_begin;  // static thread-local storage
  uint64_t tls_end;
  char name[kNameBytes];  // set by pthread_setname_np; "" = none
  // When the execution ended; written with the outcome.
  uint64_t object;      // that it was about to act on; 0 = none
  uint32_t site;        // where it stood, as Event::site
  uint32_t node;        // its calling context
  uint16_t site_flags;  // kFlagInstrumented or 0
  EventKind op;         // what it was about to do
  ThreadEnd end;
  uint32_t reserved;
};
static_assert(sizeof(ThreadEntry) == 80);

// What the strategy `surw` is told about a thread.
struct WeightRecord {
  uint32_t weight;  // operations of interest ahead of it and of all threads
                    // that it will create, directly or not
  Tid parent;       // who creates it; Tid::kNone = unknown or main
  uint16_t reserved;
};
static_assert(sizeof(WeightRecord) == 8);

// A request of the program, by the numbers that its annotation gives.
struct RequestRecord {
  uint64_t session;
  uint64_t request;
};
static_assert(sizeof(RequestRecord) == 16);

// The map of features: one bit for each behaviour, by a hash of what it is (a
// write and who reads it, a lock taken while another is held, a calling
// context). Hashes are over anchors, so a bit means the same in every execution
// of a program. Cleared when an execution begins.
inline constexpr size_t kFeatureWords = 1024;  // 64 Ki bits, two pages

// How often a thread came to the gate, by a hash of the place: bucket
// OperationBucket(anchor).
inline constexpr size_t kOperationBuckets = 16;
struct OperationCount {
  uint32_t by_bucket[kOperationBuckets];
};
constexpr size_t OperationBucket(SiteId anchor) {
  return (static_cast<uint64_t>(anchor) * 0x9e3779b97f4a7c15) >> 60;
}

// One candidate of a choice; the candidates of a choice follow each other.
struct SeenRecord {
  Tid thread;
  EventKind op;
  uint8_t flags;   // SeenFlag
  uint32_t count;  // how often the thread that arrived had come to the gate
  Tid running;     // who arrived
  uint16_t reserved;
  uint32_t way;  // of `running`, as in ChoiceRecord
  uint64_t object;
  SiteId site;  // where the thread that arrived stands
};
static_assert(sizeof(SeenRecord) == 32);
enum SeenFlag : uint8_t {
  kSeenLast = 1u << 0,      // of its choice
  kSeenChosen = 1u << 1,    // went on
  kSeenYielding = 1u << 2,  // who arrived cannot progress alone
  kSeenAside = 1u << 3,     // somebody has been set aside (sched/fairness.h),
                            // here or before
};

// A thread's stack when something failed, for the tool to unwind: registers by
// their DWARF numbers, and memory from the stack pointer upwards.
inline constexpr size_t kNumStackRegisters = 17;  // rax to r15, and rip
inline constexpr size_t kStackPointerRegister = 7;
inline constexpr size_t kCodeRegister = 16;
struct StackRecord {
  uint64_t registers[kNumStackRegisters];
  uint64_t offset;  // of its first byte in `stack bytes`
  uint32_t bytes;
  Tid thread;
  uint16_t reserved;
};
static_assert(sizeof(StackRecord) == 152);
inline constexpr size_t kMaxStacks = 64;

// Something that is to be so at least once in a campaign: fairlead_sometimes(),
// fairlead_reachable(). One for each message, from when it is first heard of.
inline constexpr size_t kClaimBytes = 116;
struct ClaimRecord {
  EventKind kind;  // kSometimes, kReachable
  uint8_t held;    // 1 = it was so
  uint16_t reserved;
  uint32_t site;              // where it was heard of, as Event::site
  uint32_t site_flags;        // kFlagInstrumented or 0
  char message[kClaimBytes];  // zero-terminated; cut if longer
};
static_assert(sizeof(ClaimRecord) == 128);

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_TABLES_H_
