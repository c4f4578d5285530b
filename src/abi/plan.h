// abi/plan.h
//
// What the tool wants of one execution: how it is scheduled, what is streamed
// and recorded, when it is cut.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_PLAN_H_
#define FAIRLEAD_ABI_PLAN_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/ids.h"

namespace fairlead::abi {

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
  // Time passes with points, and who stands for long gets a turn. Without it:
  // time stands still while a thread can move, as in schedules that say nothing
  // of it.
  kPlanTimePasses = 1u << 25,
  // Fresh memory of the heap holds no zeros, and what is read of it before it
  // is set is a misuse. Never in the first execution, nor where outputs are
  // compared with it.
  kPlanFill = 1u << 26,
  // The use of a descriptor that the program has closed is a misuse. Not
  // otherwise: EBADF is an answer that many programs count on.
  kPlanClosedUse = 1u << 27,
  // What is freed while other threads live holds no addresses any more: code
  // without sites that goes on using it goes wrong at once.
  kPlanFillFreed = 1u << 28,
  // Function enter and exit events, but none of functions of libraries.
  kPlanOwnFrames = 1u << 29,
};
// What such memory holds, in every byte: no address that a pointer can have, a
// large number, and negative.
inline constexpr unsigned char kFreedByte = 0xdb;
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
  // Not 0: another date, and other random numbers, so that what differs by
  // these alone can be known.
  uint64_t other_world;
  uint32_t reader_pid;  // who drains the ring; if it dies, the program ends
  // Bits by EventGroup: kinds that are not recorded. Of frames, requests and
  // marks only, since nothing of a schedule or an order hangs on them.
  uint32_t left_out;
};

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_PLAN_H_
