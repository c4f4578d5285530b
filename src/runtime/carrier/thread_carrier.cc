#include "runtime/carrier/thread_carrier.h"

#include <pthread.h>

#include "runtime/carrier/context.h"
#include "runtime/carrier/stacks.h"
#include "runtime/carrier/tls.h"
#include "runtime/sys/check.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/real.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

void GiveTurn(Thread& to) {
  // Pairs with the acquire exchange in TakeTurn: everything that the giver did
  // happens before what the taker does.
  __atomic_store_n(&to.turn, 1, __ATOMIC_RELEASE);
  sys::FutexWake(&to.turn, 1, FUTEX_PRIVATE_FLAG);
}

void TakeTurn(Thread& self) {
  while (__atomic_exchange_n(&self.turn, 0, __ATOMIC_ACQUIRE) == 0) {
    sys::FutexWait(&self.turn, 0, nullptr, FUTEX_PRIVATE_FLAG);
  }
}

void* Launch(void* argument) {
  Thread* thread = static_cast<Thread*>(argument);
  TakeTurn(*thread);
  UseSignalStack(thread->stack->launch, kSignalStackBytes);
  tls_self = thread;
  tls_known = true;
  EndRseq();
  TurnDispatchOn();
  __fl_call_on_stack(thread, ThreadMain, thread->stack_top);
  return nullptr;
}

}  // namespace

void ThreadCarrier::Adopt(Thread& main) {
  main.handle = pthread_self();
  main.thread_pointer = reinterpret_cast<void*>(main.handle);
}

bool ThreadCarrier::Create(Thread& thread) {
  StackSlot& slot = *thread.stack;
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstack(&attr, slot.launch,
                        static_cast<size_t>(slot.end - slot.launch));
  const int error = [&] {
    Undispatched directly;
    return real().pthread_create(&thread.handle, &attr, Launch, &thread);
  }();
  pthread_attr_destroy(&attr);
  if (error != 0) return false;
  RT_CHECK_EQ(thread.handle, reinterpret_cast<pthread_t>(ControlBlock(slot)));
  thread.thread_pointer = reinterpret_cast<void*>(thread.handle);
  return true;
}

void ThreadCarrier::Switch(Thread& from, Thread& to) {
  GiveTurn(to);
  TakeTurn(from);
}

void ThreadCarrier::Leave(Thread&, Thread& to) {
  // What libc still does in this thread is not the program's doing.
  TurnDispatchOff();
  tls_self = nullptr;
  GiveTurn(to);
}

// The kernel says that a thread has left by its number in the block. Nothing is
// left to wait for in the join then, which gives libc's memory of the thread
// back.
void ThreadCarrier::Reclaim(Thread& thread) {
  if (int* number = WhereKernelTidIs(thread)) {
    while (const int left = __atomic_load_n(number, __ATOMIC_ACQUIRE)) {
      sys::FutexWait(number, static_cast<uint32_t>(left), nullptr, 0);
    }
  }
  real().pthread_join(thread.handle, nullptr);
}

}  // namespace fairlead::rt
