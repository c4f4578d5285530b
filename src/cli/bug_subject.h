// cli/bug_subject.h
//
// From a bug file, or a finding of the store, and the program that the user
// names, to what can be run. Of what the file says nothing is run, opened or
// entered unless the user gives it again or allows it.

#ifndef FAIRLEAD_CLI_BUG_SUBJECT_H_
#define FAIRLEAD_CLI_BUG_SUBJECT_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/scratch.h"
#include "explore/explain/trials.h"
#include "finding/bug_file.h"
#include "store/store.h"

namespace fairlead::cli {

struct BugOptions {
  std::string judge = {};
  std::string before = {};
  std::string input = {};  // file of standard input
  std::string store = {};  // for a finding by its number
  bool allow_stored_commands = false;
};
// Makes `command` read them, but for the store.
void AddBugOptions(CLI::App& command, BugOptions& options);

// Whether what the user wrote is a file rather than the number of a finding.
bool IsBugFile(const std::string& text);

finding::BugFile BugFileOf(const store::StoredFinding& stored);

// The file at that path, or the finding of that number out of the store.
Result<finding::BugFile> LoadBug(const std::string& text,
                                 const std::string& store);

class BugSubject {
 public:
  // `program` is what the user wrote behind `--`; empty = nothing.
  Status Prepare(finding::BugFile bug, const std::vector<std::string>& program,
                 const BugOptions& options);

  const finding::BugFile& bug() const { return bug_; }
  const explore::Setting& setting() const { return setting_; }
  // Whether it is the build that failed, with the arguments that it had.
  bool same_build() const { return same_build_; }
  // Along its exact schedule; in another build, with nothing of its schedule
  // but policies.
  explore::Subject Exact() const;
  explore::Subject Free() const;

 private:
  Status ChooseCommands(const BugOptions& options);
  Status ChooseArguments(const std::vector<std::string>& program,
                         const BugOptions& options);

  finding::BugFile bug_;
  std::vector<std::string> argv_;
  explore::Setting setting_;
  explore::Expectations expectations_;
  trace::Schedule free_;  // the schedule without what another build has not
  bool same_build_ = false;
  std::optional<Scratch> scratch_;
};

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_BUG_SUBJECT_H_
