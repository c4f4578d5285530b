#include "runtime/model/threads.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/alloc/own_calloc.h"
#include "runtime/carrier/carriers.h"
#include "runtime/carrier/stacks.h"
#include "runtime/carrier/tls.h"
#include "runtime/company/sanitizer.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/deliver.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/gate/stall.h"
#include "runtime/model/cancel.h"
#include "runtime/model/deadline.h"
#include "runtime/model/keys.h"
#include "runtime/model/misuse.h"
#include "runtime/model/mutex.h"
#include "runtime/model/regions.h"
#include "runtime/model/signals.h"
#include "runtime/model/thread_settings.h"
#include "runtime/model/unwind.h"
#include "runtime/sites/modules.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// Room below a thread's first frame for our own hooks, which run on the
// program's stacks; on top of what the program asked for.
constexpr size_t kOwnStackBytes = size_t{16} << 10;

// As glibc's, when a program sets no other.
constexpr size_t kDefaultGuardBytes = 4096;

// Threads that have ended and that nobody will join, with their stacks still
// to be taken back; the first to end first.
Thread* finished = nullptr;

// libc's own, for thread_local objects; null when it has none.
void (*run_tls_destructors)() = nullptr;

bool HasEnded(const Thread& thread) {
  return static_cast<const Thread*>(thread.intent.state)->state ==
         ThreadState::kEnded;
}
Tid Target(const Thread& thread) {
  return static_cast<const Thread*>(thread.intent.state)->tid;
}

// Whether the program, or a library of its, has a malloc of its own.
bool allocates_itself = false;

// Threads that are being made: they have a number, and are not the gate's yet.
uint32_t num_under_way = 0;

// Around what libc allocates and frees on behalf of a thread: that comes from
// the program's malloc, if it has one, whose locks another thread may hold. It
// is the program's code like any other, so hooks are in force there, and
// others run while it waits.
class LibcAllocates {
 public:
  LibcAllocates() : thread_(*gate().running()) {
    inside_ = thread_.slot.inside;
    if (allocates_itself && !HasAddressSanitizer()) thread_.slot.inside = 0;
  }
  ~LibcAllocates() { thread_.slot.inside = inside_; }
  LibcAllocates(const LibcAllocates&) = delete;
  LibcAllocates& operator=(const LibcAllocates&) = delete;

 private:
  Thread& thread_;
  uint8_t inside_;
};

void TakeBackStack(Thread& thread) {
  if (thread.reclaimed || thread.stack == nullptr) return;
  thread.reclaimed = true;
  {
    const LibcAllocates program;
    carrier().Reclaim(thread);
  }
  GiveStackBack(thread.stack);
}

void TakeBackFinished() {
  while (finished != nullptr) {
    Thread* thread = finished;
    finished = thread->next_finished;
    TakeBackStack(*thread);
  }
}

void AddFinished(Thread& thread) {
  Thread** link = &finished;
  while (*link != nullptr) link = &(*link)->next_finished;
  *link = &thread;
}

// Threads that may be used again.
Thread* spare = nullptr;

Thread& NewThread() {
  if (spare == nullptr) return *ArenaNew<Thread>();
  Thread* thread = spare;
  spare = thread->next_finished;
  return *new (thread) Thread();
}

// The size that the resource limit or pthread_setattr_default_np asks for, if
// it is more than ours.
size_t DefaultStackBytes() {
  size_t bytes = 0;
  pthread_attr_t attr;
  if (pthread_getattr_default_np(&attr) == 0) {
    pthread_attr_getstacksize(&attr, &bytes);
    pthread_attr_destroy(&attr);
  }
  return bytes > kDefaultStackBytes ? bytes : kDefaultStackBytes;
}

// Stack and detach state that `attr` asks for. False: no stack to be had.
bool Furnish(Thread& thread, const pthread_attr_t* attr) {
  size_t bytes = DefaultStackBytes();
  thread.guard_bytes = kDefaultGuardBytes;
  void* given = nullptr;
  size_t given_bytes = 0;
  if (attr != nullptr) {
    int detach = PTHREAD_CREATE_JOINABLE;
    pthread_attr_getdetachstate(attr, &detach);
    thread.detached = detach == PTHREAD_CREATE_DETACHED;
    pthread_attr_getstack(attr, &given, &given_bytes);
    if (given_bytes != 0) bytes = given_bytes;
    pthread_attr_getguardsize(attr, &thread.guard_bytes);
    // Without an address of its own, glibc reports one below the size.
    if (given == nullptr || given_bytes == 0 ||
        reinterpret_cast<uintptr_t>(given) + given_bytes == 0) {
      given = nullptr;
    }
  }
  thread.stack = TakeStack(bytes + kOwnStackBytes);
  if (thread.stack == nullptr) return false;
  thread.stack->thread = &thread;
  thread.stack_top = thread.stack->launch;
  thread.stack_limit = thread.stack_top - thread.stack->stack_bytes;
  if (given != nullptr) {
    thread.stack_limit = static_cast<char*>(given);
    thread.stack_top = reinterpret_cast<char*>(
        (reinterpret_cast<uintptr_t>(given) + given_bytes) & ~uintptr_t{15});
  }
  return true;
}

bool MakeCarried(Thread& thread) {
  const LibcAllocates program;
  ++num_under_way;
  const bool made = carrier().Create(thread);
  --num_under_way;
  return made;
}

void RunDestructors(Thread& thread) {
  {
    ProgramScope program(thread);
    if (run_tls_destructors != nullptr) run_tls_destructors();
  }
  RunKeyDestructors(thread);
}

// The last thread is gone: so is the process. Libc, which was not told that
// main has left by the system call, does not know: there is no exit(), and the
// process has the last thread's code (the first one's before Linux 5.17).
[[noreturn]] void EndProcess(Thread& thread) {
  ProgramScope program(thread);
  if (thread.leave.dropped) _exit(thread.leave.code);
  if (gate().thread(0).leave.dropped) _exit(0);
  exit(0);
}

// The thread's last steps, on its own stack.
void Finish(Thread& thread) {
  thread.unflushed = 0;
  thread.leave.leaving = true;
  thread.leave.due = false;
  if (!thread.leave.dropped) RunDestructors(thread);
  thread.ended_at = emitter().num_events();
  emitter().Emit(thread, EventKind::kEnd, 0, nullptr,
                 static_cast<uint64_t>(thread.tid));
  AbandonMutexes(thread);
  if (thread.detached) AddFinished(thread);
  if (gate().num_live() == 1) EndProcess(thread);
  gate().End(thread, thread.place);
}

// What a thread that begins is called by (abi/hooks.h): the routine, unless it
// is one of ours, or that of std::thread, which do nothing but call the
// program's.
uint64_t TargetOf(void* (*start)(void*)) {
  const auto target = reinterpret_cast<uint64_t>(start);
  const Module* module = FindModule(target);
  const Module* own = FindModule(reinterpret_cast<uint64_t>(&TargetOf));
  if (module == nullptr) return target;
  const bool known =
      module == own || strstr(module->entry->path, "/libstdc++.so") != nullptr;
  return known ? 0 : target;
}

void CallStart(void* argument) {
  auto* thread = static_cast<Thread*>(argument);
  thread->slot.target = TargetOf(thread->start);
  thread->result = thread->start(thread->argument);
  DeliverAtEnd(*thread);
}

// Why joining `target` can never succeed: an error, reported where POSIX leaves
// it undefined; or 0.
int JoinError(Thread& thread, const Thread& target) {
  if (target.detached) {
    ReportMisuse(thread, abi::Misuse::kJoinDetached, nullptr);
    return EINVAL;
  }
  if (&target == &thread) return EDEADLK;
  if (target.reclaimed) {
    ReportMisuse(thread, abi::Misuse::kJoinTwice, nullptr);
    return ESRCH;
  }
  if (target.joiner != nullptr) {
    ReportMisuse(thread, abi::Misuse::kJoinTwice, nullptr);
    return EINVAL;
  }
  return 0;
}

int FinishJoin(Thread& thread, Thread& target, void** result) {
  if (result != nullptr) *result = target.result;
  emitter().EmitWake(thread, EventKind::kWakeEnd, nullptr,
                     {&target, target.ended_at});
  emitter().Emit(thread, EventKind::kJoin, abi::kFlagPoint | abi::kFlagSuccess,
                 nullptr, static_cast<uint64_t>(target.tid));
  TakeBackStack(target);
  return 0;
}

}  // namespace

Thread& AdoptMain() {
  run_tls_destructors =
      reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "__call_tls_dtors"));
  allocates_itself = dlsym(RTLD_DEFAULT, "calloc") !=
                     reinterpret_cast<void*>(&__fl_own_calloc);
  Thread& main = *ArenaNew<Thread>();
  InheritName(main);
  return main;
}

void DescribeThread(const Thread& thread) {
  abi::ControlPage& page = *control_page();
  abi::Region& region = page.region(abi::RegionId::kThreads);
  const size_t index = abi::Index(thread.tid);
  if (index >= region.capacity) return;
  char* block = static_cast<char*>(thread.thread_pointer);
  abi::ThreadEntry& entry =
      page.entries<abi::ThreadEntry>(abi::RegionId::kThreads)[index];
  entry = {};
  entry.parent = thread.parent == nullptr ? Tid::kNone : thread.parent->tid;
  entry.ordinal = thread.ordinal;
  entry.points = thread.count;
  entry.stack_begin = reinterpret_cast<uint64_t>(thread.stack_limit);
  entry.stack_end = reinterpret_cast<uint64_t>(thread.stack_top);
  entry.tls_begin = reinterpret_cast<uint64_t>(TlsBegin(block));
  entry.tls_end = reinterpret_cast<uint64_t>(TlsEnd(block));
  memcpy(entry.name, thread.name, sizeof(entry.name));
  // Pairs with the tool's acquire load: the entry is whole.
  if (region.used <= index) {
    __atomic_store_n(&region.used, index + 1, __ATOMIC_RELEASE);
  }
}

void ThreadMain(void* argument) {
  auto* thread = static_cast<Thread*>(argument);
  BeginOnTls();
  thread->slot.inside = 1;
  ShowName(*thread);
  emitter().EmitWake(*thread, EventKind::kWakeCreate, nullptr,
                     {thread->parent, thread->created_at});
  emitter().Emit(*thread, EventKind::kBegin, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(thread->tid));
  TellStack(*thread);
  TellTls(*thread);
  RunProgram(*thread, CallStart, thread);
  Finish(*thread);
}

int CreateThread(Thread& thread, pthread_t* handle, const pthread_attr_t* attr,
                 void* (*start)(void*), void* argument, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFork, .object = nullptr}, place);
  if (gate().num_threads() + num_under_way >= abi::kMaxThreads) {
    StopCut(thread, abi::CutReason::kThreads);
  }
  TakeBackFinished();
  Thread& made = NewThread();
  if (!Furnish(made, attr)) return EAGAIN;
  made.serial = static_cast<uint32_t>(gate().num_threads()) + num_under_way;
  made.start = start;
  made.argument = argument;
  made.parent = &thread;
  InheritName(made);
  InheritSignals(made, thread, attr);
  made.launching = true;
  made.quiet = 1;
  if (!MakeCarried(made)) {
    GiveStackBack(made.stack);
    return EAGAIN;
  }
  made.ordinal = ++thread.num_children;
  gate().Add(made, place);
  DescribeThread(made);
  *handle = made.handle;
  made.created_at = emitter().num_events();
  emitter().Emit(thread, EventKind::kFork, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(made.tid));
  return 0;
}

void RecycleThreads(size_t first) {
  TakeBackFinished();
  for (size_t i = gate().num_threads(); i-- > first;) {
    Thread& thread = gate().thread(i);
    thread.next_finished = spare;
    spare = &thread;
  }
}

Thread* FindThread(pthread_t handle) {
  Thread& main = gate().thread(0);
  if (handle == main.handle) return &main;
  return ThreadOfHandle(handle);
}

int JoinThread(Thread& thread, pthread_t handle, void** result,
               uint64_t deadline_ns, const Place& place) {
  Thread* target = FindThread(handle);
  thread.place = place;
  if (target == nullptr) return ESRCH;
  const int error = JoinError(thread, *target);
  if (error != 0) return error;
  const Intent intent = {.op = EventKind::kJoin,
                         .object = target,
                         .ready = HasEnded,
                         .holder = Target,
                         .state = target,
                         .deadline_ns = deadline_ns};
  target->joiner = &thread;
  // A thread that has ended is joined even by one that is being cancelled.
  const Wake wake = target->state == ThreadState::kEnded
                        ? gate().Arrive(thread, intent, place)
                        : AwaitCancelable(thread, intent, place);
  if (wake == Wake::kReady) return FinishJoin(thread, *target, result);
  target->joiner = nullptr;
  if (wake == Wake::kCanceled) CancelSelf(thread);
  emitter().Emit(thread, EventKind::kJoin, abi::kFlagPoint | abi::kFlagTimedOut,
                 nullptr, static_cast<uint64_t>(target->tid));
  return ETIMEDOUT;
}

int TryJoinThread(Thread& thread, pthread_t handle, void** result,
                  const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kJoin, .object = nullptr}, place);
  Thread* target = FindThread(handle);
  if (target == nullptr) return ESRCH;
  if (target != &thread && !target->detached &&
      target->state != ThreadState::kEnded) {
    // Trying again and again is a spin.
    if (thread.spin.Saw(static_cast<uint64_t>(place.anchor), handle, 0)) {
      gate().Yielded(thread);
    }
    emitter().Emit(thread, EventKind::kJoin, abi::kFlagPoint, nullptr,
                   static_cast<uint64_t>(target->tid));
    return EBUSY;
  }
  const int error = JoinError(thread, *target);
  return error != 0 ? error : FinishJoin(thread, *target, result);
}

int DetachThread(Thread& thread, pthread_t handle, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDetach, .object = nullptr}, place);
  Thread* target = FindThread(handle);
  if (target == nullptr || target->reclaimed) return ESRCH;
  if (target->detached) {
    ReportMisuse(thread, abi::Misuse::kDetachTwice, nullptr);
    return EINVAL;
  }
  if (target->joiner != nullptr) return 0;  // it stays joinable, as with glibc
  target->detached = true;
  emitter().Emit(thread, EventKind::kDetach, abi::kFlagPoint, nullptr,
                 static_cast<uint64_t>(target->tid));
  if (target->state == ThreadState::kEnded) AddFinished(*target);
  return 0;
}

void ExitThread(Thread& thread, void* result) {
  DeliverBehind(thread);
  thread.result = result;
  LeaveProgram(thread);
}

void DropThread(Thread& thread, int code) {
  thread.leave.leaving = true;
  thread.leave.due = false;
  thread.leave.dropped = true;
  thread.leave.code = code;
  thread.quiet = 0;
  if (thread.parent == nullptr) EndMain(thread);
  longjmp(thread.leave.base, 1);
}

void EndMain(Thread& main) {
  main.slot.inside = 1;
  Finish(main);
  // On a carrier of kernel threads, this one stays until the process ends.
  for (;;) sys::Call(SYS_pause);
}

}  // namespace fairlead::rt
