#include "runtime/model/thread_settings.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "runtime/carrier/tls.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/pids.h"
#include "runtime/model/threads.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"
#include "runtime/sys/syscall.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {
namespace {

Thread* FindLiving(pthread_t handle) {
  Thread* thread = FindThread(handle);
  if (thread == nullptr || thread->reclaimed) return nullptr;
  return thread;
}

// Whether the kernel has a thread behind the handle, which a debugger shows.
bool HasKernelThread(const Thread& thread) {
  if (thread.state == ThreadState::kEnded) return false;
  return thread.parent == nullptr ||
         control_page()->outcome.carrier == abi::CarrierId::kThread;
}

// What a debugger shows: `main/1`, or `main/1 worker` once the program has
// named it, as far as it fits.
class KernelName {
 public:
  explicit KernelName(const Thread& thread) {
    Text text(name_, sizeof(name_));
    PutThreadPath(text, thread);
    if (thread.name[0] != '\0') text.Put(' ').Put(thread.name);
  }
  const char* c_str() const { return name_; }

 private:
  char name_[kThreadNameBytes];
};

// The processors that the process may use.
size_t AvailableProcessors(cpu_set_t* set) {
  CPU_ZERO(set);
  const long bytes =
      sys::Call(SYS_sched_getaffinity, 0, sizeof(*set), sys::Arg(set));
  return sys::Failed(bytes) ? 0 : static_cast<size_t>(bytes);
}

bool IsRealTime(int policy) {
  return policy == SCHED_FIFO || policy == SCHED_RR;
}

}  // namespace

void InheritName(Thread& thread) {
  if (thread.parent != nullptr) {
    memcpy(thread.kernel_name, thread.parent->kernel_name, kThreadNameBytes);
  } else {
    sys::Call(SYS_prctl, PR_GET_NAME, sys::Arg(thread.kernel_name));
  }
}

void ShowName(const Thread& thread) {
  if (!PlanAsks(abi::kPlanDebugger) || !HasKernelThread(thread)) return;
  const KernelName name(thread);
  sys::Call(SYS_prctl, PR_SET_NAME, sys::Arg(name.c_str()));
}

int NumberOf(const Thread& thread) {
  return thread.parent == nullptr ? OwnPid() : ThreadNumber(thread);
}

int SetName(Thread& thread, pthread_t handle, const char* name,
            const Place& place) {
  Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  const size_t length = strnlen(name, kThreadNameBytes);
  if (length == kThreadNameBytes) return ERANGE;
  memset(target->name, 0, kThreadNameBytes);
  memcpy(target->name, name, length);
  memcpy(target->kernel_name, target->name, kThreadNameBytes);
  DescribeThread(*target);
  if (HasKernelThread(*target)) {
    const KernelName shown(*target);
    real().pthread_setname_np(
        handle, PlanAsks(abi::kPlanDebugger) ? shown.c_str() : name);
  }
  thread.place = place;
  emitter().Emit(thread, EventKind::kThreadName, 0, nullptr,
                 static_cast<uint64_t>(target->tid));
  return 0;
}

int GetName(pthread_t handle, char* buffer, size_t bytes) {
  const Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  if (bytes < kThreadNameBytes) return ERANGE;
  memcpy(buffer, target->kernel_name, kThreadNameBytes);
  return 0;
}

int GetAttributes(pthread_t handle, pthread_attr_t* attr) {
  const Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  pthread_attr_init(attr);
  pthread_attr_setdetachstate(attr, target->detached ? PTHREAD_CREATE_DETACHED
                                                     : PTHREAD_CREATE_JOINABLE);
  pthread_attr_setguardsize(attr, target->guard_bytes);
  return pthread_attr_setstack(
      attr, target->stack_limit,
      static_cast<size_t>(target->stack_top - target->stack_limit));
}

int SetAffinity(pthread_t handle, size_t bytes, const cpu_set_t* set) {
  Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  memcpy(&wanted, set, bytes < sizeof(wanted) ? bytes : sizeof(wanted));
  cpu_set_t available;
  AvailableProcessors(&available);
  CPU_AND(&wanted, &wanted, &available);
  if (CPU_COUNT(&wanted) == 0) return EINVAL;
  if (target->affinity == nullptr) target->affinity = ArenaNew<cpu_set_t>();
  *target->affinity = wanted;
  return 0;
}

int GetAffinity(pthread_t handle, size_t bytes, cpu_set_t* set) {
  const Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  cpu_set_t answer;
  if (bytes < AvailableProcessors(&answer)) return EINVAL;
  if (target->affinity != nullptr) answer = *target->affinity;
  memset(set, 0, bytes);
  memcpy(set, &answer, bytes < sizeof(answer) ? bytes : sizeof(answer));
  return 0;
}

int SetScheduling(pthread_t handle, int policy, const sched_param* param) {
  Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  if (policy < 0 || policy > SCHED_IDLE) return EINVAL;
  const int priority = param->sched_priority;
  if (priority < (IsRealTime(policy) ? 1 : 0) ||
      priority > (IsRealTime(policy) ? 99 : 0)) {
    return EINVAL;
  }
  target->policy = policy;
  target->priority = priority;
  return 0;
}

int GetScheduling(pthread_t handle, int* policy, sched_param* param) {
  const Thread* target = FindLiving(handle);
  if (target == nullptr) return ESRCH;
  *policy = target->policy;
  param->sched_priority = target->priority;
  return 0;
}

}  // namespace fairlead::rt
