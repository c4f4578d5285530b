// Campaigns by iRoots, for bench/maple_inputs.py.
//
//   campaigns RUNTIME turns SEED -- PROGRAM ARGS… :: ARGS… :: …
//       forces iRoots of idiom 1 with each input in turn, until none is left,
//       and prints a line an input: executions and seconds without a memo, and
//       with what the inputs before have left
//   campaigns RUNTIME time STRATEGY SEED MILLISECONDS -- PROGRAM ARGS…
//       prints how many executions the strategy makes in that time, and how
//       many iRoots of the application these expose; to watch them is not part
//       of the time

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "bench/driver.h"
#include "explore/campaign/campaign.h"
#include "explore/plan/maple_planner.h"
#include "explore/run/strategy_spec.h"

namespace fairlead::explore {
namespace {

using Words = std::vector<std::string>;

// Nobody wants to hear of them.
class Silent final : public CampaignObserver {
 public:
  Status OnProgress(const Progress&) override { return {}; }
  Result<bool> OnFinding(const Found&) override { return true; }
};

enum class Watch { kAll, kNone };

// Another planner's executions; all of them watched for what they expose, or
// none. Profiles are what they are.
class WatchingPlanner final : public Planner {
 public:
  WatchingPlanner(std::unique_ptr<Planner> inner, Watch watch)
      : inner_(std::move(inner)), watch_(watch) {}

  std::optional<Planned> Next() override {
    std::optional<Planned> planned = inner_->Next();
    if (planned && (planned->iroots == IRootsWanted::kNone ||
                    planned->iroots == IRootsWanted::kExposed)) {
      planned->iroots =
          watch_ == Watch::kAll ? IRootsWanted::kExposed : IRootsWanted::kNone;
    }
    // The same sites tell whatever the strategy: else those that also show what
    // main wrote before there were threads would seem to cover more.
    if (planned && watch_ == Watch::kAll) planned->profile = true;
    return planned;
  }
  void Learn(const Planned& planned, const Observed& observed) override {
    if (observed.iroots != nullptr) Count(*observed.iroots, *observed.facts);
    inner_->Learn(planned, observed);
  }
  bool exhausted() const override { return inner_->exhausted(); }

  size_t num_exposed() const { return exposed_.size(); }

 private:
  void Count(const IRootsSeen& seen,
             const std::map<uint64_t, SiteFacts>& facts) {
    for (const IRoot& root : seen.exposed) {
      if (!IsLibrary(root, facts)) exposed_.insert(root);
    }
  }

  std::unique_ptr<Planner> inner_;
  Watch watch_;
  std::unordered_set<IRoot, analysis::iroot::IRootHash> exposed_;
};

class Program {
 public:
  static Result<Program> Make(const std::string& runtime, const Words& argv) {
    Program made;
    CampaignOptions& options = made.options_;
    auto runner = bench::MakeRunner(runtime, argv, options.setting);
    if (!runner) return runner.error();
    made.runner_ = *std::move(runner);
    return made;
  }

  CampaignOptions& options() { return options_; }

  Result<Progress> Run(Planner& planner) {
    Silent silent;
    const InterruptWatch interrupts;
    options_.keep_going = true;
    CampaignResult result =
        RunCampaign(options_, *runner_, planner, silent, interrupts);
    if (result.error) return *std::move(result.error);
    return result.progress;
  }

 private:
  CampaignOptions options_;
  std::unique_ptr<Runner> runner_;
};

Status Turns(const std::string& runtime, uint64_t seed, const Words& words) {
  Memo kept;
  kept.LimitIdioms(1);
  auto begin = words.begin() + 1;
  while (true) {
    const auto end = std::find(begin, words.end(), "::");
    Words argv = {words[0]};
    argv.insert(argv.end(), begin, end);
    Memo fresh;
    fresh.LimitIdioms(1);
    kept.BeginInput();
    for (Memo* memo : {&fresh, &kept}) {
      Result<Program> program = Program::Make(runtime, argv);
      if (!program) return program.error();
      program->options().memo = memo;
      MaplePlanner planner(
          *memo, {.seed = seed, .order = MemoOrder::kPaper, .late = false},
          nullptr);
      const Result<Progress> progress = program->Run(planner);
      if (!progress) return progress.error();
      const std::chrono::duration<double> took = progress->elapsed;
      fmt::print("{} {:.4f}{}", progress->executions, took.count(),
                 memo == &fresh ? " " : "\n");
    }
    if (end == words.end()) return {};
    begin = end + 1;
  }
}

Result<std::unique_ptr<Planner>> PlannerOf(const std::string& strategy,
                                           uint64_t seed, Memo& memo) {
  std::unique_ptr<Planner> planner;
  if (strategy != "maple") {
    auto made = MakePlanner(strategy, seed);
    if (!made) return made.error();
    planner = *std::move(made);
  }
  if (strategy != "maple" && strategy != "auto") return planner;
  return std::make_unique<MaplePlanner>(memo, MapleOptions{.seed = seed},
                                        std::move(planner));
}

Status Time(const std::string& runtime, const std::string& strategy,
            uint64_t seed, uint64_t milliseconds, const Words& argv) {
  const bool ours = strategy == "maple" || strategy == "auto";
  Result<Program> program = Program::Make(runtime, argv);
  if (!program) return program.error();
  CampaignOptions& options = program->options();
  options.seed = seed;
  options.time = std::chrono::milliseconds(milliseconds);
  const auto run = [&](Watch watch) -> Result<std::pair<uint64_t, size_t>> {
    Memo memo;
    if (ours) options.memo = &memo;
    Result<std::unique_ptr<Planner>> planner = PlannerOf(strategy, seed, memo);
    if (!planner) return planner.error();
    WatchingPlanner watching(*std::move(planner), watch);
    const Result<Progress> progress = program->Run(watching);
    if (!progress) return progress.error();
    return std::pair(progress->executions, watching.num_exposed());
  };
  const auto timed = run(Watch::kNone);
  if (!timed) return timed.error();
  options.time.reset();
  options.max_executions = timed->first;
  const auto watched = run(Watch::kAll);
  if (!watched) return watched.error();
  fmt::print("{} {}\n", timed->first, watched->second);
  return {};
}

Status Measure(const Words& words) {
  const auto dashes = std::ranges::find(words, "--");
  const auto number = [&](size_t index) {
    return ParseNumber(words[index]).value_or(1);
  };
  const bool turns = dashes - words.begin() == 3 && words[1] == "turns";
  const bool time = dashes - words.begin() == 5 && words[1] == "time";
  if ((!turns && !time) || dashes + 1 == words.end()) {
    return Error(ErrorCode::kUsage).Say("see the top of campaigns.cc");
  }
  const Words program(dashes + 1, words.end());
  if (turns) return Turns(words[0], number(2), program);
  return Time(words[0], words[2], number(3), number(4), program);
}

}  // namespace
}  // namespace fairlead::explore

int main(int argc, char** argv) {
  return fairlead::bench::DriverMain(argc, argv, fairlead::explore::Measure);
}
