#include "explore/watch/profile.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "base/text.h"

namespace fairlead::explore {
namespace {

constexpr std::string_view kFirstLine = "fairlead profile ";
constexpr std::string_view kBuild = "build: ";
constexpr std::string_view kIdle = "idle: 0x";
constexpr std::string_view kOrdered = "ordered: 0x";
constexpr std::string_view kEnd = "end: ";  // and how many sites
constexpr uint64_t kFirstWithEnd = 3;       // version

struct CallSites {
  std::vector<uint32_t> idle;  // lead to nothing that stays visible, ever
  std::vector<uint32_t> needed;
};

CallSites SortCalls(const std::vector<abi::NodeRecord>& nodes,
                    const std::vector<uint32_t>& that_matter) {
  std::vector<bool> matters(nodes.size());
  for (const uint32_t node : that_matter) {
    if (node < nodes.size()) matters[node] = true;
  }
  // A parent's number is smaller than its child's, so one pass is enough.
  for (size_t i = nodes.size(); i-- > 1;) {
    if (matters[i] && nodes[i].parent < i) matters[nodes[i].parent] = true;
  }
  std::set<uint32_t> idle, needed;
  for (size_t i = 1; i < nodes.size(); ++i) {
    (matters[i] ? needed : idle).insert(nodes[i].site);
  }
  CallSites result;
  std::set_difference(idle.begin(), idle.end(), needed.begin(), needed.end(),
                      std::back_inserter(result.idle));
  result.needed.assign(needed.begin(), needed.end());
  return result;
}

// Ids of the sites with these indices, ascending; those without one left out.
std::vector<uint64_t> Ids(const std::vector<uint32_t>& sites, Namer& namer) {
  std::set<uint64_t> ids;
  for (const uint32_t site : sites) ids.insert(namer.Site(site).id);
  ids.erase(0);
  return {ids.begin(), ids.end()};
}

}  // namespace

Profiler::Sites Profiler::SortSites() const {
  const std::vector<uint32_t> shared = sharing_.SharedSites();
  std::vector<uint32_t> progress;
  for (const auto& [read, write] : progress_.pairs()) {
    if (std::ranges::binary_search(shared, read)) progress.push_back(write);
  }
  std::ranges::sort(progress);
  const std::vector<uint32_t> unshared = sharing_.UnsharedSites();
  Sites sites;
  std::ranges::set_difference(unshared, progress,
                              std::back_inserter(sites.idle));
  std::ranges::set_union(shared, progress, std::back_inserter(sites.needed));
  return sites;
}

SiteUse Profiler::Use(const ControlMemory& memory, Namer& namer,
                      const IsKnown& known) {
  CallSites calls =
      SortCalls(memory.Copy<abi::NodeRecord>(abi::RegionId::kNodes),
                sharing_.NodesThatMatter());
  const auto [idle, needed] = SortSites();
  calls.idle.insert(calls.idle.end(), idle.begin(), idle.end());
  calls.needed.insert(calls.needed.end(), needed.begin(), needed.end());
  if (known) {
    const auto shared = std::ranges::partition(calls.idle, [&](uint32_t site) {
      return !sharing_.SeenThreaded(site) || !known(namer.Site(site).anchor);
    });
    calls.needed.insert(calls.needed.end(), shared.begin(), shared.end());
    calls.idle.erase(shared.begin(), shared.end());
  }
  std::vector<uint32_t> ordered = sharing_.OrderedSites();
  SiteUse use = {.idle = Ids(calls.idle, namer),
                 .needed = Ids(calls.needed, namer),
                 .ordered = Ids(ordered, namer),
                 .calm = {},
                 .settled = {}};
  for (const uint32_t site :
       analysis::SettledSites(sharing_, locked_, progress_, walks_)) {
    const trace::SiteName name = namer.Site(site);
    if (name.id != 0) use.settled.push_back({name.id, name.anchor});
  }
  std::ranges::sort(use.settled);
  if (races_) {
    const std::vector<uint32_t> locked = locked_.OrderedPlainSites();
    ordered.insert(ordered.end(), locked.begin(), locked.end());
    use.calm = Ids(ordered, namer);
  }
  return use;
}

std::string Profiler::Finish(const ControlMemory& memory, Namer& namer) const {
  std::string text = fmt::format("{}{}\n", kFirstLine, kProfileVersion);
  for (const abi::ModuleEntry& module : namer.modules()) {
    if ((module.flags & abi::kModuleInstrumented) == 0) continue;
    text += fmt::format("{}{} {}\n", kBuild, BuildIdOf(module), PathOf(module));
  }
  std::vector<uint32_t> idle = SortSites().idle;
  const std::vector<uint32_t> calls =
      SortCalls(memory.Copy<abi::NodeRecord>(abi::RegionId::kNodes),
                sharing_.NodesThatMatter())
          .idle;
  idle.insert(idle.end(), calls.begin(), calls.end());
  uint64_t num_sites = 0;
  const auto list = [&](std::string_view word,
                        const std::vector<uint32_t>& sites) {
    for (const uint32_t site : sites) {
      const uint64_t id = namer.Site(site).id;
      if (id == 0) continue;
      text += fmt::format("{}{:x}  // {}\n", word, id,
                          namer.Where(site, abi::kFlagInstrumented));
      ++num_sites;
    }
  };
  list(kIdle, idle);
  list(kOrdered, sharing_.OrderedSites());
  return text + fmt::format("{}{}\n", kEnd, num_sites);
}

namespace {

void SortOnce(std::vector<uint64_t>& ids) {
  std::ranges::sort(ids);
  const auto twice = std::ranges::unique(ids);
  ids.erase(twice.begin(), twice.end());
}

// The version.
Result<uint64_t> ReadFirstLine(std::string_view line) {
  if (!line.starts_with(kFirstLine)) {
    return Error(ErrorCode::kMalformed)
        .Say("1:1: this is no profile")
        .Hint("make one: fairlead run --profile-out FILE -- ./app");
  }
  const std::string_view version = line.substr(kFirstLine.size());
  const std::optional<uint64_t> number = ParseNumber(version);
  if (number && *number >= 1 && *number <= kProfileVersion) return *number;
  return Error(ErrorCode::kTooNew)
      .Say("profile format {} is not known; this build reads up to {}", version,
           kProfileVersion)
      .Hint("make it again with this version of fairlead");
}

}  // namespace

Result<Profile> ParseProfileUntrusted(std::string_view text) {
  Profile profile;
  size_t number = 0;
  uint64_t version = 0;
  bool ended = false;
  for (const std::string_view line : Split(text, '\n')) {
    if (++number == 1) {
      const Result<uint64_t> read = ReadFirstLine(line);
      if (!read) return read.error();
      version = *read;
      continue;
    }
    if (ended && !Trim(line).empty()) {
      return Error(ErrorCode::kMalformed)
          .Say("{}:1: something follows the end of the profile", number)
          .Hint("make it again: fairlead run --profile-out FILE -- ./app");
    }
    if (line.starts_with(kBuild)) {
      const std::string_view rest = line.substr(kBuild.size());
      const size_t space = std::min(rest.find(' '), rest.size());
      profile.builds.push_back({.build_id = std::string(rest.substr(0, space)),
                                .path = std::string(Trim(rest.substr(space)))});
    }
    if (line.starts_with(kEnd)) {
      ended = ParseNumber(Trim(line.substr(kEnd.size()))) ==
              profile.idle_sites.size() + profile.ordered_sites.size();
    }
    const bool idle = line.starts_with(kIdle);
    if (!idle && !line.starts_with(kOrdered)) continue;
    const size_t start = idle ? kIdle.size() : kOrdered.size();
    const std::string_view digits = line.substr(start);
    uint64_t id = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), id, 16);
    if (error != std::errc() || end == digits.data()) {
      return Error(ErrorCode::kMalformed)
          .Say("{}:{}: no number in '{}'", number, start + 1, line);
    }
    (idle ? profile.idle_sites : profile.ordered_sites).push_back(id);
  }
  if (version >= kFirstWithEnd && !ended) {
    return Error(ErrorCode::kTruncated)
        .Say("{}: the profile is not whole: lines are missing", number)
        .Hint("make it again: fairlead run --profile-out FILE -- ./app");
  }
  SortOnce(profile.idle_sites);
  SortOnce(profile.ordered_sites);
  return profile;
}

ProfileFit FitOf(const Profile& profile, const Program& program) {
  namespace fs = std::filesystem;
  // A program without sites: the profile is about libraries of it.
  if (!program.instrumented || profile.builds.empty()) return ProfileFit::kFits;
  ProfileFit fit = ProfileFit::kOtherProgram;
  for (const ProfiledBuild& build : profile.builds) {
    if (build.build_id == program.build_id) return ProfileFit::kFits;
    if (fs::path(build.path).filename() == fs::path(program.path).filename()) {
      fit = ProfileFit::kOtherBuild;
    }
  }
  return fit;
}

}  // namespace fairlead::explore
