// explore/watch/profile.h
//
// What one traced execution teaches about a program (analysis/sharing): which
// of its sites ran and touched no memory that threads share, and which touched
// such memory in an order that every schedule keeps. Later executions leave the
// first idle, neither points nor events; the others are told, and are no
// points.
//
// The file is text, one site a line, so that it can be read and merged:
//
//   fairlead profile 2
//   build: 6f0c… /home/me/app
//   idle: 0x1f995b6580fb0cd1  // parse app.cc:31
//   ordered: 0x77de1ab3aa01c9e4  // merge app.cc:52

#ifndef FAIRLEAD_EXPLORE_WATCH_PROFILE_H_
#define FAIRLEAD_EXPLORE_WATCH_PROFILE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sharing/progress.h"
#include "analysis/sharing/settled.h"
#include "analysis/sharing/sharing.h"
#include "analysis/sharing/walks.h"
#include "base/result.h"
#include "explore/names/namer.h"
#include "explore/watch/watcher.h"

namespace fairlead::explore {

// History (newest first; readers refuse newer ones):
//   3  an end that says how many sites there are.
//   2  ordered sites.
//   1  first layout.
inline constexpr uint32_t kProfileVersion = 3;

// A line for each site: a million of them, with long names.
inline constexpr size_t kMaxProfileBytes = size_t{256} << 20;

// A module that a profile was made from.
struct ProfiledBuild {
  std::string build_id;
  std::string path;
};

struct Profile {
  std::vector<ProfiledBuild> builds;
  // Ids, ascending.
  std::vector<uint64_t> idle_sites;
  std::vector<uint64_t> ordered_sites;
};

// What one execution says about sites that ran in it.
struct SiteUse {
  std::vector<uint64_t> idle;    // touched nothing shared
  std::vector<uint64_t> needed;  // did, or lead to something that did, or show
                                 // that a thread does not spin
  // Of the needed: in an order that every schedule keeps.
  std::vector<uint64_t> ordered;
  // Of the needed: those, and plain accesses that did not race, if asked for.
  std::optional<std::vector<uint64_t>> calm;
  // Of the needed: those that are settled (analysis/sharing/settled.h), by id.
  struct Settled {
    uint64_t id = 0;
    uint64_t anchor = 0;
    auto operator<=>(const Settled&) const = default;
  };
  std::vector<Settled> settled = {};
};

// What an execution is profiled for.
enum class ProfileOf : uint8_t {
  kNothing,
  kSharing,
  kRaces,  // and which of the shared sites race
};

// Watches an execution with all sites active and tells the profile at its end.
class Profiler final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kProfile;  // how: ProfileOf
  using Seen = SiteUse;

  explicit Profiler(bool races = false) : races_(races) {}

  void OnBegin(trace::ProgramTables&, order::Orders& orders) override {
    sharing_.Share(orders);
    locked_.Share(orders);
  }

  void OnEvent(const trace::Event& event) override {
    sharing_.OnEvent(event);
    locked_.OnEvent(event);
    progress_.OnEvent(event);
    walks_.OnEvent(event);
  }

  // What the execution says about sites, by ids, ascending: those that may be
  // idle, and those that must not. Those whose anchor is `known` to share
  // something, with whatever input, must not, unless they ran only before there
  // were threads.
  using IsKnown = std::function<bool(uint64_t anchor)>;
  SiteUse Use(const ControlMemory& memory, Namer& namer,
              const IsKnown& known = {});

  Seen End(const Ended& ended) {
    return Use(ended.memory, ended.namer, ended.is_shared);
  }

  // The text of the profile file.
  std::string Finish(const ControlMemory& memory, Namer& namer) const;

 private:
  // Sites by index, ascending.
  struct Sites {
    std::vector<uint32_t> idle;
    std::vector<uint32_t> needed;
  };
  Sites SortSites() const;

  bool races_;
  analysis::Sharing sharing_;
  // Ordered by locks as well.
  analysis::Sharing locked_ = analysis::Sharing(analysis::kLockEdges);
  analysis::Progress progress_;
  analysis::Walks walks_;
};

Result<Profile> ParseProfileUntrusted(std::string_view text);

// Whether `profile` is about `program`.
enum class ProfileFit {
  kFits,
  kOtherBuild,    // of the same program: what has changed is not idle
  kOtherProgram,  // its sites mean nothing here
};
ProfileFit FitOf(const Profile& profile, const Program& program);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_PROFILE_H_
