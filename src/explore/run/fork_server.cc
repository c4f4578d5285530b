#include "explore/run/fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/keeper.h"
#include "base/patience.h"
#include "explore/run/open_input.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Constructors that take longer than this are better run once for each
// execution than waited for without a word.
constexpr std::chrono::seconds kMaxStartUp(20);

uint32_t Load(const uint32_t& word) {
  // Pairs with the server's release store: what it wrote before is whole.
  return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

Ending EndingOf(int status) {
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

// Whether a process has come to its end, reaped or not; false where nobody may
// ask.
bool HasExited(pid_t process) {
  const Fd handle(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (!handle) return errno == ESRCH;
  pollfd wanted = {.fd = handle.get(), .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, 0) == 1;
}

}  // namespace

void ForkServer::Prefix::OnRecords(std::span<const abi::Event> more,
                                   const ControlMemory&) {
  records.insert(records.end(), more.begin(), more.end());
}

ForkServer::ForkServer(const Setting& setting, Captured& captured,
                       std::unique_ptr<Prefix> prefix, Running server)
    : program_(setting.program),
      captured_(captured),
      prefix_(std::move(prefix)),
      server_(std::move(server)) {}

ForkServer::~ForkServer() {
  // A child dies with its server, but what it has started does not.
  if (busy_) Stop(StoppedBy::kUser);
}

Result<std::unique_ptr<ForkServer>> ForkServer::Start(
    const Setting& setting, ForkAt place, Captured& captured,
    const std::string& directory) {
  const Result<Fd> input = OpenInput(setting.stdin_path);
  if (!input) return input.error();
  if (lseek(input->get(), 0, SEEK_CUR) < 0) {
    return Error(ErrorCode::kEnvironment)
        .Say("no fork server: {} can be read only once", setting.stdin_path)
        .Hint("give standard input as a file");
  }
  auto prefix = std::make_unique<Prefix>();
  abi::Plan plan = {};
  // The start is recorded as fully as any execution may ask for.
  plan.flags = abi::kPlanServe | abi::kPlanTrace | abi::kPlanRecord |
               abi::kPlanAllPoints | abi::kPlanQuiet;
  if (place == ForkAt::kStart) plan.flags |= abi::kPlanServeAtStart;
  plan.strategy = static_cast<uint32_t>(sched::StrategyId::kFirst);
  plan.carrier = setting.carrier;
  plan.heap_bytes = setting.heap_bytes;
  captured.Clear();
  Result<Running> server =
      Running::Start({.program = setting.program,
                      .argv = setting.argv,
                      .environment = setting.environment,
                      .plan = plan,
                      .runtime = setting.runtime,
                      .observer = prefix.get(),
                      .streams = {.input = input->get(),
                                  .output = captured.output_fd(),
                                  .error = captured.error_fd()},
                      .directory = directory,
                      .core_dumps = false});
  if (!server) return server.error();
  return std::unique_ptr<ForkServer>(
      new ForkServer(setting, captured, std::move(prefix), *std::move(server)));
}

Status ForkServer::AwaitStanding() {
  const auto deadline = Clock::now() + kMaxStartUp;
  const auto state = [&] {
    return static_cast<abi::ServerState>(
        Load(reinterpret_cast<uint32_t&>(page().state)));
  };
  while (state() == abi::ServerState::kNone) {
    if (server_.Drain()) continue;
    if (server_.Ended()) {
      if (state() != abi::ServerState::kNone) break;
      return Error(ErrorCode::kUnsupportedProgram)
          .Say("no fork server: the program ended before main ({})",
               EndingText());
    }
    if (ShouldStop()) {
      return Error(ErrorCode::kInterrupted)
          .Say("no fork server: there was no time to wait for main");
    }
    if (Clock::now() > deadline) {
      return Error(ErrorCode::kUnsupportedProgram)
          .Say("no fork server: the program did not come to main in {} s",
               kMaxStartUp.count());
    }
    server_.Wait(milliseconds(1));
  }
  if (state() == abi::ServerState::kUnable) {
    return Error(ErrorCode::kUnsupportedProgram)
        .Say("{}", server_.memory()->CopyOutcome().text);
  }
  // All that constructors did: one look takes a bounded part of it.
  while (server_.Drain()) continue;
  captured_.KeepPrinted();
  return {};
}

Status ForkServer::Begin(const Task& task) {
  const ControlMemory& memory = *server_.memory();
  const Status written = memory.Rewrite(
      CompletePlan(task.plan, program_, task.timeout), task.follow);
  if (!written) return written;
  const Inputs& follow = task.follow;
  if (!std::ranges::equal(follow.idle_sites, idle_sites_) ||
      !std::ranges::equal(follow.ordered_sites, ordered_sites_)) {
    idle_sites_.assign(follow.idle_sites.begin(), follow.idle_sites.end());
    ordered_sites_.assign(follow.ordered_sites.begin(),
                          follow.ordered_sites.end());
    ++page().idle_version;
  }
  captured_.Clear();
  abi::RingCursors& cursors = memory.page().cursors;
  cursors.head = 0;
  cursors.tail = 0;
  observer_ = task.observer;
  traced_ = (task.plan.flags & abi::kPlanTrace) != 0;
  told_prefix_ = !traced_;
  reader_.emplace(memory);
  stopped_by_ = StoppedBy::kNobody;
  child_ = 0;
  limit_ = ExecutionLimit(task.timeout);
  busy_ = true;
  // Pairs with the server's acquire load: all of the above is whole.
  __atomic_store_n(&page().command, ++command_, __ATOMIC_RELEASE);
  WakeFutex(&page().command);
  return {};
}

void ForkServer::Drain() {
  if (!traced_) return;
  if (!told_prefix_ && observer_ != nullptr) {
    observer_->OnRecords(prefix_->records, *server_.memory());
  }
  told_prefix_ = true;
  TakeRecords();
}

bool ForkServer::TakeRecords() {
  std::span records = reader_->Peek();
  if (records.empty()) return false;
  records = records.first(std::min(records.size(), kMaxDrained));
  if (observer_ != nullptr) observer_->OnRecords(records, *server_.memory());
  reader_->Release(records.size());
  return true;
}

bool ForkServer::Done() const { return Load(page().done) == command_; }

bool ForkServer::IsOurChild(pid_t process) {
  if (process == child_) return true;
  if (process <= 1) return false;
  // Where /proc tells nothing, or of other processes than ours, being in the
  // server's session has to do.
  const bool known = ParentOf(getpid()) == getppid();
  if (known ? ParentOf(process) != server_.pid()
            : getsid(process) != getsid(server_.pid())) {
    return false;
  }
  child_ = process;
  return true;
}

pid_t ForkServer::child() {
  const pid_t told = __atomic_load_n(&page().child, __ATOMIC_ACQUIRE);
  return told != 0 && IsOurChild(told) ? told : 0;
}

bool ForkServer::Damaged() {
  if (reader_->broken() || !server_.memory()->Damage().empty()) return true;
  if (__atomic_load_n(&page().command, __ATOMIC_ACQUIRE) != command_) {
    return true;
  }
  const pid_t told = __atomic_load_n(&page().child, __ATOMIC_ACQUIRE);
  if (told == 0 || IsOurChild(told)) return false;
  // A server that was killed leaves its child to somebody else.
  if (HasExited(server_.pid())) return false;
  // Unless it has just been reaped.
  return __atomic_load_n(&page().child, __ATOMIC_ACQUIRE) == told;
}

void ForkServer::StopIfLate() {
  if (const StoppedBy reason = limit_.Over(child());
      reason != StoppedBy::kNobody) {
    Stop(reason);
  }
  // The server may not have made the child when it was to be stopped.
  if (stopped_by_ != StoppedBy::kNobody) KillChild();
  // Nothing came of that: the server itself is in the way.
  if (limit_.LongOver()) {
    server_.Stop(StoppedBy::kTimeout);
  }
}

void ForkServer::Stop(StoppedBy reason) {
  if (!busy_ || stopped_by_ != StoppedBy::kNobody || Done()) return;
  stopped_by_ = reason;
  KillChild();
}

void ForkServer::KillChild() {
  // The server ends what the child has started.
  const pid_t process = child();
  if (process != 0 && !Done()) kill(process, SIGKILL);
}

Executed ForkServer::Finish() {
  const bool done = Done();
  Drain();
  for (uint64_t left = memory().Capacity(abi::RegionId::kRing);
       traced_ && left != 0 && TakeRecords();) {
    left -= std::min<uint64_t>(left, kMaxDrained);
  }
  if (Damaged()) {
    server_.memory()->GiveUp();
    if (stopped_by_ != StoppedBy::kUser) stopped_by_ = StoppedBy::kDestroyed;
  } else if (!done && stopped_by_ == StoppedBy::kNobody) {
    stopped_by_ = StoppedBy::kServerLost;
  }
  busy_ = false;
  return {.memory = server_.memory(),
          .outcome = server_.memory()->CopyOutcome(),
          .ending = done ? EndingOf(page().wait_status) : Ending{-1, SIGKILL},
          .stopped_by = stopped_by_,
          .num_records =
              (traced_ ? prefix_->records.size() : 0) + reader_->num_read()};
}

std::string ForkServer::EndingText() {
  return fairlead::EndingText(server_.Reap());
}

bool ForkServer::BeginWait(std::vector<FutexWord>& words) {
  const uint32_t done = Load(page().done);
  if (done == command_) return false;
  words.push_back({&page().done, done});
  if (!traced_) return true;
  const RingReader::Bell bell = reader_->BeginWait();
  words.push_back({bell.word, bell.value});
  return !bell.ready;
}

void ForkServer::EndWait() {
  if (traced_) reader_->EndWait();
}

}  // namespace fairlead::explore
