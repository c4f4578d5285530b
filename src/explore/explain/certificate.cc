#include "explore/explain/certificate.h"

#include <algorithm>
#include <set>

#include "base/patience.h"
#include "base/text.h"
#include "explore/explain/forbids.h"
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

// The first edge whose sides were not both reached.
std::optional<size_t> NotReached(const finding::Ordering& ordering,
                                 const Forbids& forbids,
                                 const std::vector<size_t>& edges) {
  for (const size_t edge : edges) {
    const finding::TargetEdge& of = ordering.target.edges[edge];
    for (const uint32_t step : {of.before, of.after}) {
      if (!forbids.Reached(step)) return step;
    }
  }
  return {};
}

std::vector<size_t> AllEdges(const finding::Ordering& ordering) {
  std::vector<size_t> edges(ordering.target.edges.size());
  for (size_t i = 0; i < edges.size(); ++i) edges[i] = i;
  return edges;
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

std::vector<std::string> MatchLines(const finding::Ordering& ordering,
                                    const std::vector<StepMatch>& matches) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < matches.size(); ++i) {
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
  const auto missing = std::ranges::find_if(
      certificate.matches,
      [](const StepMatch& match) { return !match.found(); });
  if (missing != certificate.matches.end()) {
    const std::string reason =
        fmt::format("step {} was not found again: {}",
                    missing - certificate.matches.begin() + 1, missing->why);
    return Unknown(std::move(certificate), reason);
  }
  const finding::Ordering here = WithMatches(ordering, certificate.matches);
  Forbids forbids(here);
  uint64_t others = 0;
  std::string other;
  uint64_t cut = 0;
  while (certificate.forced.tried < options.attempts && !ShouldStop()) {
    const uint64_t number = certificate.forced.tried;
    TraceKeeper keeper;
    const Result<Likeness> likeness = trials.Force(
        &here.target, number, number < kWatched ? &keeper : nullptr);
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
  const std::optional<size_t> unreached =
      NotReached(here, forbids, forbidden ? forbidden->edges : AllEdges(here));
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
  certificate.forbidden = forbidden->edges;
  certificate.forbids = forbidden->by;
  certificate.reason =
      fmt::format("none of {} attempts failed, and what forbids it is {}",
                  options.attempts, forbidden->by);
  return certificate;
}

}  // namespace fairlead::explore
