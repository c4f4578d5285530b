#include "guard/board.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "guard/sys.h"
#include "guard/text.h"

namespace fairlead::guard {
namespace {

abi::GuardBoard stand_in;
char board_path[abi::kGuardPathBytes];

constexpr long kReadWrite = 3;  // PROT_READ | PROT_WRITE
constexpr long kShared = 1;     // MAP_SHARED

// Maps `bytes` of a file; null = it cannot be.
void* Map(long fd, size_t bytes) {
  const long at = sys::Call(SYS_mmap, 0, static_cast<long>(bytes), kReadWrite,
                            kShared, fd, 0);
  return sys::Failed(at) ? nullptr : reinterpret_cast<void*>(at);
}

void Introduce(abi::GuardBoard& made) {
  memcpy(made.magic, abi::kGuardBoardMagic, sizeof(made.magic));
  made.version = abi::kGuardBoardVersion;
  made.pid = static_cast<uint32_t>(sys::Call(SYS_getpid));
  const long length =
      sys::Call(SYS_readlink, sys::Arg("/proc/self/exe"),
                sys::Arg(made.program), sizeof(made.program) - 1);
  if (length < 0) made.program[0] = '\0';
}

// `name=` at the beginning of `word`; what follows, or null.
const char* ValueOf(const char* word, const char* name) {
  const size_t length = strlen(name);
  if (strncmp(word, name, length) != 0 || word[length] != '=') return nullptr;
  return word + length + 1;
}

uint64_t NumberOf(const char* text) {
  uint64_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    number = number * 10 + static_cast<uint64_t>(*text - '0');
  }
  return number;
}

void ReadOption(const char* word) {
  const auto number = [word](const char* name, auto& value, uint64_t unit) {
    using Value = __remove_reference_t(decltype(value));
    const char* text = ValueOf(word, name);
    if (text != nullptr) value = static_cast<Value>(NumberOf(text) * unit);
  };
  const auto text = [word](const char* name, auto& value) {
    const char* given = ValueOf(word, name);
    if (given != nullptr) strncpy(value, given, sizeof(value) - 1);
  };
  number("stall_us", options.stall_ns, 1000);
  number("budget_ms", options.budget_ns, 1'000'000);
  number("static", options.static_sets, 1);
  number("observe", options.observe, 1);
  number("quiet", options.quiet, 1);
  number("off_signal", options.off_signal, 1);
  number("delay_us", options.delay_us, 1);
  number("memory_mb", options.memory_bytes, 1 << 20);
  text("off_file", options.off_file);
  text("log", options.log);
  text("boards", options.boards);
}

}  // namespace

constinit abi::GuardBoard* board = &stand_in;
constinit Options options = {};

void ReadOptions(const char* text) {
  char word[abi::kGuardPathBytes + 16];
  while (*text != '\0') {
    size_t length = 0;
    for (; *text != '\0' && *text != ','; ++text) {
      if (length + 1 < sizeof(word)) word[length++] = *text;
    }
    word[length] = '\0';
    ReadOption(word);
    if (*text == ',') ++text;
  }
}

void NameOfBoards(char (&directory)[abi::kGuardPathBytes]) {
  if (options.boards[0] != '\0') {
    memcpy(directory, options.boards, sizeof(directory));
    return;
  }
  Line<abi::kGuardPathBytes> line;
  line.Add("/dev/shm/fairlead-guard-")
      .Add(static_cast<uint64_t>(sys::Call(SYS_geteuid)));
  memcpy(directory, line.text(), line.length() + 1);
}

void MakeBoard() {
  char directory[abi::kGuardPathBytes];
  NameOfBoards(directory);
  sys::Call(SYS_mkdir, sys::Arg(directory), 0700);
  Line<abi::kGuardPathBytes> path;
  path.Add(directory).Add("/").Add(
      static_cast<uint64_t>(sys::Call(SYS_getpid)));
  const long fd =
      sys::Call(SYS_open, sys::Arg(path.text()),
                O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const abi::GuardBoard before = *board;
  void* mapped = nullptr;
  if (!sys::Failed(fd)) {
    if (sys::Furnish(fd, abi::kGuardSitesOffset)) {
      mapped = Map(fd, abi::kGuardSitesOffset);
    }
    sys::Call(SYS_close, fd);
    if (mapped == nullptr) sys::Call(SYS_unlink, sys::Arg(path.text()));
  }
  if (mapped == nullptr) {
    stand_in = before;
    board = &stand_in;
    board_path[0] = '\0';
  } else {
    auto* made = static_cast<abi::GuardBoard*>(mapped);
    *made = before;
    memset(&made->counters, 0, sizeof(made->counters));
    board = made;
    memcpy(board_path, path.text(), path.length() + 1);
  }
  Introduce(*board);
}

bool MapLearnBoard(const char* path) {
  const long fd =
      sys::Call(SYS_open, sys::Arg(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (sys::Failed(fd)) return false;
  struct stat about = {};
  const bool whole = fstat(static_cast<int>(fd), &about) == 0 &&
                     about.st_size == static_cast<off_t>(abi::kLearnBoardBytes);
  void* mapped = whole ? Map(fd, abi::kLearnBoardBytes) : nullptr;
  sys::Call(SYS_close, fd);
  if (mapped == nullptr) return false;
  auto* made = static_cast<abi::GuardBoard*>(mapped);
  uint32_t nobody = 0;
  const auto self = static_cast<uint32_t>(sys::Call(SYS_getpid));
  if (!__atomic_compare_exchange_n(&made->pid, &nobody, self, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return false;
  }
  board = made;
  Introduce(*made);
  return true;
}

void RemoveBoard() {
  if (board_path[0] != '\0') sys::Call(SYS_unlink, sys::Arg(board_path));
  board_path[0] = '\0';
}

void Say(const char* text, const char* more) {
  if (options.quiet != 0) return;
  Line<512> line;
  line.Add("fairlead guard: ").Add(text).Add(more).Add("\n");
  sys::Write(2, line.text(), line.length());
}

void SwitchOff(const char* reason) {
  if (__atomic_exchange_n(&board->off, 1, __ATOMIC_RELAXED) != 0) return;
  strncpy(board->reason, reason, sizeof(board->reason) - 1);
  board->state = abi::GuardState::kOff;
  Say("off: ", reason);
}

}  // namespace fairlead::guard
