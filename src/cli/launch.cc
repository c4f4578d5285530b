#include "cli/launch.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/log.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/valgrind.h"
#include "explore/run/strategy_spec.h"
#include "sched/factory.h"

namespace fairlead::cli {
namespace {

// Whether two outputs would go to one file, which would keep only the second.
bool IsSameFile(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code failed;
  const auto where = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path),
                                             failed);
  };
  // What is there and no file, such as /dev/null, may get both.
  const bool file = !std::filesystem::exists(one, failed) ||
                    std::filesystem::is_regular_file(one, failed);
  return file && where(one) == where(other);
}

}  // namespace

Status Launch::Prepare() {
  if (argv_.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program")
        .Hint("put it behind two dashes: fairlead run -- ./app");
  }
  Result<Parts> parts = TakeApart(argv_);
  if (!parts) return parts.error();
  through_ = parts->through;
  argv_ = parts->argv;
  if (!through_.empty() && options_.gdb) {
    return Error(ErrorCode::kUsage)
        .Say("gdb and valgrind cannot have the program both");
  }
  // valgrind has no instruction to switch fibers with.
  if (!through_.empty()) options_.carrier = "thread";
  Result<explore::Program> program = explore::InspectProgram(argv_[0]);
  if (!program) return program.error();
  program_ = *std::move(program);
  Result<std::string> runtime = explore::FindRuntime();
  if (!runtime) return runtime.error();
  runtime_ = *std::move(runtime);
  identity_ = explore::IdentityOf(program_, argv_, environment_);
  for (const std::string& output :
       {options_.trace, options_.schedule_out, options_.profile_out}) {
    if (Status status = RefuseProgramAsOutput(output); !status) return status;
  }
  if (IsSameFile(options_.schedule_out, options_.trace) ||
      IsSameFile(options_.schedule_out, options_.profile_out)) {
    return Error(ErrorCode::kUsage)
        .Say("{} would be written twice", options_.schedule_out)
        .Hint("give each of them a file of its own");
  }
  if (!options_.schedule.empty()) {
    if (Status status = PrepareSchedule(); !status) return status;
  }
  if (!options_.profile.empty()) {
    if (Status status = PrepareProfile(); !status) return status;
  }
  return {};
}

void Launch::SayWhatRecompilingAdds() const {
  if (program_.instrumented || options_.quiet || options_.json) return;
  Note(
      "{} was not built with fairlead-cc: its synchronisation calls are "
      "controlled; built with CC=fairlead-cc CXX=fairlead-c++, its memory "
      "accesses would be, too",
      PrintableLine(argv_[0]));
}

// A slip of the hand must not cost the user the program.
Status Launch::RefuseProgramAsOutput(const std::string& path) const {
  struct stat file = {};
  if (path.empty() || stat(path.c_str(), &file) != 0) return {};
  if (file.st_dev != program_.device || file.st_ino != program_.inode) {
    return {};
  }
  return Error(ErrorCode::kUsage)
      .Say("{} is the program itself", path)
      .Hint("write to another file");
}

Status Launch::PrepareSchedule() {
  Result<trace::Schedule> schedule = trace::LoadSchedule(options_.schedule);
  if (!schedule) return schedule.error();
  const std::string problem =
      trace::IdentityProblem(schedule->identity, identity_);
  if (!problem.empty() && !options_.force) {
    return Error(ErrorCode::kOtherProgram)
        .Say("{} does not fit: {}", options_.schedule, problem)
        .Hint("--force follows it all the same");
  }
  doubt_ = problem.empty() ? trace::IdentityDoubt(schedule->identity, identity_)
                           : problem;
  if (!doubt_.empty()) Warn("{}: {}", options_.schedule, doubt_);
  inputs_ = explore::LayOutInputs(schedule->inputs);
  options_.seed = schedule->seed;
  if (options_.then.empty()) options_.strategy = schedule->strategy;
  schedule_ = std::make_unique<trace::Schedule>(*std::move(schedule));
  return {};
}

Status Launch::PrepareProfile() {
  const Result<std::string> text =
      ReadFile(options_.profile, explore::kMaxProfileBytes);
  if (!text) return text.error();
  Result<explore::Profile> profile = explore::ParseProfileUntrusted(*text);
  if (!profile) return profile.error().In(options_.profile);
  const explore::ProfileFit fit = explore::FitOf(*profile, program_);
  if (fit == explore::ProfileFit::kOtherProgram) {
    return Error(ErrorCode::kOtherProgram)
        .Say("{} does not fit: it was made from another program, {}",
             options_.profile, profile->builds[0].path)
        .Hint("make one: fairlead run --profile-out FILE -- {}", argv_[0]);
  }
  if (fit == explore::ProfileFit::kOtherBuild) {
    Warn(
        "{} was made from another build of {}; make it again if that shared "
        "other variables",
        options_.profile, argv_[0]);
  }
  profile_ = *std::move(profile);
  return {};
}

void Launch::Follow(explore::Order& order) const {
  abi::Plan& plan = order.plan;
  // What the recording allowed must be allowed again.
  plan.flags |= explore::FlagsOf(schedule_->policies);
  plan.explore_call = schedule_->explore_call;
  const bool to_end = options_.then.empty();
  plan.flags |= to_end ? abi::kPlanFollow : abi::kPlanPrefix;
  if (to_end) {
    plan.strategy = static_cast<uint32_t>(sched::StrategyId::kReplay);
  }
  order.follow = {.choices = schedule_->choices,
                  .inputs = inputs_.records,
                  .payload = inputs_.payload};
}

explore::Order Launch::OrderFor(explore::RecordObserver* observer) const {
  explore::Order order = {.program = program_,
                          .argv = argv_,
                          .environment = environment_,
                          .runtime = runtime_,
                          .observer = observer};
  abi::Plan& plan = order.plan;
  // A schedule may name a strategy that this build does not have; it is not
  // needed to follow it.
  const explore::StrategySpec strategy =
      explore::ParseStrategySpec(options_.then.empty() ? options_.strategy
                                                       : options_.then)
          .value_or(explore::DefaultSpec(sched::StrategyId::kFirst));
  plan.strategy = static_cast<uint32_t>(strategy.id);
  std::ranges::copy(strategy.params, plan.params);
  plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  if (observer != nullptr) plan.flags |= abi::kPlanTrace;
  if (options_.frames) plan.flags |= abi::kPlanFrames;
  for (const std::string& word : options_.left_out) {
    const auto group =
        word == "requests" ? abi::EventGroup::kRequest : abi::EventGroup::kMark;
    plan.left_out |= 1u << static_cast<uint32_t>(group);
  }
  if (options_.spurious) plan.flags |= abi::kPlanSpurious;
  if (schedule_ == nullptr) {
    plan.flags |= EarlyFlagOf(options_.early_timeouts);
  } else {
    Follow(order);
  }
  // A schedule counts the points that it was recorded with.
  order.follow.idle_sites = schedule_ != nullptr && options_.profile.empty()
                                ? schedule_->quiet.idle
                                : profile_.idle_sites;
  order.follow.ordered_sites = schedule_ != nullptr && options_.profile.empty()
                                   ? schedule_->quiet.ordered
                                   : profile_.ordered_sites;
  plan.carrier = CarrierOf(options_.carrier);
  if (!through_.empty()) {
    order.through = through_;
    // The kernel would dispatch valgrind's own calls, and the signal of our
    // timers is one that valgrind has for itself.
    plan.flags |= abi::kPlanNoDispatch | abi::kPlanDebugger;
  }
  plan.seed = options_.seed;
  plan.max_steps = options_.max_steps;
  order.timeout = TimeLimit(options_.timeout_s);
  return order;
}

}  // namespace fairlead::cli
