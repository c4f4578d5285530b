// report/finding_list.h
//
// Findings as they are kept: the list of them, and all about one, as text and
// as JSON.

#ifndef FAIRLEAD_REPORT_FINDING_LIST_H_
#define FAIRLEAD_REPORT_FINDING_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "finding/finding.h"
#include "report/interleaving.h"

namespace fairlead::report {

struct KeptFinding {
  const finding::Finding* finding = nullptr;
  int64_t id = 0;         // below 0: a prediction that none has shown
  std::string name = {};  // of the number: "7", "P1"
  std::string uuid = {};
  std::string program = {};     // in the store
  std::string typed_name = {};  // of the program, as the user wrote it
  std::string status = {};      // "open", …
  bool open = true;
  std::string first_build = {};  // build ids; "" = none
  std::string last_build = {};
  uint64_t first_execution = 0;
  uint64_t times = 0;
  uint64_t num_campaigns = 0;
  std::vector<std::string> argv = {};      // of the campaign
  std::vector<std::string> commands = {};  // what to do next, lines
  std::vector<std::string> facts = {};     // further lines about it

  bool predicted() const { return id < 0; }
};

// Those that an execution has shown first, then predictions; the most severe
// first.
struct FindingList {
  std::vector<KeptFinding> findings = {};
};
void Rank(FindingList& list);

// kOpen: without those cleared, ignored or refuted, and predictions that many
// programs mean as they are.
enum class Listed { kOpen, kAll };
std::string FindingsText(const FindingList& list, Listed listed);
Json FindingsJson(const FindingList& list);

// kHowItWasFound: also strategy, seed and target.
enum class Depth { kWhatHappened, kHowItWasFound };
std::string FindingText(const KeptFinding& kept, Depth depth, Rows rows,
                        size_t width);
Json FindingJson(const KeptFinding& kept);

// Function, file and line of each of its sites.
Json SitesJson(const finding::Finding& finding);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_FINDING_LIST_H_
