// explore/run/runner.h
//
// Who carries out the executions of a campaign: several at once, each in a slot
// of its own, of one program with one setting. `FreshRunner` starts a process
// for each; a fork server can do the same faster behind the same interface.
// Nothing here decides what to run or judges what came of it.
//
//   while (more to do) {
//     for each free slot: runner.Start(slot, task)
//     if (std::optional<Finished> done = runner.Next(10ms)) learn from *done
//   }
//
// Threads: one thread starts and waits.

#ifndef FAIRLEAD_EXPLORE_RUN_RUNNER_H_
#define FAIRLEAD_EXPLORE_RUN_RUNNER_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/run/captured.h"
#include "explore/run/driver.h"
#include "explore/run/execution.h"
#include "explore/run/workplace.h"

namespace fairlead::explore {

// What holds for all executions of a campaign.
struct Setting {
  Program program;
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string runtime;     // path of libfairlead_rt.so
  std::string stdin_path;  // opened anew for each execution; "" = /dev/null
  size_t jobs = 1;         // slots
  std::string drive = {};  // a client's command; "" = the program is no server
  WorkplaceOrder workplace = {};
  // A fork server has these before it knows a plan; they hold for all of its
  // executions, whatever their plans say.
  abi::CarrierId carrier = abi::CarrierId::kFiber;
  uint64_t heap_bytes = 0;
};

// Where a fork server stands.
enum class ForkAt { kMain, kStart };

// One execution to be. What `follow` points to is needed until `Start` returns.
struct Task {
  abi::Plan plan = {};
  Inputs follow = {};
  std::optional<std::chrono::nanoseconds> timeout = {};
  RecordObserver* observer = nullptr;  // null = nobody; needs kPlanTrace
};

// One execution that has been. `executed.memory` and `output` are the slot's:
// they hold until the slot is started again.
struct Finished {
  size_t slot = 0;
  Executed executed;
  const Captured* output = nullptr;
  std::optional<Driven> client = {};  // none unless there was one to its end
  std::string directory = {};         // where it was; "" = ours
};

// What `driver` saw of an execution that is over, for its result.
void Take(Driver& driver, Finished& finished);

class Runner {
 public:
  virtual ~Runner() = default;

  // "fresh processes", "fork server": for the summary.
  virtual std::string_view name() const = 0;
  virtual size_t num_slots() const = 0;

  // Starts an execution in a slot that is free. Fails if it cannot be started.
  virtual Status Start(size_t slot, const Task& task) = 0;

  // Waits until an execution has ended, `limit` has passed, or a signal
  // arrived; none in the latter cases. The slot is free then. An error means
  // that the runner cannot go on (its server died, for instance); executions
  // under way are lost.
  virtual Result<std::optional<Finished>> Next(
      std::chrono::milliseconds limit) = 0;

  // Ends all executions under way. They are still given out by `Next`, as
  // stopped by the user.
  virtual void StopAll() = 0;
};

// A new process for every execution.
Result<std::unique_ptr<Runner>> MakeFreshRunner(const Setting& setting);

// A fork server for each slot (docs/design/fork-server.md). A server that dies
// is started again; its execution is told as stopped by kServerLost. Fails if
// the program does not come to where the server is to stand, or cannot be
// forked there.
Result<std::unique_ptr<Runner>> MakeForkRunner(const Setting& setting,
                                               ForkAt place);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_RUNNER_H_
