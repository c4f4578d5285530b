// abi/outcome.h
//
// What an execution came to, as the runtime left it in the control page.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_OUTCOME_H_
#define FAIRLEAD_ABI_OUTCOME_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"
#include "abi/ids.h"
#include "abi/plan.h"
#include "abi/schedule.h"

namespace fairlead::abi {

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

// Exit code of a process that the runtime ended itself (deadlock, livelock,
// cut, divergence): the outcome says why.
inline constexpr int kStoppedExitCode = 125;
inline constexpr int kInternalExitCode = 70;

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_OUTCOME_H_
