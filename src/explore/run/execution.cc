#include "explore/run/execution.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "base/keeper.h"
#include "base/patience.h"
#include "explore/run/interrupt.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;

// How long the tool sleeps at most before it looks whether the program is still
// there: what a program that dies without a word costs.
constexpr std::chrono::milliseconds kLook(10);

constexpr std::string_view kPreload = "LD_PRELOAD=";

// The program's environment with the runtime and the control page in it.
std::vector<std::string> WithRuntime(std::vector<std::string> environment,
                                     const std::string& runtime, int fd,
                                     const Sanitizers& sanitizers) {
  SetSanitizerOptions(sanitizers, environment);
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

}  // namespace

uint64_t WithPolicies(uint64_t flags) {
  flags |= abi::kPlanSignalsAtCalls | abi::kPlanTimePasses;
  flags |= abi::kPlanFillFreed;
  if ((flags & abi::kPlanEarly) == 0) flags |= abi::kPlanEarlyByDefault;
  return flags;
}

abi::Plan CompletePlan(abi::Plan plan, const Program& program,
                       std::optional<std::chrono::nanoseconds> timeout) {
  plan.program_dev = program.device;
  plan.program_ino = program.inode;
  plan.reader_pid = static_cast<uint32_t>(getpid());
  timeout = WithinDeadline(timeout);
  if (timeout) plan.max_ns = static_cast<uint64_t>(timeout->count());
  // What is followed was recorded under the policies that it names.
  constexpr uint64_t kFollows = abi::kPlanFollow | abi::kPlanPrefix;
  if ((plan.flags & kFollows) == 0) plan.flags = WithPolicies(plan.flags);
  return plan;
}

ExecutionLimit::ExecutionLimit(
    std::optional<std::chrono::nanoseconds> timeout) {
  const Clock::time_point now = Clock::now();
  if (const auto limit = WithinDeadline(timeout)) for_program_ = now + *limit;
  if (timeout) for_tool_ = now + *timeout + kGrace;
  if (const auto deadline = CurrentDeadline()) {
    const Clock::time_point last = std::max(*deadline, now) + kLastGrace;
    for_tool_ = for_tool_ ? std::min(*for_tool_, last) : last;
  }
}

StoppedBy ExecutionLimit::Over(pid_t process) const {
  const Clock::time_point now = Clock::now();
  if (for_program_ && now > *for_program_ && IsSuspended(process)) {
    return StoppedBy::kSuspended;
  }
  return for_tool_ && now > *for_tool_ ? StoppedBy::kTimeout
                                       : StoppedBy::kNobody;
}

bool ExecutionLimit::LongOver() const {
  return for_tool_ && Clock::now() > *for_tool_ + 2 * kGrace;
}

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

Running::Running(const Order& order,
                 std::shared_ptr<const ControlMemory> memory, Process process)
    : observer_(order.observer),
      memory_(std::move(memory)),
      process_(std::make_unique<Process>(std::move(process))),
      reader_(std::make_unique<RingReader>(*memory_)),
      limit_(order.timeout) {}

Result<Running> Running::Start(const Order& order) {
  Result<ControlMemory> memory = ControlMemory::Create(
      CompletePlan(order.plan, order.program, order.timeout), order.follow);
  if (!memory) return memory.error();
  // execvpe must not search again: what was inspected is what runs.
  Command command = {
      .argv = order.argv,
      .environment = WithRuntime(order.environment, order.runtime, memory->fd(),
                                 order.program.sanitizers),
      .directory = order.directory,
      .group = ProcessGroup::kOwn,
      .standard_input = order.streams.input,
      .standard_output = order.streams.output,
      .standard_error = order.streams.error,
      .inherited = {memory->fd()},
      .core_dumps = order.core_dumps};
  if (order.through.empty()) {
    command.executable = order.program.path;
  } else {
    // The runtime sleeps in every process but that of the program.
    command.argv = order.through;
    command.argv.push_back(order.program.path);
    command.argv.insert(command.argv.end(), order.argv.begin() + 1,
                        order.argv.end());
  }
  Result<Process> process = Process::Start(command);
  if (!process) return process.error();
  return Running(order,
                 std::make_shared<const ControlMemory>(*std::move(memory)),
                 *std::move(process));
}

bool Running::Drain() {
  std::span records = reader_->Peek();
  if (records.empty()) return false;
  records = records.first(std::min(records.size(), kMaxDrained));
  if (observer_ != nullptr) observer_->OnRecords(records, *memory_);
  reader_->Release(records.size());
  return true;
}

bool Running::Damaged() const {
  return reader_->broken() || !memory_->Damage().empty();
}

bool Running::Ended() { return process_->Ended(); }

void Running::StopIfLate() {
  if (Damaged()) Stop(StoppedBy::kDestroyed);
  if (const StoppedBy reason = limit_.Over(pid());
      reason != StoppedBy::kNobody) {
    Stop(reason);
  }
}

void Running::Stop(StoppedBy reason) {
  // Once the outcome is there, only the end of the process is missing.
  if (stopped_by_ != StoppedBy::kNobody) return;
  stopped_by_ = reason;
  process_->Signal(SIGKILL);
}

Ending Running::Reap() {
  process_->Signal(SIGKILL);
  return process_->Wait();
}

Executed Running::Finish() {
  // Its process is gone: what it wrote is no more than a ring full.
  for (uint64_t left = memory_->Capacity(abi::RegionId::kRing);
       left != 0 && Drain();) {
    left -= std::min<uint64_t>(left, kMaxDrained);
  }
  const Ending ending = Reap();
  if (stopped_by_ != StoppedBy::kUser && Damaged()) {
    stopped_by_ = StoppedBy::kDestroyed;
  }
  if (stopped_by_ == StoppedBy::kDestroyed) memory_->GiveUp();
  return Executed{.memory = memory_,
                  .outcome = memory_->CopyOutcome(),
                  .ending = ending,
                  .stopped_by = stopped_by_,
                  .num_records = reader_->num_read()};
}

Result<Order> OrderFor(const std::vector<std::string>& argv) {
  Result<Program> program = InspectProgram(argv[0]);
  if (!program) return program.error();
  Result<std::string> runtime = FindRuntime();
  if (!runtime) return runtime.error();
  return Order{.program = *std::move(program),
               .argv = argv,
               .environment = OwnEnvironment(),
               .runtime = *std::move(runtime)};
}

Result<Executed> Execute(const Order& order) {
  const InterruptWatch interrupts;
  Result<Running> running = Running::Start(order);
  if (!running) return running.error();
  {
    const TerminalLoan terminal(running->pid());
    while (!running->Ended()) {
      const bool drained = running->Drain();
      if (interrupts.signal() != 0) running->Stop(StoppedBy::kUser);
      running->StopIfLate();
      if (!drained) running->Wait(kLook);
    }
  }
  return running->Finish();
}

}  // namespace fairlead::explore
