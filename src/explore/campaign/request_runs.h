// explore/campaign/request_runs.h
//
// Runs a program with its requests one at a time (strategy `serial`), for what
// they are compared with: in processes of their own, so that what a campaign
// judges meanwhile stays as it is. From a fork server where the program lets
// itself be forked, since a campaign may ask for hundreds.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_REQUEST_RUNS_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_REQUEST_RUNS_H_

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "explore/judge/request_references.h"
#include "explore/run/runner.h"
#include "finding/finding.h"

namespace fairlead::explore {

struct RequestRunsOptions {
  Setting setting;
  std::vector<int> ok_exits = {};
  std::optional<std::chrono::nanoseconds> timeout = {};  // of one execution
  uint64_t max_steps = 0;                                // of one; 0 = none
  bool fork = true;  // from a fork server, if that can be
};

// Nothing is run before an order is asked for.
std::shared_ptr<RequestReferences> MakeRequestReferences(
    RequestRunsOptions options);

// Whether repeating a finding of this kind needs them.
constexpr bool IsAboutRequests(finding::Kind kind) {
  return kind == finding::Kind::kWrongAnswer ||
         kind == finding::Kind::kCorruptedState;
}

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_REQUEST_RUNS_H_
