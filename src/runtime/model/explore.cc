#include "runtime/model/explore.h"

// The runtime has no annotations of its own: the table's layout is enough.
#define FAIRLEAD_DISABLE
#include <fairlead/detail/table.h>

#include "runtime/emit/digest.h"
#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stall.h"
#include "runtime/model/threads.h"
#include "runtime/start.h"
#include "runtime/sys/check.h"

namespace fairlead::rt {
namespace {

// When neither the program nor the plan says: a tenth of a second of a short
// test.
constexpr uint64_t kDefaultIterations = 10'000;

// Where the first iteration of the call under way began.
struct Beginning {
  size_t num_threads;
  uint32_t count;
  uint16_t num_children;
};
Beginning beginning;
bool failed = false;

uint64_t Iterations(const fairlead_exploration& exploration) {
  const uint64_t planned = control_page()->plan.explore_iterations;
  const uint64_t asked = exploration.iterations;
  if (planned == 0) return asked == 0 ? kDefaultIterations : asked;
  return asked == 0 || asked > planned ? planned : asked;
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
  const uint64_t call = ++page.outcome.explore_call;
  beginning = {gate().num_threads(), thread.count, thread.num_children};
  if (PlanAsks(abi::kPlanExplore)) return true;
  if (call == page.plan.explore_call) {
    page.outcome.explore_seed = page.plan.explore_seed;
    gate().Restart(thread, gate().num_threads(),
                   RestartStrategy(page.plan.explore_seed));
  }
  return false;
}

void Restart(Thread& thread, uint64_t iteration) {
  abi::ControlPage& page = *control_page();
  const uint64_t seed =
      Fold(Fold(page.plan.seed, page.outcome.explore_call), iteration);
  page.outcome.explore_seed = seed;
  RecycleThreads(beginning.num_threads);
  gate().Restart(thread, beginning.num_threads, RestartStrategy(seed));
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
  if (!PlanAsks(abi::kPlanExplore) || exploration.failed != 0 || failed ||
      control_page()->outcome.misuse != abi::Misuse::kNone ||
      iteration >= Iterations(exploration) || !IsAlone(exploration)) {
    return false;
  }
  ++control_page()->outcome.explored;
  Restart(thread, iteration);
  return true;
}

void FailIteration(Thread& thread, const fairlead_exploration& exploration,
                   const char* why) {
  failed = true;
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.misuse != abi::Misuse::kNone) return;  // the first one counts
  outcome.misuse = abi::Misuse::kAlwaysBroken;
  Text text = OutcomeText();
  text.Put("assertion: ").Put(NameOf(exploration)).Put(" failed in ");
  PutThreadName(text, thread);
  if (why != nullptr) text.Put(": ").Put(why);
}

}  // namespace fairlead::rt
