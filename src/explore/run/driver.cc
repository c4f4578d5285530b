#include "explore/run/runner.h"

#include <fcntl.h>
#include <signal.h>

#include "base/patience.h"

namespace fairlead::explore {
namespace {

using Clock = std::chrono::steady_clock;

bool IsReady(const ControlMemory& memory) {
  // Pairs with the program's release store.
  return __atomic_load_n(&memory.page().outcome.ready, __ATOMIC_ACQUIRE) != 0;
}

}  // namespace

Result<Driver> Driver::Create(std::string command) {
  Result<Captured> captured = Captured::Create();
  if (!captured) return captured.error();
  return Driver(std::move(command), *std::move(captured));
}

void Driver::Begin() {
  state_ = State::kWaiting;
  client_.reset();
  driven_.reset();
  captured_.Clear();
}

Status Driver::StartClient(pid_t server) {
  const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Command command = {.argv = {"sh", "-c", command_},
                     .environment = OwnEnvironment(),
                     .group = ProcessGroup::kOwn,
                     .standard_input = nothing.get(),
                     .standard_output = captured_.output_fd(),
                     .standard_error = captured_.error_fd(),
                     .core_dumps = false};
  command.environment.push_back(fmt::format("FAIRLEAD_PID={}", server));
  Result<Process> client = Process::Start(command);
  if (!client) return client.error();
  client_.emplace(*std::move(client));
  return {};
}

Status Driver::Step(const ControlMemory& memory, pid_t server) {
  if (server == 0) return {};
  switch (state_) {
    case State::kWaiting:
      if (!IsReady(memory)) return {};
      state_ = State::kRunning;
      return StartClient(server);
    case State::kRunning:
      if (!client_->Ended()) return {};
      TakeClient();
      kill(server, SIGTERM);
      told_ = Clock::now();
      state_ = State::kStopping;
      return {};
    case State::kStopping:
      if (Clock::now() - told_ > kStopGrace) kill(server, SIGKILL);
      return {};
    case State::kAlone:
      return {};
  }
  return {};
}

void Driver::TakeClient() {
  driven_ = {.ending = client_->Wait(),
             .output = captured_.Output() + captured_.Error()};
  client_.reset();
}

bool Driver::AwaitsClient(const Executed& server) {
  const bool well =
      server.stopped_by == StoppedBy::kNobody && server.ending.exit_code == 0;
  if (!client_ || !well) return false;
  if (client_->Ended()) {
    TakeClient();
    return false;
  }
  if (state_ != State::kAlone) told_ = Clock::now();
  state_ = State::kAlone;
  return Clock::now() - told_ <= kClientGrace && !ShouldStop();
}

std::optional<Driven> Driver::Finish() {
  if (client_) {
    // It lost its server; nobody knows what it would have said.
    client_->Signal(SIGKILL);
    client_->Wait();
    client_.reset();
  }
  return driven_;
}

void Take(Driver& driver, Finished& finished) {
  Executed& executed = finished.executed;
  if (driver.HasStoppedServer() && executed.ending.signal != 0 &&
      executed.stopped_by == StoppedBy::kNobody) {
    executed.stopped_by = StoppedBy::kDriver;
  }
  finished.client = driver.Finish();
}

}  // namespace fairlead::explore
