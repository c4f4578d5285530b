#include "runtime/intercept/fork.h"

#include <pthread.h>

#include "runtime/execution.h"
#include "runtime/gate/thread.h"
#include "runtime/intercept/real.h"
#include "runtime/model/mutex.h"
#include "runtime/model/mutex_layout.h"
#include "runtime/model/objects.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

int own_pid = 0;

void LockForReal(Object& object, void* self) {
  if (object.kind != ObjectKind::kMutex) return;
  auto& mutex = static_cast<Mutex&>(object);
  if (mutex.owner != self) return;
  auto* real_mutex =
      static_cast<pthread_mutex_t*>(const_cast<void*>(mutex.address));
  // It carries our number for the thread; the child needs the kernel's.
  MutexLayout layout(real_mutex);
  layout.SetFree();
  layout.remove_user();
  for (uint32_t i = 0; i < mutex.depth; ++i) {
    real().pthread_mutex_trylock(real_mutex);
  }
}

void AheadOfFork() {
  if (tls_self != nullptr) CountUncontrolled(abi::Uncontrolled::kForkedChild);
}

// The first handler that was registered is the first that a child calls, so
// handlers of the program run without control already.
void InChild() {
  Thread* self = tls_self;
  if (self == nullptr) return;
  tls_self = nullptr;
  ForgetControlPage();
  ForEachObject(LockForReal, self);
}

}  // namespace

void WatchFork() {
  own_pid = sys::GetPid();
  pthread_atfork(AheadOfFork, nullptr, InChild);
}

bool InOwnProcess() { return sys::GetPid() == own_pid; }

}  // namespace fairlead::rt
