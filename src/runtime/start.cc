// runtime/start.cc
//
// Where the runtime begins: as the first constructor of the process (the
// library is linked with -z initfirst), before any code of the program. Finds
// the control page, takes its variables out of the environment, and puts the
// calling thread under control as `main`.

#include <dlfcn.h>
#include <sys/single_threaded.h>

#include "runtime/alloc/heap.h"
#include "runtime/carrier/carriers.h"
#include "runtime/carrier/stacks.h"
#include "runtime/carrier/tls.h"
#include "runtime/company/openmp.h"
#include "runtime/emit/emitter.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/gate/inputs.h"
#include "runtime/gate/strategies.h"
#include "runtime/intercept/blocked.h"
#include "runtime/intercept/faults.h"
#include "runtime/intercept/sanitizer.h"
#include "runtime/intercept/serve.h"
#include "runtime/model/regions.h"
#include "runtime/model/signals.h"
#include "runtime/model/thread_settings.h"
#include "runtime/model/threads.h"
#include "runtime/outside/arrivals.h"
#include "runtime/outside/ends.h"
#include "runtime/outside/fork.h"
#include "runtime/outside/on_call.h"
#include "runtime/outside/processor.h"
#include "runtime/outside/vdso.h"
#include "runtime/sites/features.h"
#include "runtime/sites/modules.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/check.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"

namespace fairlead::rt {

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
  MeetSanitizers(environment, sanitizer_hooks);
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
  if (!PlanAsks(abi::kPlanNoDispatch) && PrepareDispatch(OnCall)) {
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
