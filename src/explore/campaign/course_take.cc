// explore/campaign/course_take.cc
//
// What came of an execution: it is counted, learnt from, and what failed is
// described, repeated and told to the observer.

#include "explore/campaign/course.h"
#include "explore/campaign/tally.h"

namespace fairlead::explore {

void Course::Take(const Finished& finished, UnderWay& execution) {
  TakeJudged(oracles_.Judge(finished, &execution.watched), finished, execution);
}

void Course::TakeJudged(Judgement judgement, const Finished& finished,
                        UnderWay& execution) {
  using End = Judgement::End;
  if (judgement.end == End::kStopped) {
    Interrupted();
    return;
  }
  if (ProgramChanged()) return;
  if (judgement.end == End::kUnable) {
    Fail(*std::move(judgement.error));
    return;
  }
  Progress& progress = result_.progress;
  if (judgement.end == End::kCut && execution.planned.iterations == 0 &&
      IsCutByTheEnd(judgement, finished, options_, progress)) {
    return;
  }
  CountExecution(execution, finished, result_);
  progress.elapsed = std::chrono::steady_clock::now() - began_;
  Observed::End end = Observed::End::kOk;
  if (judgement.end == End::kCut) {
    CountCut(judgement.reason, finished, result_);
    end = Observed::End::kCut;
  } else if (judgement.end == End::kFailed) {
    ++progress.failed;
    // What does not count, and did not keep it from its end, is no failure of
    // a schedule.
    const bool whole = finished.executed.outcome.status == abi::Status::kEnded;
    if (!judgement.silent || !whole) end = Observed::End::kFailed;
  }
  TakeLessons(finished, execution, end);
  claims_.Learn(*finished.executed.memory);
  last_found_.reset();
  TakeFailures(std::move(judgement), finished, execution);
  if (Status told = observer_.OnProgress(progress); !told) Fail(told.error());
}

// What nobody waits for any more is not learnt, since that takes time.
void Course::TakeLessons(const Finished& finished, UnderWay& execution,
                         Observed::End end) {
  if (ShouldStop()) return;
  Progress& progress = result_.progress;
  const Status learnt =
      lessons_.Take(finished, execution, end, progress, TimeSpent());
  if (const uint64_t behaviours = planner_.num_behaviours();
      behaviours != progress.behaviours) {
    progress.behaviours = behaviours;
    result_.last_new_behaviour = progress.executions;
  }
  if (!learnt) FailUnlessOver(learnt.error());
}

// A failure that does not count must not hide another one.
void Course::TakeFailures(Judgement judgement, const Finished& finished,
                          const UnderWay& execution) {
  while (judgement.failure) {
    const uint64_t key = judgement.failure->key;
    TakeFailure(*judgement.failure, finished, execution);
    if (over_ || judgement.silent || !last_found_ ||
        found_[*last_found_].counts) {
      return;
    }
    oracles_.Silence(key);
    judgement = oracles_.Judge(finished, &execution.watched);
    if (judgement.silent) return;
  }
}

// They come behind what has failed, and end nothing.
void Course::TellRaces() {
  result_.possible = races_.Possible();
  TellBeside(apart_.Take());
  TellBeside(races_.Take(result_.findings));
}

void Course::TellBeside(std::vector<Found> beside) {
  for (Found& found : beside) {
    const Result<bool> counts = observer_.OnFinding(found);
    if (!counts) {
      Fail(counts.error());
      return;
    }
    found.counts = *counts;
    result_.progress.num_findings += found.counts;
    result_.findings.push_back(std::move(found));
  }
}

void Course::TellForecasts() {
  forecasts_.Begin(lessons_.targets);  // unless they have been forced
  result_.forecasts = forecasts_.End(result_.findings);
  if (Status told = observer_.OnForecasts(result_.forecasts); !told) {
    Fail(told.error());
  }
}

void Course::TakeFailure(const Failure& failure, const Finished& finished,
                         const UnderWay& execution) {
  FoundList::Added added =
      found_.Add(failure, finished, execution, result_.progress.executions);
  // What another program did or did not do confirms nothing.
  if ((added.error || added.unrepeated) && ProgramChanged()) return;
  if (added.error) Fail(*std::move(added.error));
  if (added.unrepeated && failure.kind == finding::Kind::kClient) {
    if (result_.num_lost_clients++ == 0) {
      result_.lost_client = failure.cause;
      for (const std::string& detail : failure.details) {
        result_.lost_client += ", " + detail;
      }
    }
    return;
  }
  if (added.unrepeated) {
    ++result_.num_unrepeated;
    return;
  }
  last_found_ = added.index;
  if (execution.planned.aim != nullptr) {
    forecasts_.ShownBy(execution.planned.aim->prediction, added.index);
  }
  if (!added.is_new) return;
  Found& found = found_[added.index];
  const Result<bool> counts = observer_.OnFinding(found);
  if (!counts) {
    Fail(counts.error());
  } else {
    found.counts = *counts;
  }
  if (!found.counts) return;
  ++result_.progress.num_findings;
  if (!options_.keep_going) End(CampaignEnding::kFound);
}

}  // namespace fairlead::explore
