// report/shown.h
//
// Findings as other people's tools want them, whether a campaign has just made
// them or a store keeps them: what SARIF, JUnit, Markdown and annotations are
// rendered from. Points into the model that it was made of.

#ifndef FAIRLEAD_REPORT_SHOWN_H_
#define FAIRLEAD_REPORT_SHOWN_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/exit_code.h"
#include "report/campaign.h"
#include "report/finding_list.h"

namespace fairlead::report {

struct ShownFinding {
  const finding::Finding* finding = nullptr;
  std::string name = {};      // "7", "P1"; "" = it is not kept
  std::string novelty = {};   // "new", "known", "back again"; "" = not asked
  bool cleared = false;       // somebody says that it is fixed
  std::string silenced = {};  // why it does not count; "" = it does
  std::vector<std::string> facts = {};
  std::vector<std::string> commands = {};  // what to do next, lines

  bool predicted() const {
    return finding->verdict == finding::Verdict::kPredicted ||
           finding->verdict == finding::Verdict::kRefuted;
  }
};

struct Shown {
  std::string program = {};
  std::vector<std::string> argv = {};
  std::vector<ShownFinding> findings = {};
  double seconds = 0;
  uint64_t executions = 0;
  std::string why_unknown = {};  // "" = it is known
  ExitCode exit = ExitCode::kNothingFound;
};

Shown ShownOf(const Campaign& campaign);
// Open ones, and those that are ignored, which say so; all with Listed::kAll.
Shown ShownOf(const FindingList& list, Listed listed);
Shown ShownOf(const KeptFinding& kept);

// "data race: main and main/1 …".
std::string TitleText(const finding::Finding& finding);

// Where it is in the source: its first site that has a line, else the innermost
// frame of a thread that has one; null = nobody knows.
const finding::Where* MainPlace(const finding::Finding& finding);

// `file` as named from the directory `root`, if it is below that.
std::string_view BelowRoot(std::string_view file, std::string_view root);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_SHOWN_H_
