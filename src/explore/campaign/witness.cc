#include "explore/campaign/witness.h"

#include <algorithm>

#include "base/text.h"
#include "explore/names/object_names.h"
#include "explore/names/sources.h"
#include "explore/names/thread_names.h"
#include "finding/deciding.h"
#include "finding/outcome.h"
#include "finding/sentence.h"
#include "finding/slice_for.h"

namespace fairlead::explore {
namespace {

// Whether it is only at the end that something is wrong.
bool IsWrongResult(finding::Kind kind) {
  return finding::OutcomeOf(kind) == finding::Outcome::kWrongEnd &&
         kind != finding::Kind::kMisuse;
}

std::vector<finding::Stuck> StuckIn(const abi::Outcome& outcome, Namer& namer) {
  std::vector<finding::Stuck> stuck;
  const size_t waits = std::min<size_t>(outcome.num_waits, abi::kMaxWaits);
  for (size_t i = 0; i < waits; ++i) {
    const abi::WaitRecord& wait = outcome.waits[i];
    stuck.push_back(
        {.thread = wait.thread,
         .holder = wait.holder,
         .operation = wait.op,
         .object = wait.object,
         .in_cycle = wait.in_cycle == 1,
         .where = namer.OwnWhere(wait.site, wait.site_flags, wait.node)});
  }
  return stuck;
}

finding::SliceOrder SliceOrderOf(const finding::Finding& finding,
                                 const abi::Outcome& outcome, Namer& namer) {
  finding::SliceOrder order;
  const finding::Kind kind = finding.kind;
  order.stuck = StuckIn(outcome, namer);
  if (finding.witness.aim) {
    for (const finding::TargetStep& step : finding.witness.aim->target.steps) {
      if (step.anchor == 0) continue;
      order.forced[step.anchor] = {
          .writes = step.operation == finding::Operation::kWrite,
          .place = step.place};
    }
  }
  order.at_fault = outcome.thread;
  order.result_is_wrong = IsWrongResult(kind);
  if (outcome.misuse != abi::Misuse::kNone) {
    order.at_fault = outcome.misused.thread;
    order.touched.insert(outcome.misused.object);
  }
  if (outcome.fault_address != 0) order.touched.insert(outcome.fault_address);
  for (const finding::Stuck& stuck : order.stuck) {
    order.waited_for.insert(stuck.object);
  }
  // Their rows say what they wait for.
  order.max_deciding -= std::min(order.stuck.size(), order.max_deciding / 2);
  return order;
}

// A sanitizer says itself which memory its report is about.
void AddReported(const Failure& failure, finding::SliceOrder& order) {
  if (failure.kind != finding::Kind::kSanitizer) return;
  constexpr std::string_view kMark = " on address ";
  for (const std::string_view line : failure.details) {
    const size_t at = line.find(kMark);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + kMark.size());
    const auto address = ParseNumber(rest.substr(0, rest.find(' ')));
    if (address) order.touched.insert(*address);
  }
}

// Locks that are held at what is shown.
std::set<uint64_t> LocksOf(const finding::Sliced& sliced) {
  std::set<uint64_t> locks;
  for (const auto& [position, held] : sliced.held) {
    for (const auto& [lock, taken] : held) locks.insert(lock);
  }
  return locks;
}

}  // namespace

void KeepWitness(const Finished& finished, const Judgement& judgement,
                 TraceKeeper& keeper, finding::Finding& finding) {
  const abi::Outcome& outcome = finished.executed.outcome;
  Namer namer(*finished.executed.memory);
  finding::SliceOrder order = SliceOrderOf(finding, outcome, namer);
  if (judgement.failure) AddReported(*judgement.failure, order);
  if (judgement.failure && finding.kind == finding::Kind::kTest) {
    order.failed_at = judgement.failure->place.place;
  }
  const trace::Trace whole = keeper.Take(namer);
  finding::Sliced sliced = finding::SliceWithStory(whole, order);
  finding.witness.slice = std::move(sliced.trace);
  NameThreads(whole, finding);
  NameObjects(finished.executed, whole, keeper, namer, LocksOf(sliced),
              finding);
  sliced.trace = finding.witness.slice;
  finding.witness.deciding = finding::DecidingOf(sliced, whole, order.stuck);
  finding.witness.explanation =
      finding::SentenceOf(finding.kind, sliced, whole, order.stuck);
  // Of several variables no single access tells; what was forced does.
  const std::optional<finding::Aim>& aim = finding.witness.aim;
  if (finding.witness.explanation.empty() && aim &&
      aim->target.kind == "together") {
    finding.witness.explanation = "data out of step: " + aim->sentence;
  }
  finding.witness.sources = SourcesOf(finding, namer);
}

}  // namespace fairlead::explore
