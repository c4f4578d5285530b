#include "explore/aim/attempts.h"

#include <fmt/core.h>

#include <bit>

#include "base/text.h"

namespace fairlead::explore {
namespace {

bool IsFurther(const abi::TargetProgress& a, const abi::TargetProgress& b) {
  return std::popcount(a.best) > std::popcount(b.best);
}

std::string StepText(const finding::Target& target, size_t index) {
  const finding::TargetStep& step = target.steps[index];
  std::string text = fmt::format("step {} ({}: {}", index + 1, step.thread,
                                 finding::WordOf(step.operation));
  if (!step.object.empty()) text += " " + step.object;
  if (!step.place.file.empty()) {
    text += fmt::format(", {}:{}", step.place.file, step.place.line);
  }
  return text + ")";
}

// What is known of a step that was not done.
std::string WhyNotStep(const abi::TargetProgress& progress, uint64_t bit) {
  if ((progress.other_value & bit) != 0) return "came only with other values";
  if ((progress.in_sight & bit) != 0) {
    return "came, but never behind what must be done before it";
  }
  if ((progress.other_object & bit) != 0) return "came only on other objects";
  if ((progress.other_context & bit) != 0) return "came only by other calls";
  if ((progress.other_thread & bit) != 0) {
    return "came only in threads that have another part";
  }
  return "never came: no thread stood before it in time";
}

}  // namespace

std::optional<Prepared> Attempts::Prepare() {
  if (realised_) return realised_;
  // What earlier campaigns have learnt of it is not known.
  if (num_made_ < NumPlain() || num_learnt_ == 0) {
    return approach_.AsItIs(num_made_);
  }
  if (std::optional<Prepared> prepared = approach_.Next()) return prepared;
  if (!policy_.fill) return {};
  return approach_.AsItIs(num_made_ % NumPlain());
}

std::optional<Attempt> Attempts::Next() {
  if (state_ != State::kOpen) return {};
  std::optional<Prepared> prepared;
  if (num_made_ < policy_.most) prepared = Prepare();
  if (!prepared) {
    state_ = realised_ ? State::kHarmless : State::kGivenUp;
    return {};
  }
  under_way_ = *prepared;
  state_ = State::kUnderWay;
  const uint64_t number = num_made_++;
  return Attempt{.prepared = *std::move(prepared),
                 .number = number,
                 .base = under_way_.anew ? 0 : number,
                 .watch = number >= policy_.watch_from};
}

bool Attempts::Learn(const AttemptEnd& end) {
  const abi::TargetProgress own = OwnProgress(end.progress, under_way_.own);
  approach_.Sighted(own.in_sight);
  if (end.seen != nullptr) approach_.Learn(end.seen);
  const bool shows = end.realised && (!realised_ || end.failed);
  const bool furthest =
      num_learnt_++ == 0 || shows || (!realised_ && IsFurther(own, progress_));
  if (furthest) progress_ = own;
  progress_.in_sight = approach_.in_sight();
  if (end.realised && !realised_) {
    realised_ = under_way_;
    realised_->anew = false;
    realised_in_ = num_made_;
  }
  state_ = State::kOpen;
  if (end.failed) {
    state_ = State::kFailed;
  } else if (realised_ && !policy_.insist) {
    state_ = State::kHarmless;
  } else if (num_made_ >= policy_.most ||
             (num_made_ >= NumPlain() && !policy_.fill &&
              !approach_.Misses())) {
    state_ = realised_ ? State::kHarmless : State::kGivenUp;
  }
  return furthest;
}

std::vector<std::string> Attempts::Tried() const {
  switch (state_) {
    case State::kFailed:
      return {fmt::format("attempt {} made the program fail", num_made_)};
    case State::kHarmless:
      return {fmt::format("it happened in attempt {}, and nothing failed",
                          realised_in_)};
    case State::kOpen:
    case State::kUnderWay:
      if (num_made_ == 0) return {"not forced: the search ended before"};
      return {fmt::format("{} made, then the search ended",
                          Counted(num_made_, "attempt"))};
    case State::kGivenUp:
      break;
  }
  std::vector<std::string> lines = {
      fmt::format("it did not happen in {}", Counted(num_made_, "attempt"))};
  for (std::string& line : WhyNot(target(), progress_)) {
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> WhyNot(const finding::Target& target,
                                const abi::TargetProgress& progress) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < target.steps.size(); ++i) {
    const auto bit = uint64_t{1} << i;
    if ((progress.best & bit) != 0) continue;
    lines.push_back(StepText(target, i) + " " + WhyNotStep(progress, bit));
  }
  if (progress.restarts != 0) {
    lines.push_back(fmt::format(
        "{} times the order or a window broke, since nobody else could go on",
        progress.restarts));
  }
  if (progress.too_far != 0) {
    lines.push_back(fmt::format(
        "{} times a thread went further than two steps may be apart",
        progress.too_far));
  }
  if (progress.given_up == abi::TargetGivenUp::kThrashing) {
    lines.push_back("given up: it went on breaking");
  }
  return lines;
}

}  // namespace fairlead::explore
