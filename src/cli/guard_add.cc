// `fairlead guard add`: from a finding to a guard for its sites alone.

#include <stdio.h>

#include <memory>
#include <queue>

#include "abi/guard_rules.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/findings.h"
#include "cli/guard.h"
#include "cli/guard_facts.h"
#include "cli/guard_training.h"
#include "cli/print.h"
#include "cli/rerun.h"
#include "explore/run/interrupt.h"

namespace fairlead::cli {
namespace {

using analysis::BelongingSets;
using analysis::Predecessor;
using finding::Kind;

// Why a kind has no guard; "" = it has one, if its sites share memory.
std::string_view WhyNone(Kind kind) {
  switch (kind) {
    case Kind::kDeadlock:
      return "threads that wait for each other's locks cannot be helped by "
             "making one of them wait";
    case Kind::kLostWakeup:
      return "a signal that came too early is no access to memory";
    case Kind::kLivelock:
      return "threads that only repeat themselves are not helped by waiting";
    case Kind::kMisuse:
    case Kind::kCancel:
      return "what is misused is a primitive, and not memory";
    default:
      return "";
  }
}

// The sites that the finding speaks of, by anchor.
std::set<uint64_t> AnchorsOf(const finding::Finding& finding) {
  std::set<uint64_t> anchors;
  for (const finding::Where& where : finding.sites) {
    if (where.anchor != 0) anchors.insert(where.anchor);
  }
  const trace::Trace& slice = finding.witness.slice;
  for (const trace::Event& event : slice.events) {
    const auto site = slice.names.sites.find(event.site);
    if (event.instrumented() && site != slice.names.sites.end()) {
      anchors.insert(site->second.anchor);
    }
  }
  return anchors;
}

// `seeds` and all sites that meet them, directly or not: whoever touches a
// location together is guarded together, since a site that is left out would
// make others look like neighbours there.
std::set<uint64_t> GroupOf(const BelongingSets& sets,
                           const std::set<uint64_t>& seeds) {
  std::map<uint64_t, std::set<uint64_t>> neighbours;
  for (const auto& [site, set] : sets.sets()) {
    if (site == abi::kFreeAnchor) continue;
    for (const Predecessor& each : set) {
      if (each.site == 0) continue;
      neighbours[site].insert(each.site);
      neighbours[each.site].insert(site);
    }
  }
  std::set<uint64_t> group;
  std::queue<uint64_t> next;
  for (const uint64_t seed : seeds) {
    if (neighbours.contains(seed) && group.insert(seed).second) next.push(seed);
  }
  for (; !next.empty(); next.pop()) {
    for (const uint64_t other : neighbours[next.front()]) {
      if (group.insert(other).second) next.push(other);
    }
  }
  if (!group.empty()) group.insert(abi::kFreeAnchor);
  return group;
}

Error NoGuard(const std::string& id, std::string_view why) {
  return Error(ErrorCode::kUsage)
      .Say("there is no guard for finding {}: {}", id, why)
      .Hint("docs/reference/guard.md says what becomes of which kind");
}

}  // namespace

Result<ExitCode> GuardAdd(const GuardAddOptions& options) {
  ReplayOptions replay;
  replay.id = options.id;
  replay.store = options.store;
  replay.judge = options.training.judge;
  Rerun rerun(replay);
  if (Status prepared = rerun.Prepare(); !prepared) return prepared.error();
  const std::string_view why = WhyNone(rerun.finding().kind);
  if (!why.empty()) return NoGuard(options.id, why);
  const std::set<uint64_t> seeds = AnchorsOf(rerun.finding());

  TrainingOptions asked = options.training;
  for (const int code : rerun.ExpectationsOf().ok_exits) {
    asked.ok_exits.push_back(code);
  }
  if (asked.stdin_path.empty()) asked.stdin_path = rerun.setting().stdin_path;
  const explore::InterruptWatch interrupts;
  const std::string& path = rerun.setting().program.path;
  Training training(asked, path, rerun.setting().argv);
  const Status ran = training.Run([](const Training::Progress&) {});
  if (!ran) return ran.error();
  if (training.progress().good == 0) {
    return NoGuard(options.id,
                   "no run of the program was right, so nobody "
                   "knows which order is meant");
  }
  const BelongingSets sets = training.sets();
  const std::set<uint64_t> group = GroupOf(sets, seeds);
  const BelongingSets guarded =
      sets.Only([&](uint64_t site) { return group.contains(site); });
  if (guarded.num_sites() == 0) {
    return NoGuard(options.id,
                   "none of its sites touched memory that threads share in "
                   "runs that were right");
  }
  const auto names = SiteNamesOf(training.modules());
  const auto words = [&](uint64_t anchor) {
    return PlaceWordsOf(names, anchor);
  };
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kCreate);
  if (!store) return store.error();
  const auto merged = (*store)->MergeFacts(FactsOfSets(
      guarded, fact::State::kAccepted, GuardName(path), kNativeSource, words));
  if (!merged) return merged.error();
  Note("guarded for finding {}: {} with {}, from {} of {}", options.id,
       Counted(guarded.num_sites(), "site"),
       Counted(guarded.num_pairs(), "predecessor"),
       Counted(training.progress().good, "good run"), training.progress().runs);
  for (const auto& [site, set] : guarded.sets()) {
    Print(stdout, fmt::format("{}\n", words(site)));
  }
  Note("run it guarded: fairlead guard run -- {}",
       ShellCommand(rerun.setting().argv));
  return ExitCode::kNothingFound;
}

}  // namespace fairlead::cli
