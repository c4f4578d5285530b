// explore/execution.h
//
// One execution of the program under control, from plan to outcome: the part
// that every campaign, replay and plain run shares. Events go to an observer
// while the program runs; nothing here judges or stores.

#ifndef FAIRLEAD_EXPLORE_EXECUTION_H_
#define FAIRLEAD_EXPLORE_EXECUTION_H_

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/control.h"
#include "base/result.h"
#include "base/subprocess.h"
#include "explore/control_memory.h"
#include "explore/program.h"

namespace fairlead::explore {

// Receives the event records of an execution while it goes on.
class RecordObserver {
 public:
  virtual ~RecordObserver() = default;
  // Records in order; may end inside an event. `memory` holds the tables that
  // they refer to. Never fails: what goes wrong is kept and told afterwards,
  // since the program must not be kept waiting.
  virtual void OnRecords(std::span<const abi::Event> records,
                         const ControlMemory& memory) = 0;
};

struct Order {
  Program program;
  std::vector<std::string> argv;  // argv[0] as the user wrote it
  std::vector<std::string> environment;
  abi::Plan plan = {};  // program_*, max_ns and reader_pid are filled in here
  Inputs follow = {};
  std::optional<std::chrono::nanoseconds> timeout = {};
  std::string runtime;                 // path of libfairlead_rt.so
  RecordObserver* observer = nullptr;  // null = nobody; needs kPlanTrace
};

// Why the tool ended the program, if it did.
enum class StoppedBy { kNobody, kTimeout, kUser };

// What an execution leaves behind. Owns the control memory, from which names
// and the schedule can be read.
struct Executed {
  ControlMemory memory;
  abi::Outcome outcome;
  Ending ending;
  StoppedBy stopped_by = StoppedBy::kNobody;
  uint64_t num_records = 0;
};

// Runs `order` to its end. While it runs, SIGINT, SIGTERM and SIGHUP end the
// program's whole process group; the execution is then still told as it was. An
// error means that it could not be started.
Result<Executed> Execute(const Order& order);

// Where the runtime is installed, relative to our own executable.
Result<std::string> FindRuntime();

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXECUTION_H_
