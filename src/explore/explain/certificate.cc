#include "explore/explain/certificate.h"

#include <algorithm>
#include <set>

#include "base/patience.h"
#include "base/text.h"
#include "explore/explain/forbids.h"
#include "explore/explain/ordering_evidence.h"
#include "explore/names/trace_keeper.h"

namespace fairlead::explore {
namespace {

// So many of the attempts are looked into.
constexpr uint64_t kWatched = 24;

Certificate Unknown(Certificate certificate, std::string reason) {
  certificate.verdict = FixVerdict::kUnknown;
  certificate.reason = std::move(reason);
  return certificate;
}

// The first step of a pair that was not reached.
std::optional<size_t> NotReached(const Forbids& forbids,
                                 const finding::StepPair& pair) {
  for (const uint32_t step : {pair.before, pair.after}) {
    if (!forbids.Reached(step)) return step;
  }
  return {};
}

// Where all pairs have one, the first.
std::optional<size_t> NoneReached(const Forbids& forbids) {
  std::optional<size_t> first;
  for (const finding::StepPair& pair : forbids.pairs()) {
    const std::optional<size_t> step = NotReached(forbids, pair);
    if (!step) return {};
    if (!first) first = step;
  }
  return first;
}

// What can be forced in the patched program: of the orders that were enough
// those with both places, or else those that are needed.
finding::Target TargetFor(const finding::Ordering& here,
                          const Forbids& forbids) {
  finding::Target target = here.target;
  std::erase_if(target.edges, [&](const finding::TargetEdge& edge) {
    return target.steps[edge.before].anchor == 0 ||
           target.steps[edge.after].anchor == 0;
  });
  for (const finding::StepPair& pair : forbids.pairs()) {
    if (!target.edges.empty()) break;
    target.edges.push_back({.before = pair.before, .after = pair.after});
  }
  return ForcedPart(std::move(target));
}

std::string PlaceOf(const StepMatch& match) {
  return fmt::format("{}:{}", match.place.file, match.place.line);
}

}  // namespace

std::string_view WordOf(FixVerdict verdict) {
  switch (verdict) {
    case FixVerdict::kFixed:
      return "fixed";
    case FixVerdict::kStillThere:
      return "still there";
    case FixVerdict::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::vector<std::string> MatchLines(
    const finding::Ordering& ordering, const std::vector<StepMatch>& matches,
    const std::vector<finding::StepPair>& pairs) {
  std::vector<std::string> lines;
  const auto names = [](size_t step) {
    return [step](const auto& pair) {
      return pair.before == step || pair.after == step;
    };
  };
  for (size_t i = 0; i < matches.size(); ++i) {
    if (std::ranges::none_of(ordering.target.edges, names(i)) &&
        std::ranges::none_of(pairs, names(i))) {
      continue;
    }
    const finding::TargetStep& step = ordering.target.steps[i];
    std::string line = fmt::format("step {}: {} at {}:{}", i + 1,
                                   finding::WordOf(step.operation),
                                   step.place.file, step.place.line);
    if (!ordering.names[i].function.empty()) {
      line += fmt::format(" ({})", ordering.names[i].function);
    }
    line += matches[i].found() ? fmt::format(": {}, {}", PlaceOf(matches[i]),
                                             WordsOf(matches[i].by))
                               : fmt::format(": {}: {}", WordsOf(matches[i].by),
                                             matches[i].why);
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<Certificate> CheckFix(Trials& trials, const finding::Ordering& ordering,
                             const trace::SiteTable& table,
                             const FixOptions& options) {
  Certificate certificate;
  certificate.matches = MatchSteps(ordering, table);
  const finding::Ordering here = WithMatches(ordering, certificate.matches);
  Forbids forbids(here, trials.subject().finding->kind);
  const auto missing = std::ranges::find_if(
      certificate.matches,
      [](const StepMatch& match) { return !match.found(); });
  // Where it is known what is needed, some of it is enough.
  if (missing != certificate.matches.end() &&
      (ordering.common.empty() || forbids.pairs().empty())) {
    const std::string reason =
        fmt::format("step {} was not found again: {}",
                    missing - certificate.matches.begin() + 1, missing->why);
    return Unknown(std::move(certificate), reason);
  }
  const finding::Target target = TargetFor(here, forbids);
  uint64_t others = 0;
  std::string other;
  uint64_t cut = 0;
  while (certificate.forced.tried < options.attempts && !ShouldStop()) {
    const uint64_t number = certificate.forced.tried;
    TraceKeeper keeper;
    const Result<Likeness> likeness =
        trials.Force(&target, number, number < kWatched ? &keeper : nullptr);
    if (!likeness) return likeness.error();
    if (*likeness == Likeness::kStopped) break;
    ++certificate.forced.tried;
    if (*likeness == Likeness::kSame) {
      ++certificate.forced.failed;
      certificate.verdict = FixVerdict::kStillThere;
      certificate.reason =
          fmt::format("it failed like the finding in attempt {}", number + 1);
      return certificate;
    }
    if (*likeness == Likeness::kOther) {
      ++others;
      other = trials.same().other();
    }
    cut += *likeness == Likeness::kNeither;
    if (*likeness != Likeness::kOk || number >= kWatched) continue;
    Namer namer(*trials.last().executed.memory);
    forbids.Learn(keeper.Take(namer));
  }
  if (certificate.forced.tried < options.attempts) {
    certificate.stopped = HadEnough() == Enough::kUser;
    return Unknown(std::move(certificate),
                   "it was stopped before all attempts");
  }
  if (others != 0) {
    return Unknown(std::move(certificate),
                   fmt::format("{} of {} attempts failed in another way: {}",
                               others, options.attempts, other));
  }
  if (cut == options.attempts) {
    return Unknown(std::move(certificate), "every attempt was cut short");
  }
  const std::optional<Forbidden> forbidden = forbids.Answer();
  std::optional<size_t> unreached;
  if (!forbidden) unreached = NoneReached(forbids);
  for (const size_t pair :
       forbidden ? forbidden->edges : std::vector<size_t>{}) {
    if (!unreached) unreached = NotReached(forbids, forbids.pairs()[pair]);
  }
  if (unreached) {
    const std::string reason = fmt::format(
        "step {}, at {}, was never reached while another thread "
        "was at its part: whether it could fail is not known",
        *unreached + 1, PlaceOf(certificate.matches[*unreached]));
    return Unknown(std::move(certificate), reason);
  }
  if (!forbidden) {
    return Unknown(std::move(certificate),
                   fmt::format("none of {} attempts failed, but no lock, order "
                               "or atomic operation is seen that forbids it",
                               options.attempts));
  }
  if (!ordering.sufficient()) {
    return Unknown(std::move(certificate),
                   fmt::format("none of {} attempts failed, and {} forbids the "
                               "orders; but these are not enough to make it "
                               "fail, so it may fail without them",
                               options.attempts, forbidden->by));
  }
  certificate.verdict = FixVerdict::kFixed;
  for (const size_t pair : forbidden->edges) {
    certificate.forbidden.push_back(forbids.pairs()[pair]);
  }
  certificate.forbids = forbidden->by;
  certificate.reason =
      fmt::format("none of {} attempts failed, and what forbids it is {}",
                  options.attempts, forbidden->by);
  return certificate;
}

}  // namespace fairlead::explore
