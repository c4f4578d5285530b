#include "explore/campaign/apart_list.h"

#include <algorithm>

#include "base/patience.h"
#include "explore/campaign/confirm.h"
#include "explore/names/object_names.h"
#include "explore/names/sources.h"
#include "explore/names/thread_names.h"
#include "explore/names/trace_keeper.h"
#include "explore/run/record_tee.h"
#include "explore/run/seeds.h"
#include "explore/run/target_record.h"
#include "finding/fingerprint.h"
#include "finding/slice_race.h"

namespace fairlead::explore {
namespace {

using analysis::asset::Effect;
using analysis::asset::UnitOrder;
using analysis::asset::UnitPair;

finding::Finding FindingOf(const finding::Aim& aim,
                           const std::string& difference, const Effect& mixed,
                           Namer& namer) {
  finding::Finding finding;
  finding.kind = finding::Kind::kTogether;
  finding.severity = finding::SeverityOf(finding.kind);
  finding.message = aim.sentence;
  finding.details.push_back(difference);
  finding.fingerprint = ApartList::FingerprintOf(aim.sentence);
  for (size_t unit = 0; unit < 2; ++unit) {
    for (const auto* access : {&mixed.first[unit], &mixed.last[unit]}) {
      finding::Where where =
          namer.OwnWhere(access->site, abi::kFlagInstrumented, access->node);
      if (std::ranges::find(finding.sites, where) == finding.sites.end()) {
        finding.sites.push_back(std::move(where));
      }
    }
  }
  return finding;
}

}  // namespace

bool IsApart(const ApartSeen& seen, const finding::Target& target) {
  return analysis::asset::FindPair(seen, target).has_value();
}

// The set and its fields: what stands ahead of the units.
uint64_t ApartList::FingerprintOf(const std::string& sentence) {
  size_t end = sentence.size();
  for (const std::string_view verb : {" are not updated", " is not left"}) {
    end = std::min(end, sentence.find(verb));
  }
  return finding::Fingerprint(finding::Kind::kTogether, sentence.substr(0, end),
                              {});
}

Result<ApartList::Effects> ApartList::RunInOrder(const finding::Target& target,
                                                 const finding::Target& serial,
                                                 const UnitPair& pair,
                                                 UnitOrder order,
                                                 const UnderWay& execution) {
  Effects effects;
  const Result<Runner*> fresh = found_.FreshRunner();
  if (!fresh) return fresh.error();
  for (uint64_t i = 0; i < kMostOfOrder && !ShouldStop(); ++i) {
    Planned planned = execution.planned;
    planned.strategy.params[0] = i;
    planned.seed = SeedOf(execution.planned.seed, SeedFor::kReference, i);
    planned.target = {RecordOf(serial)};
    planned.aim = nullptr;
    planned.watch = {};
    planned.watch.Want(WatcherId::kApart);
    UnderWay alone(std::move(planned));
    const Task task = TaskOf(options_, execution.quiet, alone);
    const Result<Finished> finished = RunOne(**fresh, task);
    if (!finished) return finished.error();
    alone.watched.End(*finished->executed.memory, places_);
    const ApartSeen* seen = alone.watched.By<ApartWatch>();
    if (seen == nullptr) continue;
    std::optional<Effect> effect =
        analysis::asset::EffectOf(*seen, target, pair);
    if (!effect || effect->disturbed) continue;
    // Units of the same code may change their threads.
    effects.push_back(*std::move(effect));
    if (std::ranges::count(effects, order, &Effect::order) == 2) break;
  }
  return effects;
}

Status ApartList::Add(const ApartSeen& seen, const Finished& finished,
                      const UnderWay& execution, uint64_t number, bool hurry) {
  if (execution.planned.aim == nullptr || hurry) return {};
  const finding::Aim& aim = *execution.planned.aim;
  if (ProgressOf(*finished.executed.memory).success == 0) return {};
  const uint64_t fingerprint = FingerprintOf(aim.sentence);
  const auto known = std::ranges::find_if(list_, [&](const Found& found) {
    return found.finding.fingerprint == fingerprint;
  });
  if (known != list_.end()) {
    ++known->times;
    return {};
  }
  if (num_looked_at_[aim.prediction]++ == kMostOfPrediction) return {};
  const auto pair = analysis::asset::FindPair(seen, aim.target);
  if (!pair) return {};
  const std::optional<Effect> mixed =
      analysis::asset::EffectOf(seen, aim.target, *pair);
  if (!mixed || mixed->disturbed) return {};
  Effects effects;
  for (const UnitOrder order :
       {UnitOrder::kFirstFirst, UnitOrder::kOtherFirst}) {
    const finding::Target serial =
        analysis::asset::SerialTarget(seen, aim.target, *mixed, order);
    Result<Effects> ran =
        RunInOrder(aim.target, serial, *pair, order, execution);
    if (!ran) return ran.error();
    for (Effect& each : *ran) effects.push_back(std::move(each));
  }
  const std::string difference =
      analysis::asset::Difference(*mixed, effects, effects);
  if (difference.empty()) return {};
  Namer namer(*finished.executed.memory);
  Found found = found_.Witnessed(FindingOf(aim, difference, *mixed, namer),
                                 finished, execution);
  found.execution = number;
  if (Status repeated = Repeat(found); !repeated) return repeated;
  list_.push_back(std::move(found));
  return {};
}

Status ApartList::Repeat(Found& found) {
  finding::Witness& witness = found.finding.witness;
  if (!witness.schedule || !witness.aim) return {};
  const Result<Runner*> fresh = found_.FreshRunner();
  if (!fresh) return fresh.error();
  const Repetition repetition = {.schedule = &*witness.schedule,
                                 .driven = !options_.setting.drive.empty(),
                                 .carrier = abi::CarrierId::kFiber,
                                 .timeout = options_.timeout};
  const FollowedInputs inputs = LayOutInputs(witness.schedule->inputs);
  for (uint64_t i = 0; i < options_.repeats && !ShouldStop(); ++i) {
    Task task = TaskFor(repetition, inputs);
    TraceKeeper keeper;
    ApartWatch watch;
    EventStream stream(watch);
    RecordTee tee;
    if (found.repeated == 0) tee.Add(keeper);
    tee.Add(stream);
    task.plan.flags |= watch.plan_flags();
    task.observer = &tee;
    const Result<Finished> finished = RunOne(**fresh, task);
    if (!finished) return finished.error();
    if (ShouldStop()) break;
    ++found.tried;
    Namer namer(*finished->executed.memory);
    const ApartSeen seen = watch.Finish(namer);
    const auto pair = analysis::asset::FindPair(seen, witness.aim->target);
    if (!pair) continue;
    if (found.repeated++ != 0) continue;
    const std::optional<Effect> effect =
        analysis::asset::EffectOf(seen, witness.aim->target, *pair);
    if (!effect) continue;
    const trace::Trace whole = keeper.Take(namer);
    const auto [earlier, later] =
        std::minmax({effect->first[1].seq, effect->last[0].seq});
    witness.slice = finding::SliceForRace(whole, earlier, later);
    NameThreads(whole, found.finding);
    NameObjects(finished->executed, whole, keeper, namer, {}, found.finding);
    witness.sources = SourcesOf(found.finding, namer);
  }
  found.finding.verdict = found.tried > 0 && found.repeated == found.tried
                              ? finding::Verdict::kConfirmed
                              : finding::Verdict::kUnknown;
  return {};
}

}  // namespace fairlead::explore
