#include "explore/names/schedule_of.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/digest.h"
#include "base/text.h"

namespace fairlead::explore {
namespace {

struct Policy {
  uint64_t flag;
  std::string_view word;
};
constexpr Policy kPolicies[] = {
    {abi::kPlanSpurious, "spurious"},
    {abi::kPlanFreePoints, "free-points"},
    {abi::kPlanFill, "filled-heap"},
    {abi::kPlanClosedUse, "closed-use"},
    {abi::kPlanFillFreed, "filled-freed"},
    {abi::kPlanDriven, "driven"},
    {abi::kPlanEarlyNever, "early-timeouts-never"},
    {abi::kPlanEarlyShort, "early-timeouts-short"},
    {abi::kPlanEarlyAny, "early-timeouts-any"},
    {abi::kPlanEarlySleepsShort, "early-sleeps-short"},
    {abi::kPlanSignalsAtCalls, "signals-at-calls"},
    {abi::kPlanTimePasses, "time-passes"}};

// Variables that differ from shell to shell and that programs do not read.
constexpr std::string_view kIgnored[] = {
    "_=",          "SHLVL=",    "OLDPWD=",       "PWD=", "COLUMNS=",
    "LINES=",      "TERM=",     "WINDOWID=",     "SSH_", "XDG_SESSION",
    "LD_PRELOAD=", "FAIRLEAD_", "SHELL_SESSION", "TMUX", "STY="};

uint64_t EnvironmentDigest(std::vector<std::string> environment) {
  std::erase_if(environment, [](const std::string& variable) {
    return std::ranges::any_of(kIgnored, [&](std::string_view prefix) {
      return variable.starts_with(prefix);
    });
  });
  std::ranges::sort(environment);
  std::string all;
  for (const std::string& variable : environment) all += variable + '\0';
  return DigestOf(all);
}

// Of what is left to read; none if reading would take it from the program.
std::optional<uint64_t> StdinDigest() {
  struct stat file;
  if (fstat(STDIN_FILENO, &file) != 0 || !S_ISREG(file.st_mode)) return {};
  off_t offset = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (offset < 0) return {};
  Digester digester;
  char room[1 << 16];
  ssize_t got;
  while ((got = pread(STDIN_FILENO, room, sizeof(room), offset)) > 0) {
    digester.Add(std::as_bytes(std::span(room, static_cast<size_t>(got))));
    offset += got;
  }
  return digester.Value();
}

// As the execution was given them; none where all sites were points.
trace::QuietSites QuietSitesOf(const ControlMemory& memory) {
  if ((memory.plan().flags & abi::kPlanAllPoints) != 0) return {};
  trace::QuietSites quiet = {
      .idle = memory.Copy<uint64_t>(abi::RegionId::kIdleSites),
      .ordered = memory.Copy<uint64_t>(abi::RegionId::kOrderedSites)};
  // The program may have written there.
  const auto ascend = [](const std::vector<uint64_t>& ids) {
    return std::ranges::adjacent_find(ids, std::greater_equal()) == ids.end();
  };
  if (!ascend(quiet.idle) || !ascend(quiet.ordered)) return {};
  return quiet;
}

trace::Input InputOf(const abi::InputRecord& record,
                     const std::vector<char>& payload) {
  trace::Input input = {.kind = record.kind,
                        .tid = record.thread,
                        .count = record.count,
                        .value = record.value};
  if (record.payload_offset <= payload.size() &&
      record.payload_bytes <= payload.size() - record.payload_offset) {
    input.payload.assign(payload.data() + record.payload_offset,
                         record.payload_bytes);
  }
  return input;
}

}  // namespace

trace::Identity IdentityOf(const Program& program,
                           const std::vector<std::string>& argv,
                           const std::vector<std::string>& environment) {
  return {.program = program.path,
          .builds = {{program.build_id, program.path}},
          .argv = argv,
          .environment = EnvironmentDigest(environment),
          .stdin_digest = StdinDigest()};
}

std::vector<std::string> PoliciesOf(uint64_t plan_flags) {
  std::vector<std::string> policies;
  for (const Policy& policy : kPolicies) {
    if ((plan_flags & policy.flag) != 0) policies.emplace_back(policy.word);
  }
  return policies;
}

uint64_t FlagsOf(const std::vector<std::string>& policies) {
  uint64_t flags = 0;
  for (const Policy& policy : kPolicies) {
    if (std::ranges::find(policies, policy.word) != policies.end()) {
      flags |= policy.flag;
    }
  }
  return flags;
}

trace::Schedule ScheduleOf(const Executed& executed, trace::Identity identity,
                           Namer& namer) {
  trace::Schedule schedule;
  schedule.policies = PoliciesOf(executed.memory->plan().flags);
  schedule.quiet = QuietSitesOf(*executed.memory);
  schedule.explore_call = executed.memory->plan().explore_call;
  identity.point_set = executed.outcome.point_set_digest;
  for (const abi::ModuleEntry& module : namer.modules()) {
    const bool instrumented = (module.flags & abi::kModuleInstrumented) != 0;
    const bool program = (module.flags & abi::kModuleProgram) != 0;
    if (instrumented && !program) {
      identity.builds.push_back({BuildIdOf(module), PathOf(module)});
    }
  }
  schedule.identity = std::move(identity);
  schedule.threads = namer.threads();
  schedule.choices =
      executed.memory->Copy<abi::ChoiceRecord>(abi::RegionId::kChoicesOut);
  const auto inputs =
      executed.memory->Copy<abi::InputRecord>(abi::RegionId::kInputsOut);
  const auto payload = executed.memory->Copy<char>(abi::RegionId::kPayloadOut);
  for (const abi::InputRecord& record : inputs) {
    schedule.inputs.push_back(InputOf(record, payload));
  }
  return schedule;
}

std::map<uint64_t, std::string> PlacesOf(const Executed& executed,
                                         Namer& namer) {
  std::set<uint64_t> wanted;
  for (const auto& choice :
       executed.memory->Copy<abi::ChoiceRecord>(abi::RegionId::kChoicesOut)) {
    wanted.insert(static_cast<uint64_t>(choice.anchor));
  }
  return PlacesOf(executed, wanted, namer);
}

std::map<uint64_t, std::string> PlacesOf(const Executed& executed,
                                         const std::set<uint64_t>& wanted,
                                         Namer& namer) {
  std::map<uint64_t, std::string> places;
  const auto callers =
      executed.memory->Copy<abi::CallerRecord>(abi::RegionId::kCallers);
  for (uint32_t i = 1; i < callers.size(); ++i) {
    const auto anchor = static_cast<uint64_t>(callers[i].anchor);
    if (wanted.contains(anchor)) places.try_emplace(anchor, namer.Where(i, 0));
  }
  for (size_t m = 0; m < namer.modules().size(); ++m) {
    const uint32_t first_site = namer.modules()[m].first_site;
    for (uint32_t i = 0; i < namer.NumSites(m); ++i) {
      const uint32_t site = first_site + i;
      const uint64_t anchor = namer.Site(site).anchor;
      if (!wanted.contains(anchor)) continue;
      places.try_emplace(anchor, namer.Where(site, abi::kFlagInstrumented));
    }
  }
  std::erase_if(places, [](const auto& place) { return place.second.empty(); });
  return places;
}

std::string ForcedText(const trace::Schedule& schedule) {
  const auto number = std::ranges::count(
      schedule.inputs, abi::InputKind::kForced, &trace::Input::kind);
  if (number == 0) return "";
  return fmt::format(
      "{} in its schedule {} forced by time, since a thread ran for long in "
      "code without sites: no replay has that exactly",
      Counted(static_cast<uint64_t>(number), "yield"),
      number == 1 ? "was" : "were");
}

FollowedInputs LayOutInputs(const std::vector<trace::Input>& inputs) {
  FollowedInputs laid_out;
  for (const trace::Input& input : inputs) {
    laid_out.records.push_back(
        {.kind = input.kind,
         .thread = input.tid,
         .count = input.count,
         .value = input.value,
         .payload_offset = static_cast<uint32_t>(laid_out.payload.size()),
         .payload_bytes = static_cast<uint32_t>(input.payload.size())});
    laid_out.payload.insert(laid_out.payload.end(), input.payload.begin(),
                            input.payload.end());
  }
  return laid_out;
}

}  // namespace fairlead::explore
