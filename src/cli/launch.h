// cli/launch.h
//
// What holds for all executions of one `fairlead run`: the program, the
// schedule that is followed, the profile. Makes the orders that carry them out.

#ifndef FAIRLEAD_CLI_LAUNCH_H_
#define FAIRLEAD_CLI_LAUNCH_H_

#include <memory>
#include <string>
#include <vector>

#include "cli/run_options.h"
#include "explore/judge/verdict.h"
#include "explore/names/schedule_of.h"
#include "explore/run/execution.h"
#include "explore/watch/profile.h"
#include "report/execution.h"

namespace fairlead::cli {

class Launch {
 public:
  Launch(RunOptions options, std::vector<std::string> argv)
      : options_(std::move(options)), argv_(std::move(argv)) {}

  // Before all else. Says what does not fit.
  Status Prepare();

  // Of one execution, of which `observer` sees the events; null = nobody.
  explore::Order OrderFor(explore::RecordObserver* observer) const;

  // Says on standard error what would be seen of a program that was compiled
  // with us, if this one was not.
  void SayWhatRecompilingAdds() const;

  const RunOptions& options() const { return options_; }
  const std::vector<std::string>& argv() const { return argv_; }
  // Valgrind and its options; empty = none.
  const std::vector<std::string>& through() const { return through_; }
  const explore::Program& program() const { return program_; }
  const trace::Identity& identity() const { return identity_; }
  // To follow; null = none.
  const trace::Schedule* schedule() const { return schedule_.get(); }
  const std::string& doubt() const { return doubt_; }

 private:
  Status PrepareSchedule();
  Status PrepareProfile();
  Status RefuseProgramAsOutput(const std::string& path) const;
  void Follow(explore::Order& order) const;

  RunOptions options_;
  std::vector<std::string> argv_;
  std::vector<std::string> through_;
  std::vector<std::string> environment_ = OwnEnvironment();
  explore::Program program_;
  std::string runtime_;
  trace::Identity identity_;
  std::unique_ptr<trace::Schedule> schedule_;
  explore::FollowedInputs inputs_;
  std::string doubt_;  // why following may fail
  explore::Profile profile_;
};

// `run --check-determinism`: repeats an execution and compares.
Result<ExitCode> CheckDeterminism(const Launch& launch);

// What reports say of a verdict.
report::Ended EndedOf(const explore::Verdict& verdict);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_LAUNCH_H_
