#include "explore/campaign/found_list.h"

#include <algorithm>

#include "base/digest.h"
#include "base/elf_image.h"
#include "base/file.h"
#include "explore/campaign/confirm.h"
#include "explore/judge/describe.h"
#include "explore/names/schedule_of.h"
#include "finding/same_cause.h"

namespace fairlead::explore {
namespace {

std::optional<uint64_t> DigestOfInput(const std::string& path) {
  if (path.empty()) return {};
  // A pipe's contents are for the program, and a device's have no end.
  if (!IsRegularFile(path)) return {};
  const Result<uint64_t> digest = DigestOfFile(path);
  if (!digest) return {};
  return *digest;
}

}  // namespace

FoundList::FoundList(const CampaignOptions& options, Oracles& oracles)
    : options_(options),
      oracles_(oracles),
      identity_(IdentityOf(options.setting.program, options.setting.argv,
                           options.setting.environment)) {
  identity_.stdin_digest = DigestOfInput(options.setting.stdin_path);
}

FoundList::Added FoundList::Add(const Failure& failure,
                                const Finished& finished,
                                const UnderWay& execution, uint64_t number) {
  if (const auto known = by_key_.find(failure.key); known != by_key_.end()) {
    ++list_[known->second].times;
    return {.index = known->second};
  }
  if (execution.planned.iterations == 0) {
    return AddNew(failure, finished, execution, number);
  }
  const Result<std::optional<Alone>> alone = RunAlone(finished, execution);
  if (!alone) return {.unrepeated = true, .error = alone.error()};
  if (!*alone) return {.unrepeated = true};
  const Added added =
      Add((*alone)->failure, (*alone)->finished, (*alone)->execution, number);
  by_key_[failure.key] = added.index;
  return added;
}

Result<std::optional<FoundList::Alone>> FoundList::RunAlone(
    const Finished& finished, const UnderWay& execution) {
  const Result<Runner*> fresh = FreshRunner();
  if (!fresh) return fresh.error();
  Planned planned = execution.planned;
  planned.iterations = 0;
  planned.explore_call = finished.executed.outcome.explore_call;
  planned.explore_seed = finished.executed.outcome.explore_seed;
  Alone alone = {.execution = UnderWay(std::move(planned))};
  oracles_.Watch(alone.execution.watched);
  const Task task = TaskOf(options_, execution.quiet, alone.execution);
  Result<Finished> again = RunOne(**fresh, task);
  if (!again) return again.error();
  Judgement judgement = oracles_.Judge(*again, &alone.execution.watched);
  if (!judgement.failure) return std::optional<Alone>();
  alone.finished = *std::move(again);
  alone.failure = *std::move(judgement.failure);
  return std::optional(std::move(alone));
}

FoundList::Added FoundList::AddNew(const Failure& failure,
                                   const Finished& finished,
                                   const UnderWay& execution, uint64_t number) {
  const bool client = failure.kind == finding::Kind::kClient;
  if (client && lost_clients_[failure.key] >= kMaxLostClients) {
    return {.unrepeated = true};
  }
  Found found = Describe(failure, finished, execution);
  found.execution = number;
  // Two keys may turn out to be one cause once it has names.
  const auto same = std::ranges::find_if(list_, [&](const Found& other) {
    return other.finding.fingerprint == found.finding.fingerprint;
  });
  const auto index = static_cast<size_t>(same - list_.begin());
  if (same != list_.end()) {
    by_key_[failure.key] = index;
    ++same->times;
    return {.index = index};
  }
  Added added = {.index = index, .is_new = true};
  if (const Status repeated = Repeat(failure, found); !repeated) {
    added.error = repeated.error();
  }
  if (client && found.tried != 0 && found.repeated + found.followed == 0) {
    ++lost_clients_[failure.key];
    return {.unrepeated = true, .error = std::move(added.error)};
  }
  // What led there is known now: it may be the cause of another one, which then
  // stands for it, if it counts.
  const auto one = std::ranges::find_if(list_, [&](const Found& other) {
    return other.counts && finding::HaveOneCause(other.finding, found.finding);
  });
  if (one != list_.end()) {
    ++one->times;
    by_key_[failure.key] = static_cast<size_t>(one - list_.begin());
    return {.index = by_key_[failure.key], .error = std::move(added.error)};
  }
  by_key_[failure.key] = index;
  list_.push_back(std::move(found));
  return added;
}

Found FoundList::Describe(const Failure& failure, const Finished& finished,
                          const UnderWay& execution) {
  Namer namer(*finished.executed.memory);
  return Witnessed(explore::Describe(failure, finished, namer), finished,
                   execution);
}

Found FoundList::Witnessed(finding::Finding finding, const Finished& finished,
                           const UnderWay& execution) {
  Namer namer(*finished.executed.memory);
  Found found;
  found.finding = std::move(finding);
  found.strategy = FormatStrategySpec(execution.planned.strategy);
  // Its parameters are ours; they cannot be asked for.
  if (execution.planned.strategy.id == sched::StrategyId::kDirector) {
    found.strategy = "director";
  }
  found.seed = execution.planned.seed;
  if (const auto& aim = execution.planned.aim; aim != nullptr) {
    found.finding.witness.aim = *aim;
    const std::string& subject = aim->sentence;
    // What is forced may lie in a library, whose lines nobody knows.
    const bool known = subject.find("/usr/") == std::string::npos;
    found.finding.details.push_back(
        known ? "came up while this was forced: " + subject
              : "came up while a predicted interleaving was forced");
  }
  finding::Witness& witness = found.finding.witness;
  if (finished.executed.outcome.schedule_lost != 0) {
    found.finding.details.push_back(
        "its schedule was too long to be kept, so it cannot be replayed");
    return found;
  }
  trace::Schedule schedule = ScheduleOf(finished.executed, identity_, namer);
  schedule.tool = options_.tool;
  schedule.strategy = found.strategy;
  schedule.seed = found.seed;
  schedule.carrier = "fiber";
  schedule.outcome = finding::WordOf(found.finding.kind);
  witness.schedule = std::move(schedule);
  return found;
}

Result<Runner*> FoundList::FreshRunner() {
  if (fresh_ == nullptr) {
    Setting setting = options_.setting;
    setting.jobs = 1;
    setting.drive.clear();  // the schedule has what the client said
    Result<std::unique_ptr<Runner>> made = MakeFreshRunner(setting);
    if (!made) return made.error();
    fresh_ = *std::move(made);
  }
  return fresh_.get();
}

Status FoundList::Repeat(const Failure& failure, Found& found) {
  finding::Finding& finding = found.finding;
  finding.verdict = finding::Verdict::kUnknown;
  if (!finding.witness.schedule) return {};
  const Result<Runner*> fresh = FreshRunner();
  if (!fresh) return fresh.error();
  const Repetition repetition = {.schedule = &*finding.witness.schedule,
                                 .driven = !options_.setting.drive.empty(),
                                 .carrier = abi::CarrierId::kFiber,
                                 .timeout = options_.timeout};
  const Result<Confirmation> confirmed = Confirm(
      repetition, failure, options_.repeats, **fresh, oracles_, finding);
  if (!confirmed) return confirmed.error();
  found.repeated = confirmed->repeated;
  found.tried = confirmed->tried;
  found.followed = confirmed->followed;
  if (found.tried > 0 && found.repeated == found.tried) {
    finding.verdict = finding::Verdict::kConfirmed;
    return {};
  }
  if (found.tried == 0) {
    finding.details.push_back(
        "no time was left to repeat it; fairlead replay does");
    return {};
  }
  if (found.followed != 0) {
    finding.details.push_back(fmt::format(
        "repeated from its schedule the server did the same {} of {} times; "
        "its client is not run then, so that it fails again is not confirmed",
        found.followed, found.tried));
    return {};
  }
  const std::string forced = ForcedText(*finding.witness.schedule);
  finding.details.push_back(fmt::format(
      "repeated from its schedule it failed like this {} of {} times: {}",
      found.repeated, found.tried,
      forced.empty() ? "something is not under control" : forced));
  return {};
}

}  // namespace fairlead::explore
