// abi/control.h
//
// The control page: one shared memory file between the tool and one execution.
// The tool creates it (memfd), lays it out, writes the plan, and starts the
// program with `FAIRLEAD_CONTROL=<fd>` and the runtime in LD_PRELOAD. The
// runtime maps it, follows the plan, and leaves events and an outcome.
//
//   ControlPage            header, plan, outcome, cursors of the ring
//   regions (kPageBytes aligned, found through ControlPage::regions):
//     ring          Event[]         power of two; the only thing streamed
//     nodes         NodeRecord[]    interned call tree; entry 0 = the root
//     callers       CallerRecord[]  call addresses of code without sites
//     modules       ModuleEntry[]   every loaded object, in order of loading
//     threads       ThreadEntry[]   by thread number
//     idle sites    uint64_t[]      ids to leave idle, ascending (tool)
//     choices in    ChoiceRecord[]  the schedule to follow (tool)
//     inputs in     InputRecord[]
//     payload in    bytes
//     choices out   ChoiceRecord[]  the schedule that happened
//     inputs out    InputRecord[]
//     payload out   bytes
//     weights in    WeightRecord[]  by thread number, for `surw` (tool)
//     features      uint64_t[]      bits: behaviours that came up
//                                   (kPlanFeatures)
//     counts        OperationCount[]  by thread number (kPlanFeatures)
//     points out    SeenRecord[]    choices with all candidates (kPlanPoints)
//     target        TargetRecord[]  what the director is to force (tool)
//     ordered sites uint64_t[]      ids that are told and no points, ascending
//                                   (tool)
//     stacks        StackRecord[]   of the threads, when something failed
//     stack bytes   bytes           their innermost parts
//     claims        ClaimRecord[]   what must hold or be reached some time
//
// Everything in a table is written before its `used` count, which is published
// with a release store; whoever reads an event that names an entry may read the
// entry. Each side treats what the other wrote as untrusted.
//
// Site indices. `Event::site` with kFlagInstrumented is an index into the site
// tables of all modules, laid end to end in the order of `modules`, from 1:
// module m holds first_site <= i < first_site + num_sites, and record i is the
// (i - first_site)-th of its units (abi/site.h), to be read out of the file
// `path`. Without the flag it is an index into `callers` (0 = unknown).
// Function indices (kEnter, kLeave) work alike.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_CONTROL_H_
#define FAIRLEAD_ABI_CONTROL_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"
#include "abi/ids.h"
#include "abi/schedule.h"
#include "abi/target.h"

namespace fairlead::abi {

// History (newest first; tool and runtime must agree exactly, as both come from
// one build):
//   5  policies of time-outs and signals; early time-outs; forced yields.
//   4  stacks, claims; in-process repetition in several executions; ready.
//   3  ordered sites; the debugger's flag; where uncontrolled things come from.
//   2  weights in, features, counts, points out.
//   1  first layout.
inline constexpr uint32_t kControlVersion = 5;
inline constexpr uint64_t kControlMagic = 0x314c5254434c4146;  // "FALCTRL1"
inline constexpr char kControlVariable[] = "FAIRLEAD_CONTROL";
inline constexpr size_t kPageBytes = 4096;
inline constexpr size_t kCacheLineBytes = 64;

enum class RegionId : uint32_t {
  kRing,
  kNodes,
  kCallers,
  kModules,
  kThreads,
  kIdleSites,
  kChoicesIn,
  kInputsIn,
  kPayloadIn,
  kChoicesOut,
  kInputsOut,
  kPayloadOut,
  kWeightsIn,
  kFeatures,
  kCounts,
  kPointsOut,
  kTarget,
  kOrderedSites,
  kStacks,
  kStackBytes,
  kClaims,
};
inline constexpr size_t kNumRegions = 21;

struct Region {
  uint64_t offset;    // bytes from the start of the page
  uint64_t capacity;  // entries
  uint64_t used;      // entries written; release store, acquire load
};

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

enum class CarrierId : uint32_t { kFiber = 0, kThread = 1 };

enum PlanFlag : uint64_t {
  kPlanTrace = 1u << 0,          // stream events
  kPlanSpurious = 1u << 1,       // condvar waits may wake up by choice
  kPlanAllPoints = 1u << 2,      // ignore the idle sites
  kPlanFollow = 1u << 3,         // follow `choices in` and `inputs in`;
                                 // leaving them is a divergence
  kPlanPrefix = 1u << 4,         // follow them to their end, then go on with
                                 // the strategy
  kPlanRecord = 1u << 5,         // write `choices out` and `inputs out`
  kPlanFrames = 1u << 6,         // function enter and exit events
  kPlanQuiet = 1u << 7,          // no lines of ours on standard error
  kPlanNoDispatch = 1u << 8,     // without syscall user dispatch: libc's
                                 // functions are all that is caught
  kPlanFeatures = 1u << 9,       // fill `features` and `counts`
  kPlanPoints = 1u << 10,        // fill `points out`
  kPlanDebugger = 1u << 11,      // somebody looks on: no limits of time, and
                                 // kernel threads bear the names of threads
  kPlanNoDigest = 1u << 12,      // leave `event_digest` out
  kPlanFreePoints = 1u << 13,    // a free that instrumented code calls is a
                                 // point
  kPlanServe = 1u << 16,         // stand at main and fork a child for each
                                 // execution that the tool orders (Server)
  kPlanServeAtStart = 1u << 17,  // with kPlanServe: ahead of constructors
  kPlanExplore = 1u << 18,       // fairlead::explore() repeats its closure
  kPlanDriven = 1u << 19,        // a server that the tool ends by SIGTERM: it
                                 // comes as an input, whatever the program does
  // Which time-outs may pass by choice while others could go on: none of the
  // three is kPlanEarlyAny, as in schedules that say nothing of it.
  kPlanEarlyNever = 1u << 20,
  kPlanEarlyShort = 1u << 21,  // of up to kShortTimeoutNs
  kPlanEarlyAny = 1u << 22,
  // A signal that is pending when a thread makes a system call is delivered
  // before that call is over, as the kernel does it. Without it: some time.
  kPlanSignalsAtCalls = 1u << 23,
  // With kPlanEarlyShort: sleeps of up to kShortSleepNs may pass, longer ones
  // not. Without it all sleeps may, as in schedules that say nothing of it.
  kPlanEarlySleepsShort = 1u << 24,
};
inline constexpr uint64_t kShortTimeoutNs = 1'000'000'000;
// Longer than a time-out's: orders are often hidden by a sleep of some seconds,
// and only who sleeps for long relies on others being done by then.
inline constexpr uint64_t kShortSleepNs = 10'000'000'000;
inline constexpr uint64_t kPlanEarly =
    kPlanEarlyNever | kPlanEarlyShort | kPlanEarlyAny;
// What --early-timeouts short means, and plans that say nothing.
inline constexpr uint64_t kPlanEarlyByDefault =
    kPlanEarlyShort | kPlanEarlySleepsShort;

struct Plan {
  uint64_t program_dev;  // of the executable that this plan is for; the
  uint64_t program_ino;  // runtime is inert in every other one
  uint64_t flags;        // PlanFlag
  uint32_t strategy;     // sched::StrategyId
  CarrierId carrier;
  uint64_t seed;
  uint64_t params[8];  // meaning by strategy
  uint64_t max_steps;  // choices and forced switches; 0 = no limit
  uint64_t max_ns;     // wall time; 0 = no limit
  // Points in a row, of every enabled thread together, that may pass while all
  // of them repeat themselves and nothing changes; then it is a livelock. 0 =
  // the runtime's default.
  uint64_t livelock_points;
  uint64_t heap_bytes;  // address space of the allocator; 0 = default
  // In-process repetition. With kPlanExplore: how often a closure is run at
  // most; 0 = as the program asks. Without it each closure runs once, and the
  // one of the `explore_call`-th call begins with a strategy of seed
  // `explore_seed`.
  uint64_t explore_iterations;
  uint64_t explore_done;  // of each call, in earlier executions
  uint64_t explore_call;
  uint64_t explore_seed;
  uint32_t reader_pid;  // who drains the ring; if it dies, the program ends
  // Bits by EventGroup: kinds that are not recorded. Of frames, requests and
  // marks only, since nothing of a schedule or an order hangs on them.
  uint32_t left_out;
};

enum class Status : uint32_t {
  kNotStarted,  // the runtime has not seen this page
  kRunning,     // if the process is gone: killed from outside
  kEnded,       // exit_code
  kSignaled,    // died by `signal`
  kDeadlock,
  kLivelock,
  kMisuse,  // ended because of a misuse that the real function would not
            // survive
  kCut,     // cut_reason
  kDivergence,
  kUnsupported,  // the program does what the runtime cannot carry; see text
  kInternal,     // our bug; see text
  kReplaced,     // became another program by exec; the process tells how that
                 // one ended
};

// What the program did that no schedule controls.
enum class Uncontrolled : uint32_t {
  kForeignThread,  // created by clone, not by pthread_create
  kProcessShared,  // a primitive shared with other processes
  kForkedChild,
  kBlockingCall,  // waited in the kernel without our knowing
  kLateModule,    // an object opened without its constructor telling us
  kRingWait,      // the program waited for the reader
  kExec,          // the process became another program
  kSeccomp,       // a filter of system calls, which holds for ours as well
  kUring,         // io_uring: the kernel works beside the threads
  kChildProgram,  // a child became another program or made threads, or may have
  kPtrace,        // one process steers another
  kUserfault,     // page faults handled by threads: refused
};
inline constexpr size_t kNumUncontrolled = 16;

// Annotations that nothing judges by yet, though most of them are recorded in
// traces; whoever runs a program that calls them hears so.
enum class Unheeded : uint32_t {
  kRequestBegin,
  kRequestEnd,
  kStateAdd,
  kStateRemove,
  kStateAppend,
  kStateClear,
  kSetAdd,
  kUnitBegin,
  kUnitEnd,
  kGuardAddress,
  kSession,
  kRequestEndStatus,
  kComponent,
  kStatePut,
  kStateSet,
  kStateWalk,
  kUnitBeginOn,
  kUnitOfWork,  // from here on macros: what the program's tables have
  kGuardThisFunc,
};
inline constexpr const char* kUnheededNames[] = {
    "fairlead_request_begin",  "fairlead_request_end",
    "fairlead_state_add",      "fairlead_state_remove",
    "fairlead_state_append",   "fairlead_state_clear",
    "fairlead_atomic_set_add", "fairlead_unit_begin",
    "fairlead_unit_end",       "fairlead_guard_address",
    "fairlead_session",        "fairlead_request_end_status",
    "fairlead_component",      "fairlead_state_put",
    "fairlead_state_set",      "fairlead_state_walk",
    "fairlead_unit_begin_on",  "FAIRLEAD_UNIT_OF_WORK",
    "FAIRLEAD_GUARD_THIS_FUNC"};

// Where a followed schedule and the execution parted.
struct Divergence {
  uint64_t choice;  // index of the record that could not be followed
  uint64_t event;   // events emitted so far
  ChoiceRecord wanted;
  ChoiceRecord found;  // `next` = Tid::kNone when `wanted.next` is not enabled
};

// A thread that was still there when the execution stopped, and what it waited
// for. All threads when the status is kDeadlock or kLivelock.
struct WaitRecord {
  Tid thread;
  Tid holder;  // who would have to act; Tid::kNone = nobody known
  EventKind op;
  uint8_t in_cycle;  // 1 = part of the cycle
  uint16_t reserved;
  uint32_t site;        // as Event::site
  uint32_t site_flags;  // kFlagInstrumented or 0
  uint32_t node;
  uint32_t word;    // of a futex: what is in it; else 0
  uint64_t object;  // its address; of a sigwait, a bit for each signal, from 1
};
static_assert(sizeof(WaitRecord) == 32);
inline constexpr size_t kMaxWaits = 64;

// Where the first misuse was seen; meaningful unless Outcome::misuse is kNone.
struct MisuseRecord {
  uint64_t object;
  uint32_t site;  // as Event::site
  uint32_t node;
  uint16_t site_flags;  // kFlagInstrumented or 0
  Tid thread;
  uint32_t reserved;
};
static_assert(sizeof(MisuseRecord) == 24);

// Why a program aborted itself, as far as it said so to a hook of ours.
enum class AbortCause : uint32_t {
  kUnknown,
  kAssertion,  // assert(): `cause` is "assertion <text> failed at <place>"
  kUncaught,   // `cause` is the mangled name of the exception's type
};
inline constexpr size_t kCauseBytes = 512;
inline constexpr size_t kTextBytes = 4096;

inline constexpr uint64_t kUnknownCall = ~uint64_t{0};

struct Outcome {
  Status status;  // stored last, with release
  int32_t exit_code;
  int32_t signal;
  int32_t signal_code;  // si_code
  CutReason cut_reason;
  Misuse misuse;  // the first one seen; kNone = none
  Tid thread;     // that ended the execution
  uint16_t num_threads;
  CarrierId carrier;  // the one used: differs from the plan after a fall-back
  uint64_t fault_address;
  uint64_t fault_pc;
  uint32_t site;        // where `thread` stood, as Event::site
  uint32_t site_flags;  // kFlagInstrumented or 0
  uint64_t node;
  uint64_t steps;         // choices and forced switches
  uint64_t points;        // all comings to the gate
  uint64_t events;        // emitted, extensions not counted
  uint64_t event_digest;  // 0 under kPlanNoDigest
  uint64_t schedule_digest;
  uint64_t point_set_digest;  // over the ids of the sites that were points
  uint64_t schedule_lost;     // records that found no room
  uint64_t explored;          // closures run by fairlead::explore(), all calls
  // The call of explore() that failed, or is under way, or last over, from 1;
  // 0 = none. And the seed of its closure that failed, runs, or ran last.
  uint64_t explore_call;
  uint64_t explore_seed;
  uint64_t explore_steps;  // of the longest closure
  uint64_t explore_more;   // calls that would have run their closure again
  // Time-outs, and sleeps of more than kShortTimeoutNs, that passed by choice
  // while others could go on, and of the longest of them: how long it was,
  // whether it was a sleep (1) or not (0), and where.
  uint64_t early_waits;
  uint64_t early_ns;
  uint64_t early_is_sleep;
  uint32_t early_site;  // as Event::site
  uint32_t early_site_flags;
  uint64_t forced_yields;  // by processor time: no replay has them exactly
  uint64_t uncontrolled[kNumUncontrolled];  // by Uncontrolled
  uint64_t foreign_pc;    // behind the call that made the first kForeignThread
  uint64_t blocked_pc;    // where the first kBlockingCall was made, and
  uint64_t blocked_call;  // its number, or kUnknownCall
  Divergence divergence;
  // 1 = a server can be asked: it listens, or has said so. Read while it runs.
  uint32_t ready;
  uint32_t unheeded;   // bits by Unheeded: called, and without effect
  uint32_t num_waits;  // in `waits`; more threads may have waited
  AbortCause abort_cause;
  MisuseRecord misused;
  WaitRecord waits[kMaxWaits];
  // See AbortCause; the message of a broken fairlead_always(). Zero-terminated.
  char cause[kCauseBytes];
  char message[kCauseBytes];  // what() of an uncaught exception; "" = unknown
  char text[kTextBytes];      // one paragraph in plain words, zero-terminated
};

// Indices count records since the start and are taken modulo the capacity.
struct RingCursors {
  // Records below `head` may be read. Stored by the program with release, every
  // 64 events, whenever it waits, and at its end. A sleeping reader is woken
  // only after every eighth of the ring, when the program waits for it, and at
  // the end: so it must sleep with a time-out of a few milliseconds.
  alignas(kCacheLineBytes) uint64_t head;
  // 1 = the reader sleeps on the low half of `head` (futex) and wants a wake.
  uint32_t reader_sleeps;
  // Records below `tail` may be overwritten. Stored by the reader with release.
  alignas(kCacheLineBytes) uint64_t tail;
  // 1 = the program sleeps on the low half of `tail` (futex).
  uint32_t writer_sleeps;
};

enum class ServerState : uint32_t {
  kNone,      // not there yet, or no fork server at all
  kStanding,  // waits for orders
  kUnable,    // cannot fork where it was to stand; outcome.text says why
};

// A fork server (PlanFlag::kPlanServe) and the tool. The tool writes plan,
// `in` regions and cursors while nothing runs, then adds one to `command`; the
// server resets the tables and the outcome to what they were where it stands,
// forks, waits for the child, ends what is left of its process group, and
// stores `done`. docs/design/fork-server.md has the whole story.
struct Server {
  alignas(kCacheLineBytes) uint32_t command;  // by the tool; futex
  uint32_t idle_version;  // by the tool; another number = other idle sites
  alignas(
      kCacheLineBytes) uint32_t done;  // the command last carried out; futex
  ServerState state;
  int32_t server;        // process id
  int32_t child;         // process id while there is one, else 0
  int32_t wait_status;   // of the last child, as of waitpid; -errno = no child
  uint32_t page_faults;  // of the last child, without access to the disk
};

struct ControlPage {
  uint64_t magic;
  uint32_t version;
  uint32_t header_bytes;  // sizeof(ControlPage)
  uint64_t total_bytes;
  Region regions[kNumRegions];
  RingCursors cursors;
  Server server;
  Plan plan;
  Outcome outcome;

  const Region& region(RegionId id) const {
    return regions[static_cast<size_t>(id)];
  }
  Region& region(RegionId id) { return regions[static_cast<size_t>(id)]; }
  template <typename T>
  T* entries(RegionId id) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(this) +
                                region(id).offset);
  }
};

// Bytes of one entry of a region.
constexpr size_t EntryBytes(RegionId id) {
  switch (id) {
    case RegionId::kRing:
      return sizeof(Event);
    case RegionId::kNodes:
      return sizeof(NodeRecord);
    case RegionId::kCallers:
      return sizeof(CallerRecord);
    case RegionId::kModules:
      return sizeof(ModuleEntry);
    case RegionId::kThreads:
      return sizeof(ThreadEntry);
    case RegionId::kIdleSites:
    case RegionId::kOrderedSites:
      return sizeof(uint64_t);
    case RegionId::kChoicesIn:
    case RegionId::kChoicesOut:
      return sizeof(ChoiceRecord);
    case RegionId::kInputsIn:
    case RegionId::kInputsOut:
      return sizeof(InputRecord);
    case RegionId::kPayloadIn:
    case RegionId::kPayloadOut:
      return 1;
    case RegionId::kWeightsIn:
      return sizeof(WeightRecord);
    case RegionId::kFeatures:
      return sizeof(uint64_t);
    case RegionId::kCounts:
      return sizeof(OperationCount);
    case RegionId::kPointsOut:
      return sizeof(SeenRecord);
    case RegionId::kTarget:
      return sizeof(TargetRecord);
    case RegionId::kStacks:
      return sizeof(StackRecord);
    case RegionId::kStackBytes:
      return 1;
    case RegionId::kClaims:
      return sizeof(ClaimRecord);
  }
  return 0;
}

// Fills `regions`, `header_bytes` and `total_bytes` from the capacities that
// the caller has put into `regions`; returns total_bytes. Untouched pages of a
// memfd cost nothing, so be generous.
constexpr uint64_t LayOut(ControlPage& page) {
  uint64_t offset = sizeof(ControlPage);
  for (size_t i = 0; i < kNumRegions; ++i) {
    offset = (offset + kPageBytes - 1) / kPageBytes * kPageBytes;
    page.regions[i].offset = offset;
    page.regions[i].used = 0;
    offset += page.regions[i].capacity * EntryBytes(static_cast<RegionId>(i));
  }
  page.header_bytes = sizeof(ControlPage);
  page.total_bytes = (offset + kPageBytes - 1) / kPageBytes * kPageBytes;
  return page.total_bytes;
}

// Capacities that suit most programs, in the order of RegionId: a ring of 2 MB,
// which stays in the last-level cache; tables for large programs; a schedule of
// a million switches.
inline constexpr uint64_t kDefaultCapacity[kNumRegions] = {
    1u << 16,    1u << 20,
    1u << 16,    512,
    kMaxThreads, 0,
    0,           0,
    0,           1u << 20,
    1u << 16,    1u << 24,
    0,           kFeatureWords,
    kMaxThreads, 1u << 20,
    0,           0,
    kMaxStacks,  1u << 21,
    1u << 10,
};

// Exit code of a process that the runtime ended itself (deadlock, livelock,
// cut, divergence): the outcome says why.
inline constexpr int kStoppedExitCode = 125;
inline constexpr int kInternalExitCode = 70;

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_CONTROL_H_
