// base/subprocess.h
//
// Starts a process and waits for it. A child dies with us (the kernel ends it
// when the thread that started it ends). One with a group of its own has a
// keeper (base/keeper.h), which ends whatever it has started when it ends, or
// when we do, so a tool that is killed leaves nothing running. Start children
// from a thread that lives long enough.

#ifndef FAIRLEAD_BASE_SUBPROCESS_H_
#define FAIRLEAD_BASE_SUBPROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/guardian.h"
#include "base/patience.h"
#include "base/result.h"

namespace fairlead {

enum class ProcessGroup { kOurs, kOwn };

struct Command {
  std::string executable = {};    // path; empty = argv[0], also found on PATH
  std::vector<std::string> argv;  // argv[0] is what the child sees
  std::vector<std::string> environment;  // all of it, as NAME=value
  std::string directory = {};            // empty = ours
  ProcessGroup group = ProcessGroup::kOurs;
  int standard_input = 0;  // descriptors of ours that become the child's
  int standard_output = 1;
  int standard_error = 2;
  // Further descriptors, kept under their numbers.
  std::vector<int> inherited = {};
  bool core_dumps = true;  // as our limits have it; false = none
};

// Our own environment as a list, for Command::environment.
std::vector<std::string> OwnEnvironment();

// How a process ended.
struct Ending {
  int exit_code = -1;  // -1 when it was ended by a signal
  int signal = 0;      // 0 when it exited
};

class Process {
 public:
  // Returns once the new program is running; a program that cannot be executed
  // is an error here, not an exit code later.
  static Result<Process> Start(const Command& command);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();  // ends a process that was not waited for

  pid_t pid() const { return pid_; }
  Ending Wait();

  // Whether it has ended; never waits. Until `Wait`, its number is not given
  // to another process.
  bool Ended();

  // Sends a signal: to the whole group if it has one of its own; then SIGKILL
  // also reaches whatever has left the group.
  void Signal(int number);

  // With a group of its own: becomes readable when it has ended.
  int end_fd() const { return line_.get(); }

 private:
  Process(pid_t pid, pid_t child, Fd line, std::optional<GuardedGroup> guarded)
      : pid_(pid),
        child_(child),
        line_(std::move(line)),
        guarded_(std::move(guarded)) {}

  // Takes the ending from the keeper. False if it is not there yet.
  bool TakeEnding();

  pid_t pid_;    // 0 = none
  pid_t child_;  // ours: the keeper, or the process itself
  Fd line_;      // to the keeper; none: there is none
  std::optional<GuardedGroup> guarded_;  // when it has a group of its own
  bool told_ = false;                    // `ending_` is known, nobody reaped
  bool ended_ = false;
  Ending ending_;
};

// Runs a command to its end and gives back what it wrote. Ends it when `limit`
// is over, or when nobody waits for us any more (base/patience.h). What it has
// left in a group of its own ends with it.
struct Capture {
  Ending ending;
  std::string out;
  std::string err;
  Enough cut = Enough::kNo;  // why it was ended before it was done
};
Result<Capture> RunToEnd(Command command,
                         std::optional<std::chrono::nanoseconds> limit = {});

// "exit code 3", "SIGSEGV".
std::string EndingText(const Ending& ending);
std::string SignalName(int number);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_SUBPROCESS_H_
