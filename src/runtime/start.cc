// runtime/start.cc
//
// Where the runtime begins: as the first constructor of the process (the
// library is linked with -z initfirst), before any code of the program. Finds
// the control page, takes its variables out of the environment, and puts the
// calling thread under control as `main`.

#include "runtime/start.h"

#include <dlfcn.h>
#include <sys/single_threaded.h>

#include "runtime/alloc/heap.h"
#include "runtime/carrier/carriers.h"
#include "runtime/carrier/stacks.h"
#include "runtime/carrier/tls.h"
#include "runtime/company/openmp.h"
#include "runtime/company/sanitizer.h"
#include "runtime/emit/emitter.h"
#include "runtime/emit/features.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/execution.h"
#include "runtime/fork_server.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/insight.h"
#include "runtime/intercept/arrivals.h"
#include "runtime/intercept/blocked.h"
#include "runtime/intercept/ends.h"
#include "runtime/intercept/faults.h"
#include "runtime/intercept/fork.h"
#include "runtime/intercept/hook.h"
#include "runtime/intercept/real.h"
#include "runtime/model/regions.h"
#include "runtime/model/signals.h"
#include "runtime/model/thread_settings.h"
#include "runtime/model/threads.h"
#include "runtime/outside/dispatch.h"
#include "runtime/outside/inputs.h"
#include "runtime/outside/processor.h"
#include "runtime/outside/vdso.h"
#include "runtime/sites/modules.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/check.h"
#include "sched/factory.h"

namespace fairlead::rt {

constinit thread_local Thread* tls_self = nullptr;
constinit thread_local bool tls_known = false;

namespace {

sched::StrategyStorage strategy_storage;
sched::ExecutionPlan execution_plan;
sched::StrategyId chosen_strategy;

sched::Strategy& BeginStrategy() {
  sched::Strategy* strategy = strategy_storage.Make(chosen_strategy);
  RT_CHECK(strategy != nullptr);
  strategy->Begin(execution_plan);
  return *strategy;
}

}  // namespace

sched::Strategy& MakeStrategy(abi::ControlPage& page) {
  const abi::Plan& plan = page.plan;
  auto id = static_cast<sched::StrategyId>(plan.strategy);
  execution_plan.seed = plan.seed;
  execution_plan.following = &gate().following();
  static_assert(sizeof(execution_plan.params) == sizeof(plan.params));
  for (size_t i = 0; i < sched::kMaxParams; ++i) {
    execution_plan.params[i] = plan.params[i];
  }
  execution_plan.weights = {
      page.entries<abi::WeightRecord>(abi::RegionId::kWeightsIn),
      page.region(abi::RegionId::kWeightsIn).used};
  execution_plan.insight = &gate_insight();
  execution_plan.target =
      page.region(abi::RegionId::kTarget).used == 0
          ? nullptr
          : page.entries<abi::TargetRecord>(abi::RegionId::kTarget);
  if ((plan.flags & (abi::kPlanFollow | abi::kPlanPrefix)) != 0) {
    execution_plan.base = id;
    execution_plan.choices = {
        page.entries<abi::ChoiceRecord>(abi::RegionId::kChoicesIn),
        page.region(abi::RegionId::kChoicesIn).used};
    if ((plan.flags & abi::kPlanFollow) != 0) {
      id = sched::StrategyId::kReplay;
    } else if (id != sched::StrategyId::kSketch) {
      id = sched::StrategyId::kPrefix;
    }
  }
  chosen_strategy = id;
  return BeginStrategy();
}

sched::Strategy& RestartStrategy(uint64_t seed) {
  execution_plan.seed = seed;
  return BeginStrategy();
}

namespace {

// libc leaves out the locks of FILEs until it has made a thread itself.
void LockFiles() {
  auto enable =
      reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "_IO_enable_locks"));
  if (enable != nullptr) enable();
}

__attribute__((constructor)) void Start(int, char**, char** environment) {
  ResolveRealFunctions();
  if (!FindControlPage(environment)) return;
  tls_known = true;  // hooks that run from here on are main's
  abi::ControlPage& page = *control_page();
  // libstdc++ leaves out atomic operations while this is set.
  __libc_single_threaded = 0;
  PrepareHeap(page.plan.heap_bytes);
  PrepareStacks();
  page.outcome.carrier = ChooseCarrier(page.plan.carrier);
  EndRseq();
  Thread& main = AdoptMain();
  carrier().Adopt(main);
  schedule_writer().Begin(page);
  inputs().Begin(page);
  emitter().Begin(page);
  features().Begin(page);
  gate().Begin(main, MakeStrategy(page), carrier(), page);
  PrepareNodes();
  ListModules();
  DescribeThread(main);
  TellModules(main);
  TellTls(main);
  page.outcome.status = abi::Status::kRunning;
  MeetSanitizers(environment);
  ForgetOpenMpFile();
  WatchExit();
  WatchFork();
  PrepareSignals(main);
  PrepareArrivals();
  WatchFaults(page.plan.max_ns);
  ShowName(main);
  ServeIfAsked(ServerPlace::kStart);
  tls_self = &main;
  LockFiles();
  if (!PlanAsks(abi::kPlanNoDispatch) && PrepareDispatch()) {
    TurnVdsoIntoCalls();
    TurnDispatchOn();
    TrapProcessor();
  } else {
    WatchBlocked(page.plan.max_ns);
  }
}

}  // namespace
}  // namespace fairlead::rt

// Called when an abstract method is; none is, but the compiler names it.
extern "C" __attribute__((visibility("hidden"))) void __cxa_pure_virtual() {
  RT_CHECK(false);
}
