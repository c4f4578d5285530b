// explore/run/driver.h
//
// The client of a server under test (`fairlead test --client CMD`): started
// when the server can be asked, and when it is done, the server is stopped.
//
//   waits for Outcome::ready ─▶ runs CMD ─▶ SIGTERM to the server ─▶ SIGKILL
//                                                      (after kStopGrace)
//
// A server that ends by itself, and well, may be quicker than its client, which
// then has kClientGrace to end, too.
//
// The server is a process under control like any other; what it gets from the
// client are inputs of its schedule, so that an execution which follows a
// schedule needs no client. Never waits.

#ifndef FAIRLEAD_EXPLORE_RUN_DRIVER_H_
#define FAIRLEAD_EXPLORE_RUN_DRIVER_H_

#include <chrono>
#include <optional>
#include <string>

#include "base/subprocess.h"
#include "explore/run/captured.h"
#include "explore/run/control_memory.h"

namespace fairlead::explore {

struct Executed;

// How a client ended.
struct Driven {
  Ending ending;
  std::string output;  // what it said, on both streams
};

class Driver {
 public:
  // How long a server has to end by itself.
  static constexpr std::chrono::seconds kStopGrace{2};
  // How long a client has when its server is gone.
  static constexpr std::chrono::seconds kClientGrace{2};

  // `command` is given to sh -c, with the server's process id in FAIRLEAD_PID.
  static Result<Driver> Create(std::string command);

  // A server has been started.
  void Begin();

  // Looks at both and does what is next. `server` is its process id, 0 if it
  // has none yet. Fails if the client cannot be started.
  Status Step(const ControlMemory& memory, pid_t server);

  // Whether the server has been told to end.
  bool HasStoppedServer() const { return state_ == State::kStopping; }

  // The server has ended like that: whether it did so by itself, and well, and
  // its client still runs, and has time left.
  bool AwaitsClient(const Executed& server);

  // The server is gone: ends the client if it still runs. Nothing when there
  // was none, or none came to its end.
  std::optional<Driven> Finish();

 private:
  enum class State { kWaiting, kRunning, kStopping, kAlone };

  Driver(std::string command, Captured captured)
      : command_(std::move(command)), captured_(std::move(captured)) {}

  Status StartClient(pid_t server);
  void TakeClient();

  std::string command_;
  Captured captured_;
  State state_ = State::kWaiting;
  std::optional<Process> client_;
  std::optional<Driven> driven_;
  // When the server was told to end, or had ended by itself.
  std::chrono::steady_clock::time_point told_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_DRIVER_H_
