// cli/rerun.h
//
// What `fairlead replay` needs to repeat a finding: the finding out of the
// store, the program as it is now, and the commands of the store that the user
// allows. A store may come from anywhere: nothing in it is run unasked.

#ifndef FAIRLEAD_CLI_RERUN_H_
#define FAIRLEAD_CLI_RERUN_H_

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "cli/scratch.h"
#include "explore/campaign/confirm.h"
#include "store/store.h"

namespace fairlead::cli {

struct ReplayOptions {
  std::string id;
  std::string store;
  uint64_t times = 1;
  std::string carrier = "fiber";
  std::string trace;  // file for the events of the first time; "" = none
  std::vector<std::string> gdb_arguments;
  bool gdb = false;
  bool force = false;
  std::string judge;   // "" = that of the store, if it may be run
  std::string before;  // likewise
  bool allow_stored_commands = false;
  bool times_given = false;
  bool json = false;  // of a bug file
};

class Rerun {
 public:
  explicit Rerun(const ReplayOptions& options) : options_(options) {}

  // Before all else. Says which program runs.
  Status Prepare();

  explore::Expectations ExpectationsOf() const;
  explore::Repetition RepetitionOf() const;

  store::FindingId id() const { return id_; }
  const finding::Finding& finding() const { return stored_.finding; }
  const trace::Schedule& schedule() const {
    return *stored_.finding.witness.schedule;
  }
  const explore::Setting& setting() const { return setting_; }
  // Why following the schedule may fail; "" = nothing is known.
  const std::string& doubt() const { return doubt_; }

 private:
  Status PrepareProgram();
  std::string PathOfProgram() const;
  Status ChooseJudge();
  Status ChooseBefore();
  Status AllowProgram(const std::string& path) const;

  const ReplayOptions& options_;
  store::FindingId id_ = {};
  store::StoredFinding stored_;
  explore::Setting setting_;
  std::string judge_;               // a command; "" = none is needed
  std::string before_;              // likewise
  std::optional<Scratch> scratch_;  // of private directories
  std::string doubt_;
};

// What a campaign's setting has under this key; "" = no text.
std::string TextOf(const Json& setting, const char* key);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_RERUN_H_
