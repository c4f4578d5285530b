// explore/judge/oracle.h
//
// One way to find an execution wrong. Oracles are kept as a list
// (explore/judge/oracles.h), which asks them in the order of oracles.inc; each
// is a file of its own that ends with its maker. Cheap for executions that are
// ok, since a campaign has thousands a second.
//
// How to add one: docs/howto/extend/oracle.md.
// Threads: one.

#ifndef FAIRLEAD_EXPLORE_JUDGE_ORACLE_H_
#define FAIRLEAD_EXPLORE_JUDGE_ORACLE_H_

#include <memory>
#include <optional>
#include <vector>

#include "explore/judge/judgement.h"
#include "explore/judge/outcome_oracle.h"
#include "explore/judge/serial_references.h"
#include "explore/run/runner.h"
#include "explore/watch/event_stream.h"

namespace fairlead::explore {

// What an oracle goes by.
struct Evidence {
  const Finished& finished;
  // It came to its end, or failed by itself; of others no oracle is asked.
  const OutcomeJudgement& outcome;
  // A failure that does not count is the reason for its exit code.
  bool exit_is_explained = false;
  // What the oracle's own `Watch` made for this execution, which has seen all
  // of its events; null where it made nothing, and where events could not be
  // seen, as those of closures that run in one process.
  EventObserver* watched = nullptr;
};

struct Opinion {
  // What is wrong, the failure that says most first; others matter where it
  // does not count. Empty = nothing.
  std::vector<Failure> failures = {};
  // Why there is no opinion: cut, stopped or unable. Ends the judging.
  std::optional<Judgement> none = {};
  // The failures are about its exit code as well.
  bool explains_exit = false;
  // Where nothing counted so far but something is wrong, nothing more can be
  // judged by: the program did not come to its end, for instance.
  bool is_last = false;
};

class Oracle {
 public:
  virtual ~Oracle() = default;

  // An observer for the events of an execution that is to be; several may be
  // under way. Sites that share nothing may be idle, and then have no events.
  // Null = it does not go by events, which costs less.
  virtual std::unique_ptr<EventObserver> Watch() { return nullptr; }

  // Asked once for each execution in which those before have found nothing that
  // counts; again if what it finds does not count.
  virtual Opinion Judge(const Evidence& evidence) = 0;

  // What it compares of serial references, if it does.
  virtual ReferenceNeeds Needs() const { return {}; }

  // Whether it compares executions with others of the program at all. It is
  // then not asked whether an execution can be a reference, and neither are
  // those after it.
  virtual bool Compares() const { return Needs().any(); }
};

// What an oracle is made from.
struct OracleSetting {
  Expectations expectations = {};
  SerialReferences* references = nullptr;  // null = there are none
};

// Makers, in the order of asking. Null = the setting has no use for it.
#define FL_ORACLE(name) \
  std::unique_ptr<Oracle> Make##name##Oracle(const OracleSetting& setting);
#include "explore/judge/oracles.inc"
#undef FL_ORACLE

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_ORACLE_H_
