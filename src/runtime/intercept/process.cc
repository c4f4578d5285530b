// runtime/intercept/process.cc
//
// How the process starts and ends: main runs on a stack of ours, and every way
// out leaves an outcome. The rules all hooks obey are in runtime/README.md.

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "runtime/carrier/context.h"
#include "runtime/carrier/stacks.h"
#include "runtime/company/sanitizer.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/gate/outcome.h"
#include "runtime/intercept/serve.h"
#include "runtime/model/regions.h"
#include "runtime/model/threads.h"
#include "runtime/model/unwind.h"
#include "runtime/outside/child_programs.h"
#include "runtime/outside/ends.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"
#include "runtime/sys/syscall.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

using Main = int (*)(int, char**, char**);

struct MainCall {
  StackMove* move;
  Main main;
  int argc;
  char** argv;
  char** envp;
  int result;
};

Main program_main = nullptr;

// Main has returned, and the process ends with it: until then, others go on.
void EndOfMain(Thread& thread) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  if (gate().num_live() > 1) {
    gate().Arrive(thread, {.op = EventKind::kExit, .object = nullptr},
                  thread.place);
  }
  DeliverBehind(thread);
}

void CallMain(void* argument) {
  auto* call = static_cast<MainCall*>(argument);
  call->result = call->main(call->argc, call->argv, call->envp);
  if (tls_self != nullptr) EndOfMain(*tls_self);
}

// Main may leave by pthread_exit, and the process goes on without it.
void RunMain(void* argument) {
  Thread* self = tls_self;
  StackMove* move = static_cast<MainCall*>(argument)->move;
  if (move != nullptr) move->Arrived();
  RunProgram(*self, CallMain, argument);
  if (self->leave.leaving) EndMain(*self);
  if (move != nullptr) move->Leaving();
}

// What the resource limit lets it have; where that is none, as much as nobody
// needs.
size_t MainStackBytes() {
  constexpr size_t kMost = size_t{256} << 20;
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return kDefaultStackBytes;
  return limit.rlim_cur < kMost ? limit.rlim_cur : kMost;
}

int MainOnOurStack(int argc, char** argv, char** envp) {
  MainCall call = {nullptr, program_main, argc, argv, envp, 0};
  Thread* self = tls_self;
  if (self == nullptr) {
    CallMain(&call);
    return call.result;
  }
  ServeIfAsked(ServerPlace::kMain);
  // Unless threads of constructors have been scheduled already.
  if (gate().num_live() == 1 && gate().steps() == 0) {
    emitter().BeginProgram();
    gate().BeginProgram(*self);
  }
  StackSlot* slot = TakeStack(MainStackBytes());
  if (slot == nullptr) {
    RunMain(&call);
    return call.result;
  }
  self->stack_top = slot->launch;
  self->stack_limit = slot->launch - slot->stack_bytes;
  DescribeThread(*self);
  TellStack(*self);
  StackMove move(self->stack_limit, slot->stack_bytes);
  call.move = &move;
  __fl_call_on_stack(&call, RunMain, slot->launch);
  return call.result;
}

}  // namespace

extern "C" FL_HOOK int __libc_start_main(Main main, int argc, char** argv,
                                         void (*init)(), void (*fini)(),
                                         void (*rtld_fini)(), void* stack_end) {
  using StartMain =
      int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto start =
      reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  program_main = main;
  return start(MainOnOurStack, argc, argv, init, fini, rtld_fini, stack_end);
}

namespace fairlead::rt {

void RecordExit(int code) {
  Thread* self = tls_self;
  if (self == nullptr || control_page() == nullptr || !InOwnProcess()) return;
  self->unflushed = 0;  // all frames have told their slot
  emitter().SettlePlace(*self);
  emitter().Emit(*self, EventKind::kExit, 0, nullptr,
                 static_cast<uint64_t>(code));
  NoteChildrenLeft();
  control_page()->outcome.exit_code = code;
  if (code != 0) TellDebugger("exit: the program ends with an exit code");
  RecordOutcome(abi::Status::kEnded, self);
  self->slot.inside = 1;  // what comes now belongs to libc
}

namespace {
int quick_code = 0;

void AtExit(int code, void*) { RecordExit(code); }
void AtQuickExit() { RecordExit(quick_code); }
}  // namespace

// Registered before all others, so called behind all of them.
void WatchExit() {
  on_exit(AtExit, nullptr);
  at_quick_exit(AtQuickExit);
}

void SetQuickExitCode(int code) { quick_code = code; }

}  // namespace fairlead::rt

extern "C" FL_HOOK void quick_exit(int code) {
  SetQuickExitCode(code);
  real().quick_exit(code);
}

extern "C" FL_HOOK void _exit(int code) {
  RecordExit(code);
  sys::ExitGroup(code);
}

extern "C" FL_HOOK void _Exit(int code) {
  RecordExit(code);
  sys::ExitGroup(code);
}
