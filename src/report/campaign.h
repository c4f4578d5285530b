// report/campaign.h
//
// A campaign at its end: what was run, what was found, and what that means, as
// text and as JSON. Plain values; who fills them in decides the answer.

#ifndef FAIRLEAD_REPORT_CAMPAIGN_H_
#define FAIRLEAD_REPORT_CAMPAIGN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/json.h"
#include "finding/finding.h"

namespace fairlead::report {

// A finding of the campaign, with what the store made of it.
struct CampaignFinding {
  const finding::Finding* finding = nullptr;
  uint64_t id = 0;
  std::string novelty = {};   // "new", "known", …
  uint64_t execution = 0;     // that showed it first, from 1
  std::string strategy = {};  // of that one, with its parameters
  uint64_t seed = 0;          // likewise
  uint64_t times = 0;         // executions that showed it
  uint64_t repeated = 0;      // of `tried` repetitions
  uint64_t tried = 0;
  uint64_t followed = 0;  // of them: a server that did the same, clientless
  struct Command {
    std::string verb = {};  // "show"
    std::string line = {};
  };
  std::vector<Command> commands = {};  // what to do next
  std::string silenced = {};           // why it does not count; "" = it does
};

struct Campaign {
  // What was asked for.
  std::vector<std::string> argv = {};
  std::string strategy = {};
  uint64_t seed = 0;
  bool instrumented = false;
  bool driven = false;  // the program is a server with a client

  // What was run.
  std::string runner = {};
  uint64_t executions = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  double seconds = 0;
  uint32_t threads = 0;     // the most of an execution, under control
  uint64_t in_process = 0;  // executions of closures, many in one process
  uint64_t unrepeated = 0;  // failures of those that none showed alone
  uint64_t lost_clients = 0;
  std::string lost_client = {};  // what the first of those came to
  uint64_t clients = 0;          // executions whose client ran to its end
  struct Cut {
    std::string reason = {};
    uint64_t times = 0;
    std::vector<std::string> where = {};  // the first one was, in lines
  };
  std::vector<Cut> cuts = {};
  struct Share {
    std::string strategy = {};
    uint64_t executions = 0;
    uint64_t earned = 0;
  };
  std::vector<Share> shares = {};

  // What was seen.
  uint64_t behaviours = 0;
  uint64_t last_new_behaviour = 0;  // an execution, from 1
  uint64_t predicted = 0;           // interleavings that were forced
  uint64_t realised = 0;            // of them
  std::vector<std::string> harmless =
      {};  // of those: nothing failed; sentences
  std::vector<std::string> possible = {};  // data races that may be prevented
  uint64_t idle_sites = 0;
  struct Claim {
    std::string message = {};
    std::string where = {};
  };
  std::vector<Claim> never_true = {};
  uint64_t claims = 0;  // that the program made
  std::vector<std::string> company =
      {};  // threads, processes beside those tested
  std::vector<std::string> uncontrolled = {};         // lines
  std::vector<std::string> ignored_annotations = {};  // by name
  std::vector<std::string> requests = {};  // how they were judged, in lines
  std::string remark = {};
  std::vector<std::string> figures = {};  // how the search went

  // What came of it.
  std::vector<CampaignFinding> findings = {};  // that count, the worst first
  uint64_t silent = 0;                         // findings that do not count
  std::vector<CampaignFinding> silenced = {};  // those, as they were found
  std::string ending = {};                     // a word
  std::string why_ended = {};                  // a sentence
  std::string why_unknown = {};                // likewise; "" = it is known
  ExitCode exit = ExitCode::kNothingFound;
  std::optional<Error> error = {};
};

struct CampaignView {
  bool all = false;
  bool quiet = false;
  bool verbose = false;
};

std::string CampaignText(const Campaign& campaign, const CampaignView& view);
Json CampaignJson(const Campaign& campaign);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_CAMPAIGN_H_
