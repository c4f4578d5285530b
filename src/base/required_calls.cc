#include "base/required_calls.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace fairlead {
namespace {

constexpr long kNoDescriptor = -1;
constexpr long kNoProcess = 0x7fff'fffe;  // more than the largest there can be

// A call with arguments that change nothing, whether it fails by them or not.
struct Trial {
  std::string_view name;
  std::string_view purpose;
  long number;
  std::array<long, 4> arguments;
};

constexpr std::string_view kWait = "programs cannot be waited for";
constexpr std::string_view kEnd = "programs cannot be ended";
constexpr std::string_view kStart = "programs cannot be started";
constexpr std::string_view kFind = "programs cannot be found";

constexpr Trial kTrials[] = {
    {"access", kFind, SYS_access, {0, 0}},
    {"readlink", kFind, SYS_readlink, {0, 0, 0}},
    {"fstat", kStart, SYS_fstat, {kNoDescriptor, 0}},
    {"fcntl", kStart, SYS_fcntl, {kNoDescriptor, 0}},
    {"dup2", kStart, SYS_dup2, {kNoDescriptor, kNoDescriptor}},
    {"pipe2", kStart, SYS_pipe2, {0, -1}},
    {"socketpair", kStart, SYS_socketpair, {-1, 0, 0, 0}},
    {"recvfrom", kWait, SYS_recvfrom, {kNoDescriptor, 0, 0, 0}},
    {"shutdown", kEnd, SYS_shutdown, {kNoDescriptor, 0}},
    {"ftruncate", kStart, SYS_ftruncate, {kNoDescriptor, 0}},
    {"memfd_create", kStart, SYS_memfd_create, {0, -1}},
    {"getpid", kStart, SYS_getpid, {}},
    {"getppid", kStart, SYS_getppid, {}},
    {"setpgid", kStart, SYS_setpgid, {0, -1}},
    {"prctl", kStart, SYS_prctl, {-1, 0, 0, 0}},
    {"rt_sigaction", kWait, SYS_rt_sigaction, {0, 0, 0, 8}},
    {"rt_sigprocmask", kWait, SYS_rt_sigprocmask, {0, 0, 0, 8}},
    {"poll", kWait, SYS_poll, {0, 0, 0}},
    {"ppoll", kWait, SYS_ppoll, {0, -1, 0, 0}},
    {"wait4", kWait, SYS_wait4, {kNoProcess, 0, WNOHANG, 0}},
    {"waitid", kWait, SYS_waitid, {P_PID, kNoProcess, 0, WEXITED | WNOHANG}},
    {"kill", kEnd, SYS_kill, {kNoProcess, 0}},
};

bool IsRefusal(int number) {
  return number == EPERM || number == EACCES || number == ENOSYS;
}

constexpr std::string_view kRemedy =
    "allow it in the filter of system calls (seccomp) that this runs under";

Status TryAll() {
  for (const Trial& trial : kTrials) {
    const auto& [first, second, third, fourth] = trial.arguments;
    if (syscall(trial.number, first, second, third, fourth, 0, 0) >= 0 ||
        !IsRefusal(errno)) {
      continue;
    }
    return Error(ErrorCode::kEnvironment)
        .Say("the system refuses the call {}, without which {}", trial.name,
             trial.purpose)
        .Hint("{}", kRemedy);
  }
  return {};
}

}  // namespace

Status CheckRequiredCalls() {
  static const Status tried = TryAll();
  return tried;
}

Error CallError(int number, std::string_view call, std::string_view what) {
  if (IsRefusal(number)) {
    return Error(ErrorCode::kEnvironment)
        .Say("{}: the system refuses the call {}", what, call)
        .Hint("{}", kRemedy);
  }
  return SystemError(number, what);
}

}  // namespace fairlead
