// cli/guard_training.h
//
// Training: runs a program free under the guard library that learns, again and
// again, and gathers what the good runs have shown.
//
// Sets of sites that touched nothing shared are gathered too, and left out of
// `sets`: a later run may show that they are shared after all.

#ifndef FAIRLEAD_CLI_GUARD_TRAINING_H_
#define FAIRLEAD_CLI_GUARD_TRAINING_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/invariant/belonging_sets.h"
#include "base/result.h"
#include "base/subprocess.h"
#include "cli/guard.h"
#include "trace/names.h"

namespace fairlead::cli {

class Training {
 public:
  // Kept as the training goes on: a point of the curve of convergence.
  struct Progress {
    uint64_t runs = 0;
    uint64_t good = 0;
    uint64_t failed = 0;
    uint64_t cut = 0;        // neither: out of time, or the judge said nothing
    uint64_t unchanged = 0;  // good runs in a row that added nothing
    size_t shared_sites = 0;
    size_t pairs = 0;
  };

  Training(TrainingOptions options, std::string program, Arguments argv)
      : options_(std::move(options)),
        program_(std::move(program)),
        argv_(std::move(argv)) {}

  // Runs the program until it is enough, or until nobody waits any more.
  // `on_run` is told after each run.
  Status Run(const std::function<void(const Progress&)>& on_run);

  const Progress& progress() const { return progress_; }
  // Of the shared sites.
  analysis::BelongingSets sets() const;
  // The instrumented modules, as the runs named them.
  const std::set<std::string>& modules() const { return modules_; }
  // How the last run that was not good ended, in words; "" = none.
  const std::string& last_failure() const { return last_failure_; }

 private:
  Status RunOnce(const std::string& library, const std::string& directory);
  // Whether a run was right; nothing = it cannot be said.
  Result<std::optional<bool>> Judge(const Capture& capture,
                                    const std::string& directory);
  Result<Capture> Execute(Command command);
  Result<Capture> ServeClient(Command command);
  Status Gather(const std::string& board);
  Status TakeBoard(const char* bytes);

  const TrainingOptions options_;
  const std::string program_;  // path
  const Arguments argv_;
  Progress progress_;
  analysis::BelongingSets all_;
  std::set<uint64_t> shared_;
  std::set<uint64_t> freed_alone_;  // sites (abi::kGuardOwnOnly)
  std::set<std::string> modules_;
  std::string last_failure_;
  std::string refusal_;  // what the judge said of the last run; "" = nothing
};

// Names of the sites of `modules`, by anchor.
std::map<uint64_t, trace::SiteName> SiteNamesOf(
    const std::set<std::string>& modules);
// "put() at cache.c:91".
std::string PlaceWordsOf(const std::map<uint64_t, trace::SiteName>& names,
                         uint64_t anchor);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_GUARD_TRAINING_H_
