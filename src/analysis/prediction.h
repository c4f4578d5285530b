// analysis/prediction.h
//
// What an analysis says: an interleaving that could go wrong, as a target, and
// the events of the execution that it was seen from. While events stream by,
// sites are numbers; `Resolve` turns them into anchors and places when the
// execution's names are known.

#ifndef FAIRLEAD_ANALYSIS_PREDICTION_H_
#define FAIRLEAD_ANALYSIS_PREDICTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "finding/target.h"
#include "order/access.h"
#include "trace/names.h"

namespace fairlead::analysis {

using trace::Tid;

// Of a prediction that fields which belong together are changed or seen apart
// (analysis/asset/together.h): what, and by which units of work.
struct Apart {
  uint8_t pattern = 0;              // of the paper
  std::string_view sentence;        // what is wrong with it
  std::string set;                  // a class; "" = the statics of a file
  std::string file;                 // of statics
  std::vector<std::string> fields;  // one or two; "" = named by its address
  std::vector<uint64_t> addresses;  // by field: where it was
  struct Unit {
    const trace::FunctionName* function = nullptr;  // null = code in no unit
    uint32_t node = 0;                              // calls that lead into it
  };
  Unit units[2];
  std::vector<uint8_t> unit_of;  // by step
};

struct Prediction {
  std::string_view analysis;  // Analysis::name
  std::string_view kind;      // what it is: "data race", "deadlock", …
  // The execution itself shows it: no reordering is needed to call it wrong.
  bool seen = false;
  // False: many programs do such a thing on purpose, so that it is worth
  // telling only if forcing it shows something.
  bool likely = true;
  // Steps at one place are told apart by the calls that lead there.
  bool by_calls = false;
  finding::Target target;  // anchors are filled in by Resolve
  // By step: the event that the step was seen as.
  std::vector<order::Spot> spots;
  // By step: where its thread should wait for its turn; site 0 = there.
  std::vector<order::Spot> holds;
  // By object of the target: where it was in this execution.
  std::vector<uint64_t> addresses;
  // Of the block that it is about: its allocation, and its size. Site 0 = it is
  // about something else.
  order::Spot made = {};
  uint64_t made_bytes = 0;
  std::shared_ptr<const Apart> apart = nullptr;  // null = of another sort
};

class PredictionSink {
 public:
  virtual ~PredictionSink() = default;
  virtual void Report(Prediction prediction) = 0;
};

// Keeps predictions up to a number, and counts the rest.
class PredictionList final : public PredictionSink {
 public:
  explicit PredictionList(size_t limit = 1000) : limit_(limit) {}
  void Report(Prediction prediction) override;
  std::vector<Prediction>& predictions() { return predictions_; }
  size_t num_left_out() const { return num_left_out_; }

 private:
  size_t limit_;
  std::vector<Prediction> predictions_;
  size_t num_left_out_ = 0;
};

// Fills in anchors and places of the target's steps. Sites that have
// no name keep the anchor 0, which stands for any site.
void Resolve(Prediction& prediction, const trace::Names& names);

// The calls that lead to a node (abi/context.h), equal in every execution and
// as a director compares it; 0 for the root and for what has no name.
uint64_t ContextOf(uint32_t node, const trace::Names& names);

// "data race on counter", and "write at a.c:3 (worker)" for each step.
std::string SubjectOf(const Prediction& prediction, const trace::Names& names);
std::vector<std::string> StepLines(const Prediction& prediction,
                                   const trace::Names& names);

// Where each step was, for suppressions.
std::vector<finding::Where> PlacesOf(const Prediction& prediction,
                                     const trace::Names& names);

// Both: "data race on counter: write at a.c:3 (worker), read at a.c:9 (main)".
std::string SentenceOf(const Prediction& prediction, const trace::Names& names);

// A target with this kind; steps and edges are added by the calls below.
Prediction NewPrediction(std::string_view analysis, std::string_view kind);
// Adds an object; the name of its role is given out.
std::string AddObject(Prediction& prediction, std::string name,
                      uint64_t address,
                      finding::Relation relation = finding::Relation::kItself,
                      std::string other = "");
// Adds a step of what `spot` did, and gives out its index. Threads get roles
// a, b, c… by their order of appearance.
uint32_t AddStep(Prediction& prediction, const order::Spot& spot,
                 std::string object);

// What a step that was seen as this event does.
finding::Operation OperationOf(trace::EventKind kind);

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_PREDICTION_H_
