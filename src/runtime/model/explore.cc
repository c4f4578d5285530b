#include "runtime/model/explore.h"

#include <time.h>

// The runtime has no annotations of its own: the table's layout is enough.
#define FAIRLEAD_DISABLE
#include <fairlead/detail/table.h>

#include "runtime/emit/digest.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stall.h"
#include "runtime/gate/strategies.h"
#include "runtime/model/misuse.h"
#include "runtime/model/threads.h"
#include "runtime/sys/check.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// When neither the program nor the plan says: a tenth of a second of a short
// test.
constexpr uint64_t kDefaultIterations = 10'000;

// The clock is looked at behind iterations whose number is a power of two or a
// multiple of this: the next look comes before twice the time has passed.
constexpr uint64_t kLookEvery = 64;

// Where the first iteration of the call under way began.
struct Beginning {
  size_t num_threads;
  uint32_t count;
  uint16_t num_children;
};
Beginning beginning;
bool failed = false;
uint64_t num_calls = 0;    // of explore(), so far
uint64_t began_ns = 0;     // when the first call of this process did
uint64_t deadline_ns = 0;  // of the call under way; 0 = none

// The program's own limit, as far as earlier executions have left it.
uint64_t LeftToRun(const fairlead_exploration& exploration) {
  const uint64_t done = control_page()->plan.explore_done;
  if (exploration.iterations == 0) return ~uint64_t{0};
  return exploration.iterations > done ? exploration.iterations - done : 1;
}

uint64_t Iterations(const fairlead_exploration& exploration) {
  const uint64_t planned = control_page()->plan.explore_iterations;
  const uint64_t asked = LeftToRun(exploration);
  if (planned == 0) {
    return exploration.iterations == 0 ? kDefaultIterations : asked;
  }
  return asked < planned ? asked : planned;
}

// By the real clock: iterations take real time.
uint64_t RealNow() {
  timespec now = {};
  sys::Call(SYS_clock_gettime, CLOCK_MONOTONIC, sys::Arg(&now));
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(now.tv_nsec);
}

// A call gets half of what is left of the execution's time limit, so that its
// end is never cut and later calls have their part.
void SetDeadline() {
  const uint64_t max_ns = control_page()->plan.max_ns;
  deadline_ns = 0;
  if (max_ns == 0) return;
  const uint64_t now = RealNow();
  if (began_ns == 0) began_ns = now;
  const uint64_t end = began_ns + max_ns;
  deadline_ns = now + (end > now ? (end - now) / 2 : 0);
}

bool IsOutOfTime(uint64_t iteration) {
  if (deadline_ns == 0) return false;
  const bool power = (iteration & (iteration - 1)) == 0;
  if (!power && iteration % kLookEvery != 0) return false;
  return RealNow() >= deadline_ns;
}

// What the iteration that is over leaves in the outcome.
void NoteIteration() {
  abi::Outcome& outcome = control_page()->outcome;
  if (gate().steps() > outcome.explore_steps) {
    outcome.explore_steps = gate().steps();
  }
}

const char* NameOf(const fairlead_exploration& exploration) {
  return exploration.name == nullptr ? "explore" : exploration.name;
}

// Whether all threads of the iteration before are gone; says so if not.
bool IsAlone(const fairlead_exploration& exploration) {
  if (gate().num_live() == 1) return true;
  char buffer[256];
  Text text(buffer, sizeof(buffer));
  text.Put(NameOf(exploration))
      .Put(exploration.done == 0
               ? ": other threads run already, so the closure runs once only"
               : ": the closure came back while threads of it still run, so it "
                 "is not run again; join them all in the closure");
  Log(buffer);
  return false;
}

bool BeginCall(Thread& thread) {
  abi::ControlPage& page = *control_page();
  const uint64_t call = ++num_calls;
  if (!failed) page.outcome.explore_call = call;
  beginning = {gate().num_threads(), thread.count, thread.num_children};
  if (PlanAsks(abi::kPlanExplore)) {
    SetDeadline();
    return true;
  }
  if (call == page.plan.explore_call) {
    if (!failed) page.outcome.explore_seed = page.plan.explore_seed;
    // A schedule that is followed goes on.
    gate().Restart(thread, gate().num_threads(),
                   PlanAsks(abi::kPlanFollow)
                       ? nullptr
                       : &RestartStrategy(page.plan.explore_seed));
  }
  return false;
}

void Restart(Thread& thread, uint64_t iteration) {
  abi::ControlPage& page = *control_page();
  const uint64_t seed = Fold(Fold(page.plan.seed, num_calls), iteration);
  if (!failed) page.outcome.explore_seed = seed;
  RecycleThreads(beginning.num_threads);
  gate().Restart(thread, beginning.num_threads, &RestartStrategy(seed));
  thread.count = beginning.count;
  thread.num_children = beginning.num_children;
}

}  // namespace

bool NextIteration(Thread& thread, fairlead_exploration& exploration) {
  const uint64_t iteration = exploration.done++;
  if (iteration == 0) {
    ++control_page()->outcome.explored;
    const bool alone = gate().num_live() == 1;
    if (!alone && PlanAsks(abi::kPlanExplore)) IsAlone(exploration);
    if (alone && BeginCall(thread)) Restart(thread, iteration);
    return true;
  }
  NoteIteration();
  abi::Outcome& outcome = control_page()->outcome;
  if (!PlanAsks(abi::kPlanExplore) || exploration.failed != 0 || failed ||
      outcome.misuse != abi::Misuse::kNone) {
    return false;
  }
  if (iteration >= Iterations(exploration) || IsOutOfTime(iteration) ||
      !IsAlone(exploration)) {
    if (LeftToRun(exploration) > iteration) ++outcome.explore_more;
    return false;
  }
  ++outcome.explored;
  Restart(thread, iteration);
  return true;
}

void FailIteration(Thread& thread, const fairlead_exploration& exploration,
                   const char* why) {
  failed = true;
  // The first one counts.
  if (!RecordMisuse(thread, abi::Misuse::kClosureFailed, nullptr)) return;
  abi::Outcome& outcome = control_page()->outcome;
  Text cause(outcome.cause, sizeof(outcome.cause));
  cause.Put(NameOf(exploration)).Put(" failed");
  if (why != nullptr) cause.Put(": ").Put(why);
  OutcomeText().Put("closure: ").Put(outcome.cause);
}

}  // namespace fairlead::rt
