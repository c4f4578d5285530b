// explore/judge/serial_references.h
//
// What a program gives when its threads run one after the other, each until it
// must wait: right by definition, in whatever order they do. There may be many
// orders, so that they are run when somebody asks, once each, and kept.
//
//   order of threads ─▶ reference (what was printed; if an oracle needs it, the
//                       state at its end, and its events)
//
// Unsound: an order that was not drawn in so many attempts is taken for one
// that does not give the output asked for; see DrawsFor.

#ifndef FAIRLEAD_EXPLORE_JUDGE_SERIAL_REFERENCES_H_
#define FAIRLEAD_EXPLORE_JUDGE_SERIAL_REFERENCES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/run/runner.h"
#include "explore/run/strategy_spec.h"
#include "explore/watch/program_state.h"
#include "explore/watch/watched.h"

namespace fairlead::explore {

// An order of threads. Any number but those below names the order that is drawn
// from the campaign's seed by it; two numbers may come to the same order.
enum class SerialOrder : uint64_t {
  kOldestFirst = ~uint64_t{0},  // as they were made
};

// How an execution in that order is planned.
struct SerialPlan {
  StrategySpec strategy;
  uint64_t seed = 0;
};
SerialPlan PlanOf(SerialOrder order, uint64_t campaign_seed);

// What of references somebody compares with.
struct ReferenceNeeds {
  bool output = false;
  bool state = false;
  bool trace = false;

  bool any() const { return output || state || trace; }
  void Add(const ReferenceNeeds& other) {
    output |= other.output;
    state |= other.state;
    trace |= other.trace;
  }
};

struct SerialReference {
  std::string output;
  // At its end; null = nobody needs it.
  std::shared_ptr<const ProgramState> state = {};
  // Null = nobody needs it, or there are too many (ReferenceWatch). Sites that
  // share nothing may be missing.
  std::shared_ptr<const std::vector<trace::Event>> events = {};
};

// Lets what is needed besides the output be seen in an execution that is to be.
void WatchReference(ReferenceNeeds needs, Watched& watched);
// `watched` was given to WatchReference before the execution began.
SerialReference ReferenceOf(const Finished& finished, const Watched& watched);

class SerialReferences {
 public:
  // Runs the program in that order. Nothing = it fails there, or is cut. An
  // error = nothing more can be run, at least now.
  using Run =
      std::function<Result<std::optional<SerialReference>>(SerialOrder)>;

  explicit SerialReferences(Run run) : run_(std::move(run)) {}

  // Orders that a campaign runs at its beginning, from 0: they show a program
  // that prints another thing each time without anything being in doubt.
  static constexpr uint64_t kNumFirst = 8;

  // Of an order that somebody else has run.
  void Keep(SerialOrder order, SerialReference reference);

  // Whether none is known.
  bool empty() const { return num_references_ == 0; }
  // One of the outputs that are known; there must be one.
  const std::string& AnOutput() const { return *outputs_.begin(); }

  // One that is known; there must be one.
  const SerialReference& AReference() const;

  // Whether what `fits` wants is what some order of so many threads gives. Runs
  // orders as GiveOutput does.
  using Fits = std::function<bool(const SerialReference& reference)>;
  bool Give(const Fits& fits, uint64_t num_threads);

  // Whether some order of so many threads gives this output. Runs orders until
  // one does, each once for all calls; false if no more can be run.
  bool GiveOutput(const std::string& output, uint64_t num_threads);

 private:
  // False = nothing more can be run.
  bool Know(SerialOrder order);

  Run run_;
  std::map<SerialOrder, std::optional<SerialReference>> known_;  // none = fails
  uint64_t num_references_ = 0;
  std::set<std::string> outputs_;  // of all
};

// How many executions show each order of so many threads, nearly for sure.
uint64_t DrawsFor(uint64_t num_threads);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_SERIAL_REFERENCES_H_
