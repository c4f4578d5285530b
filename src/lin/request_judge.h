// lin/request_judge.h
//
// Are the answers of an execution, and the state that it leaves, those of some
// order of its requests? (Fonseca, Li and Rodrigues, Finding complex
// concurrency bugs in large multi-threaded applications, EuroSys 2011.) The
// specification is the program itself, run one request at a time: a function
// from an order to answers and state. An order is a linearization if it keeps
// what precedes what; one of them must fit *both*.
//
//   answers fit none               ─▶ no: a wrong answer
//   answers fit some, both none    ─▶ no, and latent: nobody has been told
//                                     anything wrong yet, but what is left is
//
// Depth first over linearizations. What two orders have in common at their
// begin they have answered alike, so that one execution refutes all that begin
// as it does up to its first wrong answer; few orders are ever run.
//
// A request that never ended may have taken effect or not, and may have been
// answered anything. An order in which a request waits for ever is none that a
// program can come by; where all are like that, nothing is known.
//
// Assumes: what the program does with one order is determined by it, but for
// what `Comparison` takes back.

#ifndef FAIRLEAD_LIN_REQUEST_JUDGE_H_
#define FAIRLEAD_LIN_REQUEST_JUDGE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lin/comparison.h"
#include "lin/requests.h"
#include "lin/search.h"

namespace fairlead::lin {

// What the program gave with its requests in one order.
struct SerialRun {
  struct Served {
    std::string asks;
    Answer answer;
  };
  std::vector<Served> served = {};  // by position; fewer = there it blocks
  // None = it did not come to its end.
  std::optional<Components> state = {};
};

// Null = it cannot be run, at least now: nothing more is asked.
using Specification = std::function<const SerialRun*(const RequestOrder&)>;

// Of an order that was asked for.
struct OrderFit {
  RequestOrder order = {};
  size_t legal = 0;  // requests from its begin on that are answered alike
  bool infeasible = false;  // it blocks before the first wrong answer
  bool answers = false;
  bool state = false;  // as far as it is known
};

struct RequestJudgement {
  Verdict verdict = Verdict::kUnknown;
  std::vector<OrderFit> fits = {};  // as they were asked for, the last of kYes
  bool answers_fit = false;         // those of some linearization
  bool all_infeasible = false;      // why it is unknown

  bool IsLatent() const { return verdict == Verdict::kNo && answers_fit; }
  // The one that says most: longest legal, of these one that leaves the right
  // state. None = none was asked for.
  const OrderFit* Best() const;
};

RequestJudgement Judge(const RequestHistory& history, const Components& state,
                       const Comparison& comparison,
                       const Specification& specification);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_REQUEST_JUDGE_H_
