#include "explore/execution.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "explore/interrupt.h"
#include "explore/ring_reader.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;

// How long the tool sleeps at most before it looks whether the program is still
// there: what a program that dies without a word costs.
constexpr std::chrono::milliseconds kLook(10);

// The runtime ends a program that is out of time itself, and then knows where;
// the tool does it for one that no longer comes to the gate.
constexpr std::chrono::seconds kGrace(2);

constexpr std::string_view kPreload = "LD_PRELOAD=";

// The program's environment with the runtime and the control page in it.
std::vector<std::string> WithRuntime(std::vector<std::string> environment,
                                     const std::string& runtime, int fd) {
  std::string preload = std::string(kPreload) + runtime;
  std::vector<std::string> result;
  for (std::string& variable : environment) {
    if (variable.starts_with(kPreload)) {
      const std::string others = variable.substr(kPreload.size());
      if (!others.empty())
        preload = fmt::format("{}{}:{}", kPreload, others, runtime);
      continue;
    }
    result.push_back(std::move(variable));
  }
  result.push_back(std::move(preload));
  result.push_back(fmt::format("{}={}", abi::kControlVariable, fd));
  return result;
}

// Follows one process until it is gone.
class Follower {
 public:
  Follower(const Order& order, const ControlMemory& memory, Process& process)
      : order_(order), memory_(memory), process_(process), reader_(memory) {
    if (order.timeout) deadline_ = Clock::now() + *order.timeout + kGrace;
  }

  void Follow(const InterruptWatch& interrupts) {
    while (!process_.Ended()) {
      if (Drain()) continue;
      // Once the outcome is there, only the end of the process is missing.
      if (stopped_by_ == StoppedBy::kNobody) StopIfAsked(interrupts);
      reader_.Wait(kLook);
    }
    while (Drain()) {
    }
  }

  StoppedBy stopped_by() const { return stopped_by_; }
  uint64_t num_read() const { return reader_.num_read(); }

 private:
  bool Drain() {
    const std::span records = reader_.Peek();
    if (records.empty()) return false;
    if (order_.observer != nullptr)
      order_.observer->OnRecords(records, memory_);
    reader_.Release(records.size());
    return true;
  }

  void StopIfAsked(const InterruptWatch& interrupts) {
    if (interrupts.signal() != 0) {
      stopped_by_ = StoppedBy::kUser;
    } else if (deadline_ && Clock::now() > *deadline_) {
      stopped_by_ = StoppedBy::kTimeout;
    } else {
      return;
    }
    process_.Signal(SIGKILL);
  }

  const Order& order_;
  const ControlMemory& memory_;
  Process& process_;
  RingReader reader_;
  std::optional<Clock::time_point> deadline_;
  StoppedBy stopped_by_ = StoppedBy::kNobody;
};

abi::Plan PlanOf(const Order& order) {
  abi::Plan plan = order.plan;
  plan.program_dev = order.program.device;
  plan.program_ino = order.program.inode;
  plan.reader_pid = static_cast<uint32_t>(getpid());
  if (order.timeout) {
    plan.max_ns = static_cast<uint64_t>(order.timeout->count());
  }
  return plan;
}

}  // namespace

Result<std::string> FindRuntime() {
  const Result<std::string> directory = OwnDirectory();
  if (!directory) return directory.error();
  std::string path = *directory + "/../lib/fairlead/libfairlead_rt.so";
  if (access(path.c_str(), R_OK) != 0) {
    return Error(ErrorCode::kEnvironment)
        .Say("the runtime is missing: {}", path)
        .Hint("install fairlead again, as a whole");
  }
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved != nullptr) path = resolved;
  free(resolved);
  return path;
}

Result<Executed> Execute(const Order& order) {
  Result<ControlMemory> memory =
      ControlMemory::Create(PlanOf(order), order.follow);
  if (!memory) return memory.error();
  // execvpe must not search again: what was inspected is what runs.
  Command command = {.argv = order.argv,
                     .environment = WithRuntime(order.environment,
                                                order.runtime, memory->fd()),
                     .group = ProcessGroup::kOwn,
                     .inherited = {memory->fd()}};
  command.executable = order.program.path;
  const InterruptWatch interrupts;
  Result<Process> process = Process::Start(command);
  if (!process) return process.error();
  Follower follower(order, *memory, *process);
  {
    const TerminalLoan terminal(process->pid());
    follower.Follow(interrupts);
  }
  process->Signal(SIGKILL);  // whatever it leaves behind in its group
  const Ending ending = process->Wait();
  const abi::Outcome outcome = memory->CopyOutcome();
  return Executed{.memory = *std::move(memory),
                  .outcome = outcome,
                  .ending = ending,
                  .stopped_by = follower.stopped_by(),
                  .num_records = follower.num_read()};
}

}  // namespace fairlead::explore
