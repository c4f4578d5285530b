#include "runtime/intercept/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "abi/control.h"
#include "runtime/carrier/tls.h"
#include "runtime/company/openmp.h"
#include "runtime/emit/emitter.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/gate/strategies.h"
#include "runtime/intercept/faults.h"
#include "runtime/outside/arrivals.h"
#include "runtime/sites/features.h"
#include "runtime/sites/sites.h"
#include "runtime/sys/dispatch.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// More processes than these are not started by constructors; those beyond them
// would end with the first execution.
constexpr size_t kMaxKeptChildren = 64;

// A fork bomb may be quicker than whoever ends it.
constexpr int kMaxOrphanRounds = 2000;

// Where the server stands, kept so that every child begins there.
struct Standing {
  // As a whole: of an execution before, nothing may be left in it. Some 8 KB
  // cost less than the fork by three orders.
  abi::Outcome outcome;
  uint64_t used[abi::kNumRegions];
  uint64_t mode_flags;    // of the plan, for which the site modes are set
  uint32_t idle_version;  // for which the site modes are set
  long input_offset;      // of standard input; negative = cannot be put back
  // Processes that were started ahead of it, and are of no execution.
  int children[kMaxKeptChildren];
  size_t num_children;
};
Standing standing;

constexpr uint64_t kModeFlags = abi::kPlanTrace | abi::kPlanAllPoints |
                                abi::kPlanFrames | abi::kPlanOwnFrames;

bool IsFilledByTool(size_t region) {
  return abi::kRegions[region].writer == abi::Writer::kTool;
}

void Remember(const abi::ControlPage& page) {
  standing.outcome = page.outcome;
  for (size_t i = 0; i < abi::kNumRegions; ++i) {
    standing.used[i] = page.regions[i].used;
  }
  standing.mode_flags = page.plan.flags & kModeFlags;
  standing.idle_version = page.server.idle_version;
  standing.input_offset = sys::Call(SYS_lseek, 0, 0, SEEK_CUR);
}

// Makes the page what it was when the server began to stand, but for what the
// tool has written since.
void Recall(abi::ControlPage& page) {
  page.outcome = standing.outcome;
  for (size_t i = 0; i < abi::kNumRegions; ++i) {
    if (!IsFilledByTool(i)) page.regions[i].used = standing.used[i];
  }
  const uint64_t flags = page.plan.flags & kModeFlags;
  if (flags == standing.mode_flags &&
      page.server.idle_version == standing.idle_version) {
    return;
  }
  // In the server, so that children share the pages.
  SetModes();
  standing.outcome.point_set_digest = page.outcome.point_set_digest;
  standing.mode_flags = flags;
  standing.idle_version = page.server.idle_version;
}

// Kernel threads of this process; the directory has a link for each.
uint64_t NumKernelThreads() {
  struct stat tasks = {};
  if (sys::Call(SYS_newfstatat, AT_FDCWD, sys::Arg("/proc/self/task"),
                sys::Arg(&tasks), 0) != 0) {
    return 1;
  }
  return tasks.st_nlink - 2;
}

// Gives the children of this process, which has one kernel thread, to `each`.
// None where the system does not say.
template <typename Each>
void EachChild(Each&& each) {
  const long fd =
      sys::Call(SYS_openat, AT_FDCWD, sys::Arg("/proc/thread-self/children"),
                O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return;
  int number = 0;
  char room[256];
  long got;
  while ((got = sys::Call(SYS_read, fd, sys::Arg(room), sizeof(room))) > 0) {
    for (long i = 0; i < got; ++i) {
      if (room[i] >= '0' && room[i] <= '9') {
        number = number * 10 + (room[i] - '0');
        continue;
      }
      if (number != 0) each(number);
      number = 0;
    }
  }
  sys::Call(SYS_close, fd);
}

// From here on, what the executions leave comes to us, and not to init.
void Adopt() {
  EachChild([](int child) {
    if (standing.num_children == kMaxKeptChildren) return;
    standing.children[standing.num_children++] = child;
  });
  sys::Call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

const char* WhyNot(ServerPlace place) {
  if (place == ServerPlace::kMain && gate().num_live() != 1) {
    return "it has threads ahead of main";
  }
  if (place == ServerPlace::kMain && gate().steps() != 0) {
    return "choices are made ahead of main";
  }
  if (NumKernelThreads() != 1) {
    return "a library has made kernel threads, which fork would lose";
  }
  return nullptr;
}

[[noreturn]] void GiveUp(abi::Server& server, const char* why) {
  OutcomeText().Put("no fork server: ").Put(why);
  // Pairs with the tool's acquire load: the text is whole.
  __atomic_store_n(reinterpret_cast<uint32_t*>(&server.state),
                   static_cast<uint32_t>(abi::ServerState::kUnable),
                   __ATOMIC_RELEASE);
  sys::ExitGroup(abi::kStoppedExitCode);
}

// A child of ours, without the handlers that the program has for its own forks:
// a process that was just started would not have run them either.
long Fork() {
  int* tid = KernelTidOfMain();
  long flags = SIGCHLD;
  if (tid != nullptr) flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
  return sys::Call(SYS_clone, flags, 0, 0, sys::Arg(tid), 0);
}

// In the child: what the kernel does not copy, and what belongs to one
// execution only.
void BecomeExecution(abi::ControlPage& page, int server) {
  sys::Call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (sys::Call(SYS_getppid) != server) sys::ExitGroup(abi::kStoppedExitCode);
  sys::Call(SYS_setpgid, 0, 0);
  RegisterRobustListOfMain();
  ForgetOpenMpFile();
  if (standing.input_offset >= 0) {
    sys::Call(SYS_lseek, 0, standing.input_offset, SEEK_SET);
  }
  RenewOwnProcess();
  schedule_writer().Renew(page);
  inputs().Begin(page);
  emitter().Renew(page);
  features().Begin(page);
  gate().Renew(MakeStrategy(page), page);
  PrepareArrivals();
  RenewTimer(page.plan.max_ns);
  if (!PlanAsks(abi::kPlanNoDispatch)) TurnDispatchOn();
}

// Ends what the child has left: processes that got away from its group have
// become children of ours. Only those are signalled, so no number can be that
// of somebody else.
void EndOrphans() {
  for (int round = 0; round < kMaxOrphanRounds; ++round) {
    if (standing.num_children == 0 &&
        sys::Call(SYS_wait4, -1, 0, WNOHANG | __WALL, 0) == -ECHILD) {
      return;
    }
    bool any = false;
    EachChild([&](int child) {
      for (size_t i = 0; i < standing.num_children; ++i) {
        if (standing.children[i] == child) return;
      }
      sys::Call(SYS_kill, -child, SIGKILL);  // if it leads a group
      // One that has another user's rights is out of reach.
      if (sys::Call(SYS_kill, child, SIGKILL) != 0) return;
      any = true;
      while (sys::Call(SYS_wait4, child, 0, __WALL, 0) == -EINTR) {
      }
    });
    if (!any) return;
  }
}

// Waits for the end of the child, ends its process group and all else that it
// has started, and tells.
void SeeOff(abi::Server& server, int child) {
  siginfo_t info;
  long result;
  do {
    result = sys::Call(SYS_waitid, P_PID, child, sys::Arg(&info),
                       WEXITED | WNOWAIT, 0);
  } while (result == -EINTR);
  // Not reaped yet, so its number still is its own.
  __atomic_store_n(&server.child, 0, __ATOMIC_RELEASE);
  sys::Call(SYS_kill, -child, SIGKILL);
  int status = 0;
  rusage usage;
  do {
    result =
        sys::Call(SYS_wait4, child, sys::Arg(&status), 0, sys::Arg(&usage));
  } while (result == -EINTR);
  EndOrphans();
  server.wait_status = status;
  server.page_faults = static_cast<uint32_t>(usage.ru_minflt);
}

uint32_t AwaitCommand(abi::Server& server, uint32_t last) {
  for (;;) {
    // Pairs with the tool's release store: plan and regions are whole.
    const uint32_t command = __atomic_load_n(&server.command, __ATOMIC_ACQUIRE);
    if (command != last) return command;
    sys::FutexWait(&server.command, last, nullptr, 0);
  }
}

void Tell(uint32_t& word, uint32_t value) {
  // Pairs with the tool's acquire load.
  __atomic_store_n(&word, value, __ATOMIC_RELEASE);
  sys::FutexWake(&word, 1, 0);
}

}  // namespace

void ServeIfAsked(ServerPlace place) {
  if (control_page() == nullptr || !PlanAsks(abi::kPlanServe)) return;
  if (PlanAsks(abi::kPlanServeAtStart) != (place == ServerPlace::kStart)) {
    return;
  }
  abi::ControlPage& page = *control_page();
  abi::Server& server = page.server;
  emitter().Publish();
  const char* why_not = WhyNot(place);
  if (why_not != nullptr) GiveUp(server, why_not);
  const int self = sys::GetPid();
  server.server = self;
  EndTimer();
  Remember(page);
  Adopt();
  __atomic_store_n(reinterpret_cast<uint32_t*>(&server.state),
                   static_cast<uint32_t>(abi::ServerState::kStanding),
                   __ATOMIC_RELEASE);
  for (uint32_t command = 0;;) {
    Tell(server.done, command);
    command = AwaitCommand(server, command);
    Recall(page);
    const long child = Fork();
    if (child == 0) {
      BecomeExecution(page, self);
      return;
    }
    if (child < 0) {
      server.wait_status = static_cast<int>(child);
      continue;
    }
    __atomic_store_n(&server.child, static_cast<int>(child), __ATOMIC_RELEASE);
    SeeOff(server, static_cast<int>(child));
  }
}

}  // namespace fairlead::rt
