#include "explore/campaign/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "explore/judge/verdict.h"
#include "explore/run/execution.h"
#include "explore/run/program.h"
#include "sched/factory.h"

namespace fairlead::explore {
namespace {

// Linux 5.11; older headers do not know it.
constexpr int kSetSyscallUserDispatch = 59;
constexpr int kDispatchOff = 0;
// Bit of AT_HWCAP2: programs may write the base of fs themselves.
constexpr unsigned long kHasFsgsbase = 1ul << 1;

constexpr std::chrono::seconds kTrialLimit(10);

std::string ErrorText(int number) { return strerror(number); }

Ability Kernel() {
  struct utsname names = {};
  uname(&names);
  return {.name = "kernel",
          .need = Need::kNone,
          .there = true,
          .found = fmt::format("{} {}", names.sysname, names.release),
          .remedy = ""};
}

Ability SharedMemory() {
  const Fd fd(memfd_create("fairlead-doctor", MFD_CLOEXEC));
  const int why = errno;
  return {.name = "memfd",
          .need = Need::kVital,
          .there = static_cast<bool>(fd),
          .found = fd ? "allowed" : ErrorText(why),
          .remedy = "allow memfd_create in the container's seccomp profile"};
}

Ability SyscallUserDispatch() {
  // Off is what it is already.
  const bool there = prctl(kSetSyscallUserDispatch, kDispatchOff, 0, 0, 0) == 0;
  const int why = errno;
  return {.name = "syscall-user-dispatch",
          .need = Need::kUseful,
          .there = there,
          .found = there ? "allowed: blocking calls are caught everywhere"
                         : ErrorText(why),
          .remedy =
              "use Linux 5.11 or later; until then calls that block "
              "inside libraries are not caught"};
}

// Whether instructions that ask the processor can be answered by the runtime.
// Both settings are what they are already.
Ability ProcessorTraps() {
  constexpr int kSetCpuid = 0x1012;
  constexpr int kAsEver = 1;
  const bool stamps = prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0) == 0;
  const bool identity = syscall(SYS_arch_prctl, kSetCpuid, kAsEver) == 0;
  std::string found = "allowed: rdtsc is virtual, cpuid always the same";
  if (!stamps) found = "refused: rdtsc tells the real time";
  if (stamps && !identity) found = "cpuid tells which processor runs";
  return {.name = "processor-traps",
          .need = Need::kUseful,
          .there = stamps && identity,
          .found = std::move(found),
          .remedy =
              "a program that decides by it differs between executions; run "
              "fairlead by `taskset -c 0` if this one does"};
}

Ability Fsgsbase() {
  const bool there = (getauxval(AT_HWCAP2) & kHasFsgsbase) != 0;
  return {.name = "fsgsbase",
          .need = Need::kUseful,
          .there = there,
          .found = there ? "allowed: the fiber carrier works"
                         : "the kernel does not offer it",
          .remedy =
              "use Linux 5.9 or later on a processor of 2013 or later; "
              "until then the slower thread carrier is used"};
}

Ability Ptrace() {
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 0 : errno);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  const bool there = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const auto scope = ReadFile("/proc/sys/kernel/yama/ptrace_scope");
  return {.name = "ptrace",
          .need = Need::kUseful,
          .there = there,
          .found = fmt::format(
              "{}, ptrace_scope {}", there ? "allowed" : "refused",
              scope ? std::string(Trim(*scope)) : std::string("none")),
          .remedy =
              "for replay --gdb, start the container with "
              "--cap-add=SYS_PTRACE"};
}

Ability Gdb() {
  const std::string path = FindOnPath("gdb");
  return {.name = "gdb",
          .need = Need::kUseful,
          .there = !path.empty(),
          .found = path.empty() ? "not on the PATH" : path,
          .remedy = "for replay --gdb: apt-get install gdb"};
}

Ability Randomisation() {
  const auto level = ReadFile("/proc/sys/kernel/randomize_va_space");
  const bool off = level && Trim(*level) == "0";
  return {.name = "address-randomisation",
          .need = Need::kNone,
          .there = true,
          .found = !level ? "unknown"
                   : off  ? "off"
                          : "on, and does no harm",
          .remedy = ""};
}

Ability CoreLimit() {
  struct rlimit limit = {};
  getrlimit(RLIMIT_CORE, &limit);
  std::string found = fmt::format("{} bytes", limit.rlim_cur);
  if (limit.rlim_cur == RLIM_INFINITY) found = "unlimited";
  if (limit.rlim_cur == 0) found = "0: crashes leave no core file";
  return {.name = "core-limit",
          .need = Need::kNone,
          .there = true,
          .found = std::move(found),
          .remedy = ""};
}

// As fairlead-cc looks for it.
Ability Clang() {
  std::string path = "/usr/lib/llvm-19/bin/clang";
  const char* chosen = getenv("FAIRLEAD_CLANG");
  if (chosen != nullptr && *chosen != '\0') {
    path = chosen;
    if (!path.contains('/')) path = FindOnPath(path);
  } else if (access(path.c_str(), X_OK) != 0) {
    path = FindOnPath("clang-19");
  }
  const bool there = !path.empty() && access(path.c_str(), X_OK) == 0;
  return {.name = "clang-19",
          .need = Need::kUseful,
          .there = there,
          .found = there ? path : "not found",
          .remedy =
              "to build programs with fairlead-cc: apt-get install "
              "clang-19, or set FAIRLEAD_CLANG"};
}

Ability Part(std::string_view name, Need need, const char* file) {
  const auto directory = OwnDirectory();
  const std::string path =
      directory ? fmt::format("{}/../{}", *directory, file) : "";
  const bool there = !path.empty() && access(path.c_str(), R_OK) == 0;
  return {.name = name,
          .need = need,
          .there = there,
          .found = there ? "installed" : fmt::format("missing: {}", path),
          .remedy = "install fairlead again, as a whole"};
}

// Runs `true` under control, with nothing of ours to read or write.
Ability Trial(std::string_view name, Need need, abi::CarrierId carrier) {
  Ability ability = {.name = name,
                     .need = need,
                     .there = false,
                     .found = "",
                     .remedy = "see what is missing above"};
  const auto program = InspectProgram("true");
  const auto runtime = FindRuntime();
  const Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!program || !runtime || !null) {
    ability.found = !program   ? program.error().Text()
                    : !runtime ? runtime.error().Text()
                               : "/dev/null cannot be opened";
    return ability;
  }
  Order order = {.program = *program,
                 .argv = {"true"},
                 .environment = OwnEnvironment(),
                 .timeout = kTrialLimit,
                 .runtime = *runtime,
                 .streams = {null.get(), null.get(), null.get()},
                 .core_dumps = false};
  order.plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  order.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kFirst);
  order.plan.carrier = carrier;
  const auto executed = Execute(order);
  if (!executed) {
    ability.found = executed.error().Text();
    return ability;
  }
  Namer namer(*executed->memory);
  const Verdict verdict = Judge(*executed, {}, namer);
  ability.there =
      verdict.word == VerdictWord::kOk && executed->outcome.carrier == carrier;
  ability.found = ability.there ? "works: ran `true` under control"
                  : verdict.word == VerdictWord::kOk ? "not possible here"
                                                     : verdict.sentence;
  return ability;
}

}  // namespace

std::vector<Ability> ExamineMachine() {
  return {Kernel(),
          SharedMemory(),
          SyscallUserDispatch(),
          ProcessorTraps(),
          Fsgsbase(),
          Ptrace(),
          Gdb(),
          Randomisation(),
          CoreLimit(),
          Clang(),
          Part("pass", Need::kUseful, "lib/fairlead/libfairlead_pass.so"),
          Part("runtime", Need::kVital, "lib/fairlead/libfairlead_rt.so"),
          Trial("carrier-thread", Need::kVital, abi::CarrierId::kThread),
          Trial("carrier-fiber", Need::kUseful, abi::CarrierId::kFiber)};
}

}  // namespace fairlead::explore
