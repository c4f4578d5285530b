// finding/bug_file.h
//
// A bug that goes with a mail: a finding with its exact schedule, and with the
// orders that are enough to make it fail in another build. JSON, as described
// in docs/reference/bug-file.md.
//
// Untrusted: a bug file comes from anywhere. What is read out of it is data;
// what it names (a program, a judge, a directory, files) is run or opened by
// nobody here.

#ifndef FAIRLEAD_FINDING_BUG_FILE_H_
#define FAIRLEAD_FINDING_BUG_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "finding/explanation.h"
#include "finding/finding.h"

namespace fairlead::finding {

// History (newest first; readers refuse newer ones):
//   1  first layout.
inline constexpr uint64_t kBugFileVersion = 1;
inline constexpr size_t kMaxBugFileBytes = size_t{64} << 20;

// How the program was run.
struct BugCommand {
  std::vector<std::string> argv = {};
  std::string directory = {};
  std::string input = {};   // file of standard input; "" = none
  std::string before = {};  // command ahead of each execution
  std::string judge = {};   // command that judges
  bool fresh_directory = false;
  std::vector<int> ok_exits = {};
  double timeout = 0;  // seconds; 0 = none
};

struct BugFile {
  std::string tool = {};  // version that wrote it
  // With the small schedule as its witness' schedule; no slice.
  Finding finding = {};
  BugCommand command = {};
  std::optional<Ordering> ordering = {};
};

Json BugFileJson(const BugFile& bug);

// Refuses a newer version before it looks at anything else, and whatever is
// missing or of another type, by its name.
Result<BugFile> ParseBugFileUntrusted(std::string_view text);
Result<BugFile> LoadBugFile(const std::string& path);

// Whether two findings, perhaps of two builds, are the same failure: equal
// fingerprints; or, as these go by source lines, equal kinds in equal
// functions, and without any function, equal messages but for numbers.
bool IsSameBug(const Finding& one, const Finding& other);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_BUG_FILE_H_
