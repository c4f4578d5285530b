// runtime/intercept/asynchronous.cc
//
// POSIX asynchronous input and output. libc does it in threads that it makes
// past our hooks, which run beside the controlled ones. A request for what
// never waits, a file, is done when it is made instead: it may be over before
// the call that makes it is. Requests for anything else, and those that call
// a function in a thread when they are over, are left to libc. The rules all
// hooks obey are in runtime/README.md.
//
// Incomplete: no execution finds a request for a file under way.

#include <aio.h>
#include <errno.h>
#include <fcntl.h>

#include "runtime/gate/hook.h"
#include "runtime/model/pids.h"
#include "runtime/outside/call.h"
#include "runtime/outside/descriptors.h"
#include "runtime/outside/waiting.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

// Both structures are one here.
static_assert(sizeof(aiocb) == sizeof(aiocb64));

bool IsQuiet(const sigevent* event) {
  return event == nullptr || event->sigev_notify != SIGEV_THREAD;
}

bool IsOfFile(const Thread& thread, const aiocb& request) {
  return DescriptorOf(thread, request.aio_fildes).kind == DescriptorKind::kFile;
}

Call CallOf(HookScope& hook, const void* caller, long number, long a, long b,
            long c, long d) {
  return {.number = number,
          .args = {a, b, c, d},
          .caller = caller,
          .thread = &hook.thread()};
}

// As libc keeps it for aio_error and aio_return.
void Finish(aiocb& request, long result) {
  const bool failed = sys::Failed(result);
  request.__return_value = failed ? -1 : result;
  request.__error_code = failed ? static_cast<int>(-result) : 0;
}

void Do(HookScope& hook, const void* caller, long number, aiocb& request) {
  Call call = CallOf(hook, caller, number, request.aio_fildes,
                     sys::Arg(const_cast<const void*>(request.aio_buf)),
                     static_cast<long>(request.aio_nbytes), request.aio_offset);
  ArriveOutside(call, EventKind::kUse, ObjectOf(request.aio_fildes));
  Finish(request, AskKernel(call));
}

void Notify(HookScope& hook, const void* caller, const sigevent* event) {
  if (event == nullptr || event->sigev_notify != SIGEV_SIGNAL ||
      event->sigev_signo == 0) {
    return;
  }
  siginfo_t info = {};
  info.si_signo = event->sigev_signo;
  info.si_code = SI_ASYNCIO;
  info.si_pid = static_cast<pid_t>(OwnPid());
  info.si_uid = static_cast<uid_t>(sys::Call(SYS_getuid));
  info.si_value = event->sigev_value;
  Call call = CallOf(hook, caller, SYS_rt_sigqueueinfo, info.si_pid,
                     info.si_signo, sys::Arg(&info), 0);
  Perform(call);
}

// Does one request, if it can be done here.
bool DoOne(HookScope& hook, const void* caller, long number, aiocb* request) {
  if (!hook.controlled() || request == nullptr) return false;
  if (!IsQuiet(&request->aio_sigevent)) return false;
  if (!IsOfFile(hook.thread(), *request)) return false;
  Do(hook, caller, number, *request);
  Notify(hook, caller, &request->aio_sigevent);
  return true;
}

bool AllOfFiles(const Thread& thread, aiocb* const list[], int count) {
  for (int i = 0; i < count; ++i) {
    if (list[i] == nullptr || list[i]->aio_lio_opcode == LIO_NOP) continue;
    if (!IsOfFile(thread, *list[i])) return false;
  }
  return true;
}

// Whether all went well.
bool DoList(HookScope& hook, const void* caller, aiocb* const list[],
            int count) {
  bool good = true;
  for (int i = 0; i < count; ++i) {
    aiocb* request = list[i];
    if (request == nullptr || request->aio_lio_opcode == LIO_NOP) continue;
    request->aio_sigevent.sigev_notify = SIGEV_NONE;
    Do(hook, caller,
       request->aio_lio_opcode == LIO_READ ? SYS_pread64 : SYS_pwrite64,
       *request);
    good = good && request->__error_code == 0;
  }
  return good;
}

int List(HookScope& hook, const void* caller, int mode, aiocb* const list[],
         int count, const sigevent* event, bool& done) {
  done = hook.controlled() && (mode == LIO_WAIT || mode == LIO_NOWAIT) &&
         (mode == LIO_WAIT || IsQuiet(event)) &&
         AllOfFiles(hook.thread(), list, count);
  if (!done) return 0;
  const bool good = DoList(hook, caller, list, count);
  if (mode == LIO_NOWAIT) Notify(hook, caller, event);
  return good || mode == LIO_NOWAIT ? 0 : hook.Fail(EIO);
}

long SyncCall(int operation) {
  return operation == O_DSYNC ? SYS_fdatasync : SYS_fsync;
}

}  // namespace

// Both names of a function, the second with its own structure.
#define FL_ASYNCHRONOUS(suffix)                                               \
  extern "C" FL_HOOK int aio_read##suffix(aiocb##suffix* request) noexcept {  \
    {                                                                         \
      HookScope hook(FL_CALLER);                                              \
      auto* one = reinterpret_cast<aiocb*>(request);                          \
      if (DoOne(hook, FL_CALLER, SYS_pread64, one)) return 0;                 \
    }                                                                         \
    return real().aio_read##suffix(request);                                  \
  }                                                                           \
  extern "C" FL_HOOK int aio_write##suffix(aiocb##suffix* request) noexcept { \
    {                                                                         \
      HookScope hook(FL_CALLER);                                              \
      auto* one = reinterpret_cast<aiocb*>(request);                          \
      if (DoOne(hook, FL_CALLER, SYS_pwrite64, one)) return 0;                \
    }                                                                         \
    return real().aio_write##suffix(request);                                 \
  }                                                                           \
  extern "C" FL_HOOK int aio_fsync##suffix(int operation,                     \
                                           aiocb##suffix* request) noexcept { \
    {                                                                         \
      HookScope hook(FL_CALLER);                                              \
      auto* one = reinterpret_cast<aiocb*>(request);                          \
      const bool known = operation == O_SYNC || operation == O_DSYNC;         \
      if (known && DoOne(hook, FL_CALLER, SyncCall(operation), one)) {        \
        return 0;                                                             \
      }                                                                       \
    }                                                                         \
    return real().aio_fsync##suffix(operation, request);                      \
  }                                                                           \
  extern "C" FL_HOOK int lio_listio##suffix(                                  \
      int mode, aiocb##suffix* const list[], int count, sigevent* event) {    \
    {                                                                         \
      HookScope hook(FL_CALLER);                                              \
      bool done = false;                                                      \
      const int result =                                                      \
          List(hook, FL_CALLER, mode, reinterpret_cast<aiocb* const*>(list),  \
               count, event, done);                                           \
      if (done) return result;                                                \
    }                                                                         \
    return real().lio_listio##suffix(mode, list, count, event);               \
  }

FL_ASYNCHRONOUS()
FL_ASYNCHRONOUS(64)
