#include "cli/guard_training.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "abi/guard_board.h"
#include "base/elf_image.h"
#include "base/file.h"
#include "base/patience.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/guard_facts.h"
#include "cli/shell_command.h"
#include "trace/site_table.h"

namespace fairlead::cli {
namespace {

namespace fs = std::filesystem;

using analysis::Predecessor;

// So many good runs are watched whole before only shared sites are; later every
// eighth, since inputs and schedules bring new ones.
constexpr uint64_t kWholeRuns = 8;

constexpr std::string_view kDirectoryName = "fairlead-learn-";

// What a process of this user that was killed has left in `place`.
void RemoveLeft(const char* place) {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(place, error)) {
    const std::string file = entry.path().filename().string();
    std::string_view name = file;
    if (!name.starts_with(kDirectoryName)) continue;
    name.remove_prefix(kDirectoryName.size());
    const auto pid = ParseNumber(std::string(name.substr(0, name.find('-'))));
    if (!pid || *pid == 0 || *pid > 1u << 22) continue;
    struct stat what = {};
    if (lstat(entry.path().c_str(), &what) != 0 || what.st_uid != geteuid()) {
      continue;
    }
    if (kill(static_cast<pid_t>(*pid), 0) == 0 || errno != ESRCH) continue;
    fs::remove_all(entry.path(), error);
  }
}

// A directory of our own in memory, or where temporary files are.
class PrivateDirectory {
 public:
  PrivateDirectory() {
    for (const char* place : {"/dev/shm", "/tmp"}) {
      RemoveLeft(place);
      path_ = fmt::format("{}/{}{}-XXXXXX", place, kDirectoryName, getpid());
      if (mkdtemp(path_.data()) != nullptr) return;
    }
    path_.clear();
  }
  ~PrivateDirectory() {
    if (path_.empty()) return;
    for (const char* name : {"/board", "/rules", "/stdout", "/stderr"}) {
      unlink((path_ + name).c_str());
    }
    rmdir(path_.c_str());
  }
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;  // "" = there is none
};

Status MakeBoard(const std::string& path) {
  unlink(path.c_str());
  const Fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return SystemError(errno, fmt::format("cannot make {}", path));
  // Where there is no room, the program must not be the first to notice.
  const int error = posix_fallocate(fd.get(), 0, abi::kLearnBoardBytes);
  if (error == 0) return {};
  unlink(path.c_str());
  return SystemError(error,
                     fmt::format("cannot make {}, for what is learnt", path));
}

class Mapping {
 public:
  explicit Mapping(const std::string& path) {
    const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return;
    void* at = mmap(nullptr, abi::kLearnBoardBytes, PROT_READ, MAP_SHARED,
                    fd.get(), 0);
    if (at != MAP_FAILED) bytes_ = static_cast<const char*>(at);
  }
  ~Mapping() {
    if (bytes_ == nullptr) return;
    munmap(const_cast<char*>(bytes_), abi::kLearnBoardBytes);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  const char* bytes() const { return bytes_; }

 private:
  const char* bytes_ = nullptr;
};

// A text of the board, which may not end.
std::string TextOf(const char* bytes, size_t most) {
  return std::string(bytes, strnlen(bytes, most));
}

}  // namespace

Status Training::Run(const std::function<void(const Progress&)>& on_run) {
  const Result<std::string> library = FindGuard();
  if (!library) return library.error();
  for (const auto& [option, command] : {std::pair("--judge", &options_.judge),
                                        {"--client", &options_.client}}) {
    if (Status can = CheckShellCommand(option, *command); !can) return can;
  }
  const PrivateDirectory directory;
  if (directory.path().empty()) {
    return SystemError(errno, "cannot make a directory for what is learnt");
  }
  const std::optional<std::chrono::nanoseconds> limit =
      TimeLimit(options_.time_s);
  std::optional<std::chrono::steady_clock::time_point> end;
  if (limit) end = std::chrono::steady_clock::now() + *limit;
  const Deadline deadline(end);
  while (progress_.runs < options_.runs &&
         progress_.unchanged < options_.settled && !ShouldStop()) {
    if (Status ran = RunOnce(*library, directory.path()); !ran) return ran;
    if (HadEnough() == Enough::kUser) break;
    on_run(progress_);
  }
  return {};
}

analysis::BelongingSets Training::sets() const {
  const auto is_shared = [this](uint64_t site) {
    return shared_.contains(site);
  };
  analysis::BelongingSets sets = all_.Only(is_shared);
  if (std::ranges::any_of(freed_alone_, is_shared)) {
    sets.Add(abi::kFreeAnchor, {});
  }
  return sets;
}

Status Training::RunOnce(const std::string& library,
                         const std::string& directory) {
  const std::string board = directory + "/board";
  if (Status made = MakeBoard(board); !made) return made;
  std::vector<std::string> variables = {
      fmt::format("{}={}", abi::kGuardLearnVariable, board),
      fmt::format("{}=delay_us={}", abi::kGuardOptionsVariable,
                  options_.delay_us)};
  const bool whole = progress_.good < kWholeRuns ||
                     progress_.runs % kWholeRuns == 0 || shared_.empty();
  if (!whole) {
    const std::string rules = directory + "/rules";
    const Status written = WriteFile(rules, RulesOf(sets(), "", true));
    if (!written) return written;
    variables.push_back(fmt::format("{}={}", abi::kGuardRulesVariable, rules));
  }
  const char* input =
      options_.stdin_path.empty() ? "/dev/null" : options_.stdin_path.c_str();
  const Fd from(open(input, O_RDONLY | O_CLOEXEC));
  if (!from) return SystemError(errno, fmt::format("cannot open {}", input));
  const Result<Capture> capture =
      Execute({.executable = program_,
               .argv = argv_,
               .environment = GuardEnvironment(library, variables),
               .group = ProcessGroup::kOwn,
               .standard_input = from.get(),
               .core_dumps = false});
  if (!capture) return capture.error();
  if (capture->cut == Enough::kUser) return {};
  refusal_.clear();
  const Result<std::optional<bool>> right = Judge(*capture, directory);
  if (!right) return right.error();
  ++progress_.runs;
  if (!right->has_value()) {
    ++progress_.cut;
  } else if (!**right) {
    ++progress_.failed;
  } else {
    ++progress_.good;
    return Gather(board);
  }
  if (capture->cut == Enough::kTime) {
    last_failure_ = "it was out of time";
  } else {
    last_failure_ = refusal_.empty() ? EndingText(capture->ending) : refusal_;
  }
  return {};
}

Result<Capture> Training::Execute(Command command) {
  if (!options_.client.empty()) return ServeClient(std::move(command));
  const auto limit = std::chrono::duration<double>(options_.timeout_s);
  return RunToEnd(std::move(command),
                  std::chrono::duration_cast<std::chrono::nanoseconds>(limit));
}

// The client decides: its exit code stands for the server's.
Result<Capture> Training::ServeClient(Command command) {
  const Fd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  command.standard_output = nothing.get();
  command.standard_error = nothing.get();
  Result<Process> server = Process::Start(command);
  if (!server) return server.error();
  Command client = {.argv = {"sh", "-c", options_.client},
                    .environment = OwnEnvironment(),
                    .group = ProcessGroup::kOwn,
                    .standard_input = nothing.get()};
  const auto limit = std::chrono::duration<double>(options_.timeout_s);
  Result<Capture> answer =
      RunToEnd(std::move(client),
               std::chrono::duration_cast<std::chrono::nanoseconds>(limit));
  const bool died = server->Ended();
  server->Signal(SIGTERM);
  for (int i = 0; i < 200 && !server->Ended(); ++i) usleep(10'000);
  server->Signal(SIGKILL);
  const Ending ending = server->Wait();
  if (answer && died && ending.signal != 0) answer->ending = ending;
  return answer;
}

Result<std::optional<bool>> Training::Judge(const Capture& capture,
                                            const std::string& directory) {
  if (capture.cut != Enough::kNo) return std::optional<bool>();
  const Ending& ending = capture.ending;
  if (ending.signal != 0) return std::optional(false);
  if (ending.exit_code != 0 &&
      std::ranges::find(options_.ok_exits, ending.exit_code) ==
          options_.ok_exits.end()) {
    return std::optional(false);
  }
  if (options_.judge.empty()) return std::optional(true);
  const std::string out = directory + "/stdout";
  const std::string err = directory + "/stderr";
  if (Status put = WriteFile(out, capture.out); !put) return put.error();
  if (Status put = WriteFile(err, capture.err); !put) return put.error();
  const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Command judge = {.argv = {"sh", "-c", options_.judge},
                   .environment = OwnEnvironment(),
                   .group = ProcessGroup::kOwn,
                   .standard_input = nothing.get()};
  judge.environment.push_back(
      fmt::format("FAIRLEAD_EXIT_CODE={}", ending.exit_code));
  judge.environment.push_back("FAIRLEAD_SIGNAL=0");
  judge.environment.push_back("FAIRLEAD_STDOUT=" + out);
  judge.environment.push_back("FAIRLEAD_STDERR=" + err);
  const Result<Capture> answer =
      RunToEnd(std::move(judge), std::chrono::seconds(10));
  if (!answer) return answer.error();
  if (answer->cut != Enough::kNo || answer->ending.signal != 0) {
    return std::optional<bool>();
  }
  const int said = answer->ending.exit_code;
  // What a shell says of a command that it cannot run.
  if (said == 126 || said == 127) {
    return Error(ErrorCode::kEnvironment)
        .Say("the judge could not be run: sh -c {} ended with exit code {}",
             ShellQuote(options_.judge), said)
        .Hint("try it in a shell: 0 is right, others are wrong");
  }
  if (said != 0) refusal_ = fmt::format("the judge said no ({})", said);
  return std::optional(said == 0);
}

Status Training::Gather(const std::string& path) {
  const Mapping mapping(path);
  if (mapping.bytes() == nullptr) {
    return SystemError(errno, fmt::format("cannot read {}", path));
  }
  return TakeBoard(mapping.bytes());
}

Status Training::TakeBoard(const char* bytes) {
  abi::GuardBoard board;
  std::memcpy(&board, bytes, sizeof(board));
  if (board.off != 0) {
    return Error(ErrorCode::kEnvironment)
        .Say("nothing can be learnt: {}",
             TextOf(board.reason, sizeof(board.reason)));
  }
  const auto* sites =
      reinterpret_cast<const abi::LearntSite*>(bytes + abi::kGuardSitesOffset);
  const auto* pairs =
      reinterpret_cast<const uint64_t*>(bytes + abi::kGuardPairsOffset);
  const auto anchor_of = [&](uint64_t site) {
    return site <= abi::kMaxGuardSites ? sites[site].anchor : 0;
  };
  const size_t shared_before = shared_.size();
  size_t added = 0;
  const uint32_t num_sites = std::min(board.num_sites, abi::kMaxGuardSites);
  for (uint32_t i = 1; i <= num_sites; ++i) {
    const bool shared = (sites[i].flags & abi::kLearntShared) != 0;
    if (shared && sites[i].anchor != 0) shared_.insert(sites[i].anchor);
  }
  for (uint32_t i = 0; i < std::min(board.num_pairs, abi::kMaxGuardPairs);
       ++i) {
    const uint64_t site = anchor_of(pairs[i] >> 32);
    const auto place = static_cast<uint32_t>(pairs[i]);
    const uint64_t other = anchor_of(abi::SiteOfGuardPlace(place));
    if (site == 0 || (place != 0 && other == 0)) continue;
    if ((place & 3) == abi::kGuardOwnOnly) {
      if (freed_alone_.insert(other).second && shared_.contains(other)) ++added;
      continue;
    }
    const bool fresh =
        all_.Add(site, {.site = place == 0 ? 0 : other,
                        .history = static_cast<abi::GuardHistory>(place & 3)});
    added += fresh && shared_.contains(site) ? 1 : 0;
  }
  for (uint32_t i = 0;
       i < std::min<size_t>(board.num_modules, abi::kMaxGuardModules); ++i) {
    modules_.insert(TextOf(board.modules[i], abi::kGuardPathBytes));
  }
  const bool changed = added != 0 || shared_.size() != shared_before;
  progress_.unchanged = changed ? 0 : progress_.unchanged + 1;
  if (changed) progress_.pairs = sets().num_pairs();
  progress_.shared_sites = shared_.size();
  return {};
}

std::map<uint64_t, trace::SiteName> SiteNamesOf(
    const std::set<std::string>& modules) {
  std::map<uint64_t, trace::SiteName> names;
  for (const std::string& path : modules) {
    const Result<ElfImage> image = ElfImage::ReadUntrusted(path);
    if (!image) continue;
    Result<trace::SiteTable> table = trace::ReadSiteTable(*image);
    if (!table) continue;
    for (trace::SiteName& site : table->sites) {
      names.emplace(site.anchor, std::move(site));
    }
  }
  return names;
}

std::string PlaceWordsOf(const std::map<uint64_t, trace::SiteName>& names,
                         uint64_t anchor) {
  if (anchor == abi::kFreeAnchor) return "the end of a block";
  const auto found = names.find(anchor);
  if (found == names.end()) return "";
  const trace::SiteName& site = found->second;
  const std::string place =
      trace::PlaceText({.file = site.place.file, .line = site.place.line});
  return site.function.empty() ? place
                               : fmt::format("{} at {}", site.function, place);
}

}  // namespace fairlead::cli
