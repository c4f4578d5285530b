// iRoots of a program by strategies, for bench/maple.py.
//
//   driver RUNTIME watch STRATEGY SEED EXECUTIONS -- PROGRAM ARGS…
//       runs so many executions, all of them watched, and prints
//       "e NUMBER ROOT" for each iRoot when it is first exposed, "f NUMBER" for
//       the first failure, and at the end "n EXECUTIONS SECONDS"
//   driver RUNTIME cost SEED ROUNDS [CLIENT] -- PROGRAM ARGS…
//       prints the seconds of the first profile execution, in which all sites
//       tell; the least of so many later ones; the least of as many under the
//       director, or 0 if nothing is predicted; and how many iRoots are. The
//       program is a server if there is the command of a client.
//   driver RUNTIME force SEED ATTEMPTS -- PROGRAM ARGS…
//       reads iRoots, one a line, and prints "ATTEMPT ROOT": the attempt that
//       exposed it, counted from 1, or 0
//   driver RUNTIME predict SEED -- PROGRAM ARGS…
//       profiles and forces as `fairlead test --strategy maple` does, and
//       prints the iRoots predicted

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "bench/driver.h"
#include "explore/aim/iroot_target.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/under_way.h"
#include "explore/plan/idle_sites.h"
#include "explore/plan/maple_planner.h"
#include "explore/run/seeds.h"
#include "explore/run/target_record.h"
#include "explore/watch/profile.h"
#include "sched/director_strategy.h"

namespace fairlead::explore {
namespace {

class Driver {
 public:
  // 0 = an execution may take as long as it likes.
  explicit Driver(uint64_t max_steps) : max_steps_(max_steps) {}

  Status Prepare(const std::string& runtime, std::vector<std::string> argv,
                 std::string client) {
    Setting setting;
    driven_ = !client.empty();
    setting.drive = std::move(client);
    auto runner = bench::MakeRunner(runtime, argv, setting);
    if (!runner) return runner.error();
    runner_ = *std::move(runner);
    // Which sites are shared, and a first set of candidates.
    Planned first;
    first.strategy = DefaultSpec(sched::StrategyId::kFirst);
    first.sites = Sites::kAll;
    first.iroots = IRootsWanted::kPredicted;
    Profiler profiler;
    Result<Ran> ran = Run(first, &profiler);
    if (!ran) return ran.error();
    Learn(profiler, *ran);
    first_ = std::move(ran->seen);
    num_predicted_ = first_.predicted.size();
    first_seconds_ = ran->seconds;
    return {};
  }

  Status Watch(const std::string& strategy, uint64_t seed,
               uint64_t executions) {
    Memo memo;
    std::unique_ptr<Planner> planner;
    if (strategy != "maple") {
      auto made = MakePlanner(strategy, seed);
      if (!made) return made.error();
      planner = *std::move(made);
    }
    // As `fairlead test` does it.
    if (strategy == "maple" || strategy == "auto") {
      memo.Learn(first_, places_.facts(), 0);
      const MapleOptions options = {.seed = seed};
      planner =
          std::make_unique<MaplePlanner>(memo, options, std::move(planner));
    }
    std::unordered_map<IRoot, bool, analysis::iroot::IRootHash> told;
    const auto began = std::chrono::steady_clock::now();
    uint64_t number = 0;
    bool failed = false;
    while (number < executions) {
      std::optional<Planned> planned = planner->Next();
      if (!planned) break;
      if (planned->iroots == IRootsWanted::kNone) {
        planned->iroots = IRootsWanted::kExposed;
      }
      // The same sites tell whatever the strategy: else those that also show
      // what main wrote before there were threads would seem to cover more.
      planned->sites = Sites::kShared;
      Result<Ran> ran = Run(*planned, nullptr);
      if (!ran) return ran.error();
      ++number;
      if (ran->failed && !failed) fmt::print("f {}\n", number);
      failed |= ran->failed;
      for (const IRoot& root : ran->seen.exposed) {
        if (!told.emplace(root, true).second) continue;
        fmt::print("e {} {}\n", number, analysis::iroot::PrintIRoot(root));
      }
      Observed observed =
          ObservedOf(ran->finished.executed,
                     ran->failed ? Observed::End::kFailed : Observed::End::kOk);
      observed.iroots = &ran->seen;
      observed.facts = &places_.facts();
      planner->Learn(*planned, observed);
    }
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - began;
    fmt::print("n {} {:.3f}\n", number, took.count());
    return {};
  }

  Status Predict(uint64_t seed) {
    Memo memo;
    memo.Learn(first_, places_.facts(), 0);
    MaplePlanner planner(memo, {.seed = seed, .late = false}, nullptr);
    uint64_t number = 1;  // the first one has been
    for (auto planned = planner.Next(); planned; planned = planner.Next()) {
      if (idle_sites_.WantsProfile(++number)) {
        planned->sites = Sites::kShared;
        if (planned->target.empty()) {
          planned->iroots = IRootsWanted::kPredicted;
        }
        planned->profile = true;
      }
      Profiler profiler;
      Result<Ran> ran = Run(*planned, planned->profile ? &profiler : nullptr);
      if (!ran) return ran.error();
      Observed observed =
          ObservedOf(ran->finished.executed,
                     ran->failed ? Observed::End::kFailed : Observed::End::kOk);
      observed.iroots = &ran->seen;
      observed.facts = &places_.facts();
      if (planned->profile) Learn(profiler, *ran);
      planner.Learn(*planned, observed);
    }
    for (const MemoEntry& entry : memo.entries()) {
      if (!entry.predicted) continue;
      fmt::print("{}\n", analysis::iroot::PrintIRoot(entry.root));
    }
    return {};
  }

  Status Force(uint64_t seed, uint64_t attempts) {
    std::string line;
    while (std::getline(std::cin, line)) {
      const Result<IRoot> root = analysis::iroot::ParseIRootUntrusted(line);
      if (!root) return root.error();
      uint64_t reached = 0;
      for (uint64_t attempt = 0; attempt < attempts && reached == 0;
           ++attempt) {
        Planned planned;
        planned.strategy = DefaultSpec(sched::StrategyId::kDirector);
        planned.strategy.params[0] =
            attempt | sched::DirectorStrategy::kArbitrates;
        planned.seed = SeedOf(seed, SeedFor::kIRoot, attempt);
        const auto known =
            std::ranges::find(first_.predicted, *root,
                              &decltype(first_.predicted)::value_type::first);
        const bool as_seen =
            attempt % 2 == 0 && known != first_.predicted.end();
        planned.target.push_back(RecordOf(TargetOf(
            *root, places_.facts(), as_seen ? known->second : Candidate{})));
        planned.iroots = IRootsWanted::kExposed;
        const Result<Ran> ran = Run(planned, nullptr);
        if (!ran) return ran.error();
        const bool seen = std::ranges::find(ran->seen.exposed, *root) !=
                          ran->seen.exposed.end();
        if (seen) reached = attempt + 1;
      }
      fmt::print("{} {}\n", reached, line);
      fflush(stdout);
    }
    return {};
  }

  Status Cost(uint64_t seed, uint64_t rounds) {
    // What the first execution exposed would not be forced; if that is all
    // there is, it shows the cost as well.
    auto exposed =
        std::ranges::partition(first_.predicted, [&](const auto& each) {
          return std::ranges::find(first_.exposed, each.first) ==
                 first_.exposed.end();
        });
    if (exposed.begin() != first_.predicted.begin()) {
      first_.predicted.erase(exposed.begin(), exposed.end());
    }
    double later = 1e9;
    double director = 1e9;
    for (uint64_t round = 0; round < rounds; ++round) {
      // As the planner of `fairlead test` does it.
      Planned planned;
      planned.strategy = DefaultSpec(sched::StrategyId::kPctLarge);
      planned.seed = SeedOf(seed, SeedFor::kSearch, round);
      planned.iroots = IRootsWanted::kPredictedShared;
      planned.sites = Sites::kUnsettled;
      Result<Ran> ran = Run(planned, nullptr);
      if (!ran) return ran.error();
      later = std::min(later, ran->seconds);
      if (first_.predicted.empty()) continue;
      const size_t left = first_.predicted.size();
      const auto& [root, candidate] = first_.predicted[round * left / rounds];
      planned.strategy = DefaultSpec(sched::StrategyId::kDirector);
      planned.target.push_back(
          RecordOf(TargetOf(root, places_.facts(), candidate)));
      planned.iroots = IRootsWanted::kExposed;
      ran = Run(planned, nullptr);
      if (!ran) return ran.error();
      director = std::min(director, ran->seconds);
    }
    fmt::print("{:.4f} {:.4f} {:.4f} {}\n", first_seconds_, later,
               first_.predicted.empty() ? 0 : director, num_predicted_);
    return {};
  }

 private:
  struct Ran {
    Finished finished;
    IRootsSeen seen;
    bool failed = false;
    double seconds = 0;
  };

  void Learn(Profiler& profiler, const Ran& ran) {
    Namer namer(*ran.finished.executed.memory);
    idle_sites_.Learn(profiler.Use(*ran.finished.executed.memory, namer));
  }

  // With a profiler, all sites tell.
  Result<Ran> Run(const Planned& planned, Profiler* profiler) {
    IRootWatch watch(planned.iroots);
    EventStream stream(watch);
    if (profiler != nullptr) stream.Add(*profiler);
    finding::QuietSites quiet = idle_sites_.For(planned);
    if (profiler != nullptr) quiet = AllTold(quiet);
    Task task = bench::QuietTask();
    task.plan.max_steps = max_steps_;
    if (driven_) task.plan.flags |= abi::kPlanDriven;
    task.plan.flags |= abi::kPlanTrace | abi::kPlanRecord;
    planned.WriteTo(task.plan);
    task.follow.choices = planned.prefix;
    task.follow.weights = planned.weights;
    task.follow.target = planned.target;
    task.follow.idle_sites = quiet.idle;
    task.follow.ordered_sites = quiet.ordered;
    task.observer = &stream;
    const auto began = std::chrono::steady_clock::now();
    Result<Finished> finished = RunOne(*runner_, task);
    if (!finished) return finished.error();
    Ran ran = {.finished = *std::move(finished),
               .seen = {},
               .failed = false,
               .seconds = 0};
    const abi::Outcome& outcome = ran.finished.executed.outcome;
    ran.failed =
        outcome.status != abi::Status::kEnded || outcome.exit_code != 0;
    if (stream.status()) {
      ran.seen = watch.Finish(*ran.finished.executed.memory, places_);
    }
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - began;
    ran.seconds = took.count();
    return ran;
  }

  uint64_t max_steps_;
  bool driven_ = false;
  std::unique_ptr<Runner> runner_;
  IdleSites idle_sites_;
  PlaceNames places_;
  IRootsSeen first_;
  size_t num_predicted_ = 0;
  double first_seconds_ = 0;
};

Status Measure(const std::vector<std::string>& words) {
  const auto dashes = std::ranges::find(words, "--");
  const auto number = [&](size_t index) {
    return ParseNumber(words[index]).value_or(1);
  };
  const bool watch = dashes - words.begin() == 5 && words[1] == "watch";
  const bool force = dashes - words.begin() == 4 && words[1] == "force";
  const bool served = dashes - words.begin() == 5 && words[1] == "cost";
  const bool cost =
      served || (dashes - words.begin() == 4 && words[1] == "cost");
  const bool predict = dashes - words.begin() == 3 && words[1] == "predict";
  if ((!watch && !force && !cost && !predict) || dashes + 1 == words.end()) {
    return Error(ErrorCode::kUsage).Say("see the top of driver.cc");
  }
  Driver driver(cost ? 0 : bench::QuietTask().plan.max_steps);
  if (Status done = driver.Prepare(words[0], {dashes + 1, words.end()},
                                   served ? words[4] : "");
      !done) {
    return done;
  }
  if (predict) return driver.Predict(number(2));
  if (cost) return driver.Cost(number(2), number(3));
  return watch ? driver.Watch(words[2], number(3), number(4))
               : driver.Force(number(2), number(3));
}

}  // namespace
}  // namespace fairlead::explore

int main(int argc, char** argv) {
  return fairlead::bench::DriverMain(argc, argv, fairlead::explore::Measure);
}
