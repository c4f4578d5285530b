#include "explore/explain/minimise.h"

#include <algorithm>
#include <cstdlib>

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/explain/stable_order.h"

namespace fairlead::explore {
namespace {

// A preemption is moved to the nearest places first, and to no more than these.
constexpr size_t kMostMoves = 48;
constexpr size_t kMostPlaces = 20'000;
// With so many preemptions left, it begins from the other end, too.
constexpr uint64_t kMany = 2;

class Minimiser {
 public:
  Minimiser(Trials& trials, uint64_t limit)
      : trials_(trials), limit_(trials.num_made() + limit) {}

  Result<Minimised> Run() {
    const uint64_t before = trials_.num_made();
    Take();  // the execution along the original
    Minimised minimised = {.schedule = *trials_.subject().schedule,
                           .before = size_,
                           .after = size_};
    schedule_ = minimised.schedule;
    if (Result<bool> done = Try(sketch_, true); !done) return done.error();
    if (!fails_) {
      return Error(ErrorCode::kUnknown)
          .Say(
              "its choices alone do not make it fail: what came from outside "
              "decides");
    }
    if (Status done = DropAll(); !done) return done.error();
    if (size_.preemptions >= kMany) {
      const Result<bool> few = TryFew();
      if (!few) return few.error();
    }
    if (Status done = Shrink(); !done) return done.error();
    minimised.schedule = std::move(schedule_);
    minimised.after = size_;
    minimised.executions = trials_.num_made() - before;
    minimised.stopped = Over();
    return minimised;
  }

 private:
  bool Over() const { return ShouldStop() || trials_.num_made() >= limit_; }

  void Take() {
    Sketched sketched = SketchOf(trials_.last().executed);
    sketch_ = std::move(sketched.sketch);
    size_ = sketched.size;
    places_ = PlacesPassed(trials_.last().executed, kMostPlaces);
  }

  // Whether `sketch` fails, and is no larger than what there is; it is taken
  // over then. `first` is taken in any case.
  Result<bool> Try(const Sketch& sketch, bool first = false) {
    const Result<Likeness> likeness = trials_.FollowSketch(sketch);
    if (!likeness) return likeness.error();
    if (*likeness != Likeness::kSame) return false;
    fails_ = true;
    const Sketched now = SketchOf(trials_.last().executed);
    const auto rank = [](const Sketch& of, const finding::ScheduleSize& size) {
      return std::tuple(size.preemptions, of.size(), size.switches,
                        size.threads, size.steps);
    };
    if (!first && rank(now.sketch, now.size) >= rank(sketch_, size_)) {
      return false;
    }
    Take();
    schedule_ = trials_.ScheduleOfLast();
    return true;
  }

  Status Shrink() {
    for (bool smaller = true; smaller;) {
      if (Status done = DropAll(); !done) return done.error();
      Result<bool> moved = MoveOne();
      if (!moved) return moved.error();
      smaller = *moved;
    }
    return {};
  }

  // `sketch`; if that does not fail, and sleeps passed at once in what there
  // is, with those of it passing as well.
  Result<bool> TryAwake(const Sketch& sketch, bool slept) {
    const Result<bool> done = Try(sketch);
    if (!done || *done || !slept) return done;
    Sketch awake = SleepsOf(trials_.last().executed);
    if (awake.empty()) return false;
    awake.insert(awake.end(), sketch.begin(), sketch.end());
    return Try(awake);
  }

  // From the other end, where what is left out makes threads do other parts of
  // the work, so that the rest means something else: no preemption, or a single
  // one. Where it preempts now first, and late ones before early ones. True =
  // something smaller fails.
  Result<bool> TryFew() {
    const Sketch sketch = sketch_;
    const bool slept = std::ranges::any_of(sketch, [](const auto& record) {
      return !record.preempts && record.choice.next == record.choice.left;
    });
    const Result<bool> none = TryAwake({}, slept);
    if (!none || *none) return none;
    std::vector<SketchRecord> singles;
    for (const Passed& place :
         PlacesPassed(trials_.last().executed, kMostPlaces)) {
      for (const abi::Tid other : place.others) {
        singles.push_back({.choice = {.next = other,
                                      .left = place.running,
                                      .count = place.count,
                                      .anchor = place.site,
                                      .option = 0,
                                      .way = 0},
                           .preempts = true});
      }
    }
    std::ranges::reverse(singles);
    SortStablyBy(singles, [&](const SketchRecord& single) {
      const bool known = std::ranges::any_of(sketch, [&](const auto& record) {
        return record.preempts && record.choice.anchor == single.choice.anchor;
      });
      return known ? 0 : 1;
    });
    // Half of what is left is for moves.
    const uint64_t until = (trials_.num_made() + limit_) / 2;
    for (const SketchRecord& single : singles) {
      if (Over() || trials_.num_made() >= until) break;
      const Result<bool> done = TryAwake({single}, slept);
      if (!done || *done) return done;
    }
    return false;
  }

  // ddmin: leaves out parts, large ones first, until none can be left out.
  Status DropAll() {
    size_t parts = 2;
    while (!sketch_.empty() && !Over()) {
      parts = std::min(parts, sketch_.size());
      bool dropped = false;
      const size_t size = sketch_.size();
      for (size_t i = 0; i < parts && !Over(); ++i) {
        // What decides is often at the end, so the beginning goes first.
        const size_t begin = size * i / parts;
        const size_t end = size * (i + 1) / parts;
        Sketch rest;
        rest.insert(rest.end(), sketch_.begin(),
                    sketch_.begin() + static_cast<ptrdiff_t>(begin));
        rest.insert(rest.end(), sketch_.begin() + static_cast<ptrdiff_t>(end),
                    sketch_.end());
        const Result<bool> done = Try(rest);
        if (!done) return done.error();
        if (*done) {
          dropped = true;
          break;
        }
      }
      if (dropped) {
        parts = std::max<size_t>(parts - 1, 2);
      } else if (parts >= sketch_.size()) {
        break;
      } else {
        parts *= 2;
      }
    }
    return {};
  }

  // Places where `record` could happen instead, the nearest first.
  Sketch OthersOf(const SketchRecord& record) const {
    Sketch others;
    for (const Passed& place : places_) {
      if (place.running != record.choice.left ||
          place.count == record.choice.count) {
        continue;
      }
      if (std::ranges::find(place.others, record.choice.next) ==
          place.others.end()) {
        continue;
      }
      SketchRecord moved = record;
      moved.choice.count = place.count;
      moved.choice.anchor = place.site;
      others.push_back(moved);
    }
    const auto distance = [&](const SketchRecord& other) {
      return std::abs(static_cast<int64_t>(other.choice.count) -
                      static_cast<int64_t>(record.choice.count));
    };
    SortStablyBy(others, distance);
    if (others.size() > kMostMoves) others.resize(kMostMoves);
    return others;
  }

  // One preemption less, with another one elsewhere. True = found.
  Result<bool> MoveOne() {
    const Sketch sketch = sketch_;
    for (size_t drop = 0; drop < sketch.size(); ++drop) {
      if (!sketch[drop].preempts) continue;
      for (size_t move = 0; move < sketch.size(); ++move) {
        if (move == drop || !sketch[move].preempts) continue;
        for (const SketchRecord& other : OthersOf(sketch[move])) {
          if (Over()) return false;
          Sketch candidate = sketch;
          candidate[move] = other;
          candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(drop));
          const Result<bool> done = Try(candidate);
          if (!done || *done) return done;
        }
      }
    }
    return false;
  }

  Trials& trials_;
  uint64_t limit_;
  Sketch sketch_;
  finding::ScheduleSize size_;
  std::vector<Passed> places_;
  trace::Schedule schedule_;
  bool fails_ = false;
};

Result<finding::Count> VerifyOn(abi::CarrierId carrier, const Subject& subject,
                                const trace::Schedule& schedule, uint64_t times,
                                Runner& runner) {
  SameFailure same(*subject.finding, subject.expectations);
  const Repetition repetition = {
      .schedule = &schedule, .carrier = carrier, .timeout = subject.timeout};
  const FollowedInputs inputs = LayOutInputs(schedule.inputs);
  finding::Count count;
  while (count.tried < times && !ShouldStop()) {
    const Result<Finished> finished =
        RunOne(runner, TaskFor(repetition, inputs));
    if (!finished) return finished.error();
    const Likeness likeness = same.Judge(*finished);
    if (likeness == Likeness::kStopped) break;
    ++count.tried;
    if (likeness != Likeness::kSame) break;
    ++count.failed;
  }
  return count;
}

}  // namespace

Result<Minimised> Minimise(Trials& trials, uint64_t limit) {
  return Minimiser(trials, limit).Run();
}

Result<Verified> Verify(const Subject& subject, const trace::Schedule& schedule,
                        uint64_t times) {
  Result<std::unique_ptr<Runner>> runner = MakeFreshRunner(subject.setting);
  if (!runner) return runner.error();
  Verified verified;
  for (const auto carrier : {abi::CarrierId::kFiber, abi::CarrierId::kThread}) {
    const Result<finding::Count> count =
        VerifyOn(carrier, subject, schedule, times, **runner);
    if (!count) return count.error();
    (carrier == abi::CarrierId::kFiber ? verified.fibers : verified.threads) =
        *count;
    if (count->failed != times) break;
  }
  return verified;
}

}  // namespace fairlead::explore
