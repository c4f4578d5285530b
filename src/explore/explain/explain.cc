#include "explore/explain/explain.h"

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/witness.h"
#include "explore/explain/step_names.h"
#include "explore/judge/describe.h"

namespace fairlead::explore {
namespace {

// What is shown of an execution that failed. Where the output was wrong, what
// was wrong about it is not known any more: threads stay as they were.
finding::Witness WitnessOf(const Subject& subject, const Finished& finished,
                           TraceKeeper& keeper) {
  Oracles oracles(subject.expectations);
  const Judgement judgement = oracles.Judge(finished);
  finding::Finding small = *subject.finding;
  Namer namer(*finished.executed.memory);
  if (judgement.failure) {
    const finding::Finding described =
        Describe(*judgement.failure, finished, namer);
    small.witness.threads = described.witness.threads;
  }
  KeepWitness(finished, judgement, keeper, small);
  return std::move(small.witness);
}

Status NotVerified(const Verified& verified) {
  if (ShouldStop()) {
    return Error(ErrorCode::kUnknown)
        .Say("no time was left to verify the smaller schedule");
  }
  return Error(ErrorCode::kUnknown)
      .Say(
          "the smaller schedule failed {} of {} times on fibers and {} of {} "
          "on threads, so the original is kept",
          verified.fibers.failed, verified.fibers.tried,
          verified.threads.failed, verified.threads.tried);
}

}  // namespace

Result<Explained> Explain(const Subject& subject,
                          const ExplainOptions& options) {
  Result<std::unique_ptr<Trials>> trials = Trials::Make(subject);
  if (!trials) return trials.error();
  Result<Minimised> minimised = Minimise(**trials, options.limit);
  if (!minimised) return minimised.error();
  const Result<Verified> verified =
      Verify(subject, minimised->schedule, options.verify);
  if (!verified) return verified.error();
  const bool whole = verified->fibers.tried == options.verify &&
                     verified->threads.tried == options.verify;
  if (!whole || !verified->all()) return NotVerified(*verified).error();

  Explained explained;
  finding::Explanation& explanation = explained.explanation;
  explanation.before = minimised->before;
  explanation.after = minimised->after;
  explanation.executions = minimised->executions;
  explanation.fibers = verified->fibers;
  explanation.threads = verified->threads;
  // What it shows is best seen with every site told, where that can be had.
  TraceKeeper all;
  const Result<Likeness> told = (*trials)->FollowTold(minimised->schedule, all);
  if (!told) return told.error();
  const bool seen = *told == Likeness::kSame && !all.lost_events();
  if (seen) explanation.witness = WitnessOf(subject, (*trials)->last(), all);
  // Inputs of the small one were recorded anew.
  TraceKeeper keeper;
  const Result<Likeness> again =
      (*trials)->FollowExactly(minimised->schedule, &keeper);
  if (!again) return again.error();
  if (*again != Likeness::kSame) return NotVerified(*verified).error();
  if (!seen)
    explanation.witness = WitnessOf(subject, (*trials)->last(), keeper);
  explanation.witness.schedule = minimised->schedule;
  if (!options.orders) return explained;
  Namer namer(*(*trials)->last().executed.memory);
  Result<SearchedOrdering> searched =
      SearchOrdering(**trials, keeper.Take(namer), options.ordering);
  if (!searched) return searched.error();
  explained.no_orders = std::move(searched->why);
  explanation.ordering = std::move(searched->ordering);
  if (explanation.ordering) {
    NameSteps(subject.setting.program.path, *explanation.ordering);
  }
  return explained;
}

}  // namespace fairlead::explore
