#include "runtime/carrier/fiber_carrier.h"

#include <asm/prctl.h>
#include <errno.h>

#include "runtime/carrier/context.h"
#include "runtime/carrier/stacks.h"
#include "runtime/carrier/tls.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// Puts onto the stack what __fl_switch will find there: ThreadMain, or another
// `function`, begins with its stack pointer at stack_top.
void PrepareFirstSwitch(Thread& thread, void (*function)(void*)) {
  auto* saved = reinterpret_cast<SavedRegisters*>(thread.stack_top) - 1;
  *saved = {};
  asm volatile("stmxcsr %0" : "=m"(saved->mxcsr));
  asm volatile("fnstcw %0" : "=m"(saved->x87_control));
  saved->r12 = &thread;
  saved->r13 = reinterpret_cast<void*>(function);
  saved->resume = __fl_fiber_entry;
  thread.stack_pointer = saved;
}

// The kernel thread has one GS base, and each fiber its own. Few programs use
// it. Unsound: what sets it by `wrgsbase`, without the kernel, is not seen.
void PassGsBase(const Thread& from, const Thread& to) {
  if (from.gs_base == to.gs_base) [[likely]]
    return;
  sys::Call(SYS_arch_prctl, ARCH_SET_GS, to.gs_base);
}

// The fiber of the self-test: whether it has what a thread must have.
struct Trial {
  Thread fiber;
  Thread main;
  int* main_errno;
  const char* wrong;  // null = nothing
};
Trial* trial = nullptr;
constinit thread_local int trial_variable = 42;

void TryFiber(void*) {
  char* block = ControlBlock(*trial->fiber.stack);
  int* own_errno = &errno;
  if (reinterpret_cast<char*>(pthread_self()) != block ||
      tls_self != &trial->fiber) {
    trial->wrong = "a fiber does not see its own control block";
  } else if (own_errno == trial->main_errno || *own_errno != 0 ||
             trial_variable != 42) {
    trial->wrong = "a fiber does not have its own thread-local variables";
  }
  trial_variable = 7;
  __fl_switch(&trial->fiber.stack_pointer, trial->main.stack_pointer,
              trial->main.thread_pointer);
}

}  // namespace

const char* FiberCarrier::WhyNot() {
  const char* why = WhyNoTls();
  if (why != nullptr) return why;
  trial = ArenaNew<Trial>();
  Thread& fiber = trial->fiber;
  fiber.stack = TakeStack(kDefaultStackBytes);
  if (fiber.stack == nullptr) return "there is no room for a stack";
  fiber.stack_top = fiber.stack->launch;
  trial->main_errno = &errno;
  trial->main.thread_pointer = reinterpret_cast<void*>(pthread_self());
  trial_variable = 1;
  if (!Create(fiber)) return "there is no room for a control block";
  PrepareFirstSwitch(fiber, TryFiber);
  __fl_switch(&trial->main.stack_pointer, fiber.stack_pointer,
              fiber.thread_pointer);
  if (trial->wrong == nullptr && trial_variable != 1) {
    trial->wrong = "a fiber changes the main thread's variables";
  }
  Reclaim(fiber);
  GiveStackBack(fiber.stack);
  return trial->wrong;
}

void FiberCarrier::Adopt(Thread& main) {
  main.handle = pthread_self();
  main.thread_pointer = reinterpret_cast<void*>(main.handle);
}

bool FiberCarrier::Create(Thread& thread) {
  char* block = ControlBlock(*thread.stack);
  if (!MakeTls(thread, block)) return false;
  thread.thread_pointer = block;
  thread.handle = reinterpret_cast<pthread_t>(block);
  if (thread.parent != nullptr) thread.gs_base = thread.parent->gs_base;
  PrepareFirstSwitch(thread, ThreadMain);
  return true;
}

void FiberCarrier::Switch(Thread& from, Thread& to) {
  PassGsBase(from, to);
  __fl_switch(&from.stack_pointer, to.stack_pointer, to.thread_pointer);
}

void FiberCarrier::Leave(Thread& from, Thread& to) {
  PassGsBase(from, to);
  __fl_switch(&from.stack_pointer, to.stack_pointer, to.thread_pointer);
}

void FiberCarrier::Reclaim(Thread& thread) {
  ReleaseTls(ControlBlock(*thread.stack));
}

}  // namespace fairlead::rt
