// explore/judge/request_references.h
//
// What a program gives when its requests are served one at a time: right by
// definition, in whatever order. Orders are run when somebody asks, and kept.
// Each is run twice, the second time in another world (another date, other
// random numbers): what differs is the program's own, and is not compared.
//
//   order of requests ─▶ answers by position, state (lin::SerialRun)
//
// Also keeps what is told of a campaign's judgements at its end. Shared by all
// who judge executions of one program (Expectations::requests).
//
// Threads: one.

#ifndef FAIRLEAD_EXPLORE_JUDGE_REQUEST_REFERENCES_H_
#define FAIRLEAD_EXPLORE_JUDGE_REQUEST_REFERENCES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "abi/tables.h"
#include "base/result.h"
#include "lin/comparison.h"
#include "lin/request_judge.h"

namespace fairlead::explore {

enum class World : uint8_t { kOrdinary, kOther };

// An execution with its requests in order.
struct ServedInOrder {
  lin::RequestHistory history;
  lin::Components state;
  bool ended = false;  // it came to its end, as it should
};

// Of a campaign, for people.
struct RequestTally {
  uint64_t judged = 0;  // executions
  uint64_t wrong = 0;   // no order fits
  uint64_t latent = 0;  // of them: the answers fit
  uint64_t unknown = 0;
  uint64_t infeasible = 0;              // of those: every order blocks
  std::set<std::string> problems = {};  // why histories could not be judged
  std::map<std::string, bool> touched = {};  // as RequestWatch::touched
  std::set<std::string> disagreeing = {};    // likewise
};

class RequestReferences {
 public:
  using Order = std::vector<abi::RequestRecord>;
  // Serves the requests in that order. An error = nothing more can be run.
  using Run = std::function<Result<ServedInOrder>(const Order&, World)>;

  // Executions in order for one campaign: minutes, even in fresh processes.
  static constexpr uint64_t kMaxRuns = 20'000;

  explicit RequestReferences(Run run) : run_(std::move(run)) {}

  bool Knows(const Order& order) const { return known_.contains(KeyOf(order)); }
  // Null = it cannot be run.
  const lin::SerialRun* Of(const Order& order);

  lin::Comparison& comparison() { return comparison_; }
  RequestTally& tally() { return tally_; }
  uint64_t num_runs() const { return num_runs_; }
  size_t num_orders() const { return known_.size(); }

  // What there is to say at the end of a campaign, in lines; empty if no
  // request was seen.
  std::vector<std::string> Lines() const;
  // Why nothing is known though executions were judged; "" = it is known.
  std::string WhyUnknown() const;

 private:
  using Key = std::vector<std::pair<uint64_t, uint64_t>>;
  static Key KeyOf(const Order& order);
  void LearnOwn(const ServedInOrder& one, const ServedInOrder& two);

  Run run_;
  lin::Comparison comparison_;
  std::map<Key, lin::SerialRun> known_;
  uint64_t num_runs_ = 0;
  RequestTally tally_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_REQUEST_REFERENCES_H_
