// explore/run/execution.h
//
// One execution of the program under control, from plan to outcome: the part
// that every campaign, replay and plain run shares. Events go to an observer
// while the program runs; nothing here judges or stores.

#ifndef FAIRLEAD_EXPLORE_RUN_EXECUTION_H_
#define FAIRLEAD_EXPLORE_RUN_EXECUTION_H_

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/control.h"
#include "base/result.h"
#include "base/subprocess.h"
#include "explore/run/control_memory.h"
#include "explore/run/program.h"
#include "explore/run/ring_reader.h"

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

// Descriptors of ours that become the program's standard streams.
struct Streams {
  int input = 0;
  int output = 1;
  int error = 2;
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
  Streams streams = {};
  std::string directory = {};  // to run in; "" = ours
  bool core_dumps = true;      // as the user's limits have it; false = none
  // A command that starts the program, such as a debugger; the program's path
  // and arguments are added to it. Empty = the program itself is started.
  std::vector<std::string> through = {};
};

// Why the tool ended the program, if it did.
enum class StoppedBy {
  kNobody,
  kTimeout,
  kSuspended,  // it was stopped (SIGSTOP) when its time was over
  kUser,
  kOutput,
  kDriver,      // its client was done, and it had to be ended
  kServerLost,  // its fork server died, and took the execution along
  kDestroyed,   // it wrote over the control memory: nothing in it is believed
};

// What an execution leaves behind. Names and the schedule can be read from the
// control memory; a runner may use it again, see explore/run/runner.h.
struct Executed {
  std::shared_ptr<const ControlMemory> memory;  // never null
  abi::Outcome outcome;
  Ending ending;
  StoppedBy stopped_by = StoppedBy::kNobody;
  uint64_t num_records = 0;
};

// Runs `order` to its end. While it runs, SIGINT, SIGTERM and SIGHUP end the
// program's whole process group; the execution is then still told as it was. An
// error means that it could not be started.
Result<Executed> Execute(const Order& order);

// Beyond an execution's own time limit: the runtime ends a program that is out
// of time itself, and then knows where; the tool does it for one that no longer
// comes to the gate.
inline constexpr std::chrono::seconds kGrace(2);
// … and beyond the deadline of all work.
inline constexpr std::chrono::milliseconds kLastGrace(300);

// When an execution that begins now is out of time; none = never.
class ExecutionLimit {
 public:
  ExecutionLimit() = default;
  explicit ExecutionLimit(std::optional<std::chrono::nanoseconds> timeout);

  // Why the tool must end `process` now; kNobody = it need not. A process that
  // is stopped (SIGSTOP) cannot end itself, and gets no grace.
  StoppedBy Over(pid_t process) const;
  // Whether it should be gone for some time.
  bool LongOver() const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  std::optional<Time> for_program_;  // it ends itself then
  std::optional<Time> for_tool_;     // with the grace
};

// An execution under way, for those who have several. Never waits, except where
// it says so.
class Running {
 public:
  static Result<Running> Start(const Order& order);

  // Takes some of what the program has written, at most kMaxDrained records: a
  // program that writes faster than it is read must not keep the caller from
  // its clocks. False = nothing was there.
  bool Drain();

  // Whether its process is gone.
  bool Ended();

  // Ends it, if it is out of time or has destroyed what we share; once.
  void StopIfLate();
  void Stop(StoppedBy reason);

  // Waits until there may be records, a signal arrives, or `limit` has passed.
  void Wait(std::chrono::milliseconds limit) { reader_->Wait(limit); }

  // Behind `Ended`: how it ended; ends what is left of its process group.
  Ending Reap();
  // Behind `Ended`: what it left. Waits for the process, which is gone.
  Executed Finish();

  pid_t pid() const { return process_->pid(); }
  // Becomes readable when it has ended.
  int end_fd() const { return process_->end_fd(); }
  const std::shared_ptr<const ControlMemory>& memory() const { return memory_; }

 private:
  Running(const Order& order, std::shared_ptr<const ControlMemory> memory,
          Process process);
  bool Damaged() const;

  RecordObserver* observer_;
  std::shared_ptr<const ControlMemory> memory_;
  std::unique_ptr<Process> process_;
  std::unique_ptr<RingReader> reader_;
  ExecutionLimit limit_;
  StoppedBy stopped_by_ = StoppedBy::kNobody;
};

// Records that are taken at once: some hundredths of a second of analyses.
inline constexpr size_t kMaxDrained = size_t{1} << 12;

// `plan` with what every order fills in: for whom it is, and its limits, of
// which the deadline (base/patience.h) is one.
abi::Plan CompletePlan(abi::Plan plan, const Program& program,
                       std::optional<std::chrono::nanoseconds> timeout);

// `flags` of a plan with the policies of this version, where it says nothing
// else: those of every execution that does not follow one of another version.
uint64_t WithPolicies(uint64_t flags);

// Where the runtime is installed, relative to our own executable.
Result<std::string> FindRuntime();

// One execution of argv[0] with our environment and the installed runtime; plan
// and limits are the caller's to fill in.
Result<Order> OrderFor(const std::vector<std::string>& argv);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_EXECUTION_H_
