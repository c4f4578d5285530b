// `fairlead guard status|off|update`: guards in running processes, through
// their boards (abi/guard_board.h).

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

#include "abi/guard_board.h"
#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/facts.h"
#include "cli/guard.h"
#include "cli/guard_facts.h"
#include "cli/print.h"
#include "store/store.h"

namespace fairlead::cli {
namespace {

namespace fs = std::filesystem;
using abi::GuardBoard;
using abi::GuardState;

std::string BoardsDirectory() {
  return fmt::format("/dev/shm/fairlead-guard-{}", geteuid());
}

// The board of a process, shared with it. What stands in it is untrusted.
class Board {
 public:
  static std::unique_ptr<Board> Open(pid_t pid) {
    const std::string path = fmt::format("{}/{}", BoardsDirectory(), pid);
    const Fd fd(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    struct stat about = {};
    if (!fd || fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_uid != geteuid() ||
        about.st_size < static_cast<off_t>(sizeof(GuardBoard))) {
      return nullptr;
    }
    void* at = mmap(nullptr, sizeof(GuardBoard), PROT_READ | PROT_WRITE,
                    MAP_SHARED, fd.get(), 0);
    if (at == MAP_FAILED) return nullptr;
    auto board =
        std::unique_ptr<Board>(new Board(static_cast<GuardBoard*>(at)));
    if (std::memcmp(board->shared_->magic, abi::kGuardBoardMagic,
                    sizeof(abi::kGuardBoardMagic)) != 0 ||
        board->shared_->version != abi::kGuardBoardVersion) {
      return nullptr;
    }
    return board;
  }
  ~Board() { munmap(shared_, sizeof(GuardBoard)); }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  GuardBoard Copy() const {
    GuardBoard copy = *shared_;
    copy.reason[sizeof(copy.reason) - 1] = '\0';
    copy.program[sizeof(copy.program) - 1] = '\0';
    copy.rules[sizeof(copy.rules) - 1] = '\0';
    return copy;
  }
  void SwitchOff() { __atomic_store_n(&shared_->off, 1, __ATOMIC_RELAXED); }
  void AskToRead() {
    __atomic_fetch_add(&shared_->wanted, 1, __ATOMIC_RELEASE);
  }

 private:
  explicit Board(GuardBoard* shared) : shared_(shared) {}
  GuardBoard* shared_;
};

// Processes of this user with a board; boards of those that are gone are taken
// away.
std::vector<pid_t> GuardedProcesses() {
  std::vector<pid_t> processes;
  std::error_code wrong;
  for (const auto& entry : fs::directory_iterator(BoardsDirectory(), wrong)) {
    const int pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    if (kill(pid, 0) != 0 && errno == ESRCH) {
      fs::remove(entry.path(), wrong);
    } else {
      processes.push_back(pid);
    }
  }
  std::ranges::sort(processes);
  return processes;
}

Result<std::vector<pid_t>> Named(const std::string& word) {
  std::vector<pid_t> all = GuardedProcesses();
  if (word == "all" || word.empty()) return all;
  const pid_t pid = std::atoi(word.c_str());
  if (pid <= 0 || std::ranges::find(all, pid) == all.end()) {
    return Error(ErrorCode::kUsage)
        .Say("process {} is not guarded", word)
        .Hint("fairlead guard status lists those that are");
  }
  return std::vector<pid_t>{pid};
}

std::string StateOf(const GuardBoard& board) {
  if (board.off != 0) {
    return board.reason[0] == '\0'
               ? "off"
               : fmt::format("off: {}", PrintableLine(board.reason));
  }
  switch (board.state) {
    case GuardState::kGuarding:
      return "guarding";
    case GuardState::kLearning:
      return "learning";
    default:
      return "starting";
  }
}

struct CounterEntry {
  const char* name;
  const char* words;
  uint64_t abi::GuardCounters::* value;
};
constexpr CounterEntry kCounters[] = {
#define FL_GUARD_COUNTER(name, words) {#name, words, &abi::GuardCounters::name},
    FL_GUARD_COUNTERS(FL_GUARD_COUNTER)
#undef FL_GUARD_COUNTER
};

std::string TextOf(pid_t pid, const GuardBoard& board) {
  std::string text = fmt::format(
      "{} {}: {}, {}{}\n", pid, PrintableLine(board.program), StateOf(board),
      Counted(board.num_sites, "site"),
      board.num_missing == 0
          ? ""
          : fmt::format(", {} of them not in the program", board.num_missing));
  for (const CounterEntry& counter : kCounters) {
    const uint64_t value = board.counters.*counter.value;
    if (value == 0) continue;
    text += fmt::format("  {:<16} {:>12}  {}\n", counter.name, value,
                        counter.words);
  }
  return text;
}

Json JsonOf(pid_t pid, const GuardBoard& board) {
  Json json = {{"pid", pid},
               {"program", std::string(board.program)},
               {"state", StateOf(board)},
               {"sites", board.num_sites},
               {"missing_sites", board.num_missing}};
  for (const CounterEntry& counter : kCounters) {
    json[counter.name] = board.counters.*counter.value;
  }
  return json;
}

// One metric after the other, as the format asks.
std::string PrometheusOf(
    const std::vector<std::pair<pid_t, GuardBoard>>& boards) {
  std::string text;
  const auto quoted = [](const char* name) {
    std::string out;
    for (const char* c = name; *c != '\0'; ++c) {
      if (*c == '\\' || *c == '"') out += '\\';
      out += *c == '\n' ? ' ' : *c;
    }
    return out;
  };
  for (const CounterEntry& counter : kCounters) {
    text += fmt::format(
        "# HELP fairlead_guard_{0} {1}\n# TYPE fairlead_guard_{0} counter\n",
        counter.name, counter.words);
    for (const auto& [pid, board] : boards) {
      text += fmt::format("fairlead_guard_{}{{pid=\"{}\",program=\"{}\"}} {}\n",
                          counter.name, pid, quoted(board.program),
                          board.counters.*counter.value);
    }
  }
  text +=
      "# HELP fairlead_guard_on whether it guards\n"
      "# TYPE fairlead_guard_on gauge\n";
  for (const auto& [pid, board] : boards) {
    text += fmt::format("fairlead_guard_on{{pid=\"{}\",program=\"{}\"}} {}\n",
                        pid, quoted(board.program), board.off == 0 ? 1 : 0);
  }
  return text;
}

}  // namespace

Result<ExitCode> GuardStatus(const GuardWatchOptions& options) {
  const Result<std::vector<pid_t>> processes = Named(options.process);
  if (!processes) return processes.error();
  std::vector<std::pair<pid_t, GuardBoard>> boards;
  for (const pid_t pid : *processes) {
    const std::unique_ptr<Board> board = Board::Open(pid);
    if (board != nullptr) boards.emplace_back(pid, board->Copy());
  }
  if (options.prometheus) {
    Print(stdout, PrometheusOf(boards));
  } else if (options.json) {
    Json list = Json::array();
    for (const auto& [pid, board] : boards) list.push_back(JsonOf(pid, board));
    PrintJson(stdout, list);
  } else {
    if (boards.empty()) Note("no process of yours is guarded");
    for (const auto& [pid, board] : boards) Print(stdout, TextOf(pid, board));
  }
  return ExitCode::kNothingFound;
}

Result<ExitCode> GuardOff(const GuardWatchOptions& options) {
  const Result<std::vector<pid_t>> processes = Named(options.process);
  if (!processes) return processes.error();
  for (const pid_t pid : *processes) {
    const std::unique_ptr<Board> board = Board::Open(pid);
    if (board == nullptr) continue;
    board->SwitchOff();
    Note("{}: off", pid);
  }
  return ExitCode::kNothingFound;
}

Result<ExitCode> GuardUpdate(const GuardWatchOptions& options) {
  const Result<std::vector<pid_t>> processes = Named(options.process);
  if (!processes) return processes.error();
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStoreToRead(options.store);
  if (!store) return store.error();
  const Result<std::vector<fact::Fact>> kept = (*store)->Facts();
  if (!kept) return kept.error();
  const Result<std::vector<fact::Fact>> written =
      WrittenFacts(options.facts, "", Noise::kQuiet);
  if (!written) return written.error();
  const std::vector<fact::Fact> facts = fact::Merge(*written, *kept).facts;
  for (const pid_t pid : *processes) {
    const std::unique_ptr<Board> board = Board::Open(pid);
    if (board == nullptr) continue;
    const GuardBoard copy = board->Copy();
    const std::string rules = copy.rules;
    const std::string name = GuardName(copy.program);
    const Result<std::string> directory = GuardDirectory(options.store);
    if (!directory) return directory.error();
    // What a process says is written nowhere but where rules are.
    if (rules != fmt::format("{}/{}.rules", *directory, name)) {
      Warn("{}: its rules are not of this store: {}", pid,
           PrintableLine(rules));
      continue;
    }
    const Result<std::string> before = ReadFile(rules);
    if (!before) return before.error();
    const Status put =
        WriteFile(rules, RulesOf(SetsOfFacts(facts, name), name, true,
                                 AnchorsOfRulesUntrusted(*before)));
    if (!put) return put.error();
    board->AskToRead();
    Note("{}: reads its rules again when an access violates them next", pid);
  }
  return ExitCode::kNothingFound;
}

}  // namespace fairlead::cli
