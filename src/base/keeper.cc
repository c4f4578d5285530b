#include "base/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace fairlead {
namespace {

// A fork bomb may be quicker than whoever ends it: some time must be the last.
constexpr int kMaxRounds = 2000;

bool ReadSome(int fd, char* room, size_t bytes, size_t& used) {
  const ssize_t got = read(fd, room + used, bytes - used);
  if (got > 0) used += static_cast<size_t>(got);
  return got > 0;
}

// Reads decimal numbers out of `text` and gives them to `each`; returns how
// many bytes were taken, since the last number may go on.
template <typename Each>
size_t EachNumber(const char* text, size_t bytes, Each&& each) {
  size_t taken = 0;
  pid_t number = 0;
  for (size_t i = 0; i < bytes; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      number = number * 10 + (text[i] - '0');
      continue;
    }
    if (number != 0) each(std::exchange(number, 0));
    taken = i + 1;
  }
  return taken;
}

// Gives every child of this process, which has one thread, to `each`. False if
// the system does not say.
template <typename Each>
bool EachChild(Each&& each) {
  const int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char room[512];
  size_t used = 0;
  while (ReadSome(fd, room, sizeof(room), used)) {
    const size_t taken = EachNumber(room, used, each);
    memmove(room, room + taken, used - taken);
    used -= taken;
  }
  close(fd);
  return true;
}

// The same where the kernel keeps no lists of children.
template <typename Each>
void EachChildSlowly(Each&& each) {
  DIR* all = opendir("/proc");
  if (all == nullptr) return;
  const pid_t self = getpid();
  while (const dirent* entry = readdir(all)) {
    const auto number = static_cast<pid_t>(strtol(entry->d_name, nullptr, 10));
    if (number > 1 && ParentOf(number) == self) each(number);
  }
  closedir(all);
}

// Ends the program and all other children, and theirs as they become ours.
// Reaps all but the program, which has ended then: `ended` says how.
void EndAll(pid_t program, siginfo_t& ended) {
  // A group is ended at once, however fast its members fork.
  kill(-program, SIGKILL);
  kill(program, SIGKILL);
  while (waitid(P_PID, static_cast<id_t>(program), &ended, WEXITED | WNOWAIT) <
             0 &&
         errno == EINTR) {
  }
  for (int round = 0; round < kMaxRounds; ++round) {
    bool any = false;
    const auto end = [&](pid_t child) {
      if (child == program) return;
      kill(-child, SIGKILL);  // if it leads a group
      // One that has another user's rights is out of reach.
      if (kill(child, SIGKILL) != 0) return;
      any = true;
      while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
      }
    };
    if (!EachChild(end)) EachChildSlowly(end);
    if (!any) return;
  }
}

void OnChild(int) {}

// Reaps those whom nobody else waits for. True when the program is over.
bool ReapOthers(pid_t program) {
  while (true) {
    siginfo_t ended = {};
    if (waitid(P_PID, static_cast<id_t>(program), &ended,
               WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == program) {
      return true;
    }
    ended = {};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid == 0) {
      return false;
    }
    if (ended.si_pid != program) waitpid(ended.si_pid, nullptr, WNOHANG);
  }
}

// Waits until the program is over or the line is closed.
void Watch(pid_t program, int line) {
  sigset_t mask;
  sigfillset(&mask);
  sigdelset(&mask, SIGCHLD);
  while (!ReapOthers(program)) {
    pollfd wanted = {line, POLLIN, 0};
    if (ppoll(&wanted, 1, nullptr, &mask) > 0) return;
  }
}

// What must be so before the program is there: nobody but us can end this
// process by accident, and no child gets away.
void Settle() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  struct sigaction action = {};
  action.sa_handler = OnChild;
  sigaction(SIGCHLD, &action, nullptr);
  setpgid(0, 0);
  prctl(PR_SET_NAME, "fairlead-keeper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

}  // namespace

void CloseFrom(int first) {
  if (close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  // Not allowed, or a kernel before 5.9. Descriptors above the limit are those
  // of a process whose limit was lowered: rare, and few.
  rlimit limit = {};
  constexpr rlim_t kMost = 1 << 16;
  getrlimit(RLIMIT_NOFILE, &limit);
  const auto end = static_cast<int>(std::min(limit.rlim_cur, kMost));
  for (int fd = first; fd < end; ++fd) close(fd);
}

namespace {

struct ProcessState {
  char state = 0;  // 'R', 'S', 'T', ...; 0 = nobody knows
  pid_t parent = 0;
};

ProcessState StateOf(pid_t process) {
  char path[32] = "/proc/";
  char digits[16];
  size_t number = 0;
  for (pid_t rest = process; rest > 0; rest /= 10) {
    digits[number++] = static_cast<char>('0' + rest % 10);
  }
  size_t at = strlen(path);
  while (number != 0) path[at++] = digits[--number];
  memcpy(path + at, "/stat", sizeof("/stat"));
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  char room[256];
  size_t used = 0;
  while (used < sizeof(room) && ReadSome(fd, room, sizeof(room), used)) {
  }
  close(fd);
  // "PID (NAME) STATE PARENT ...", and the name may hold anything.
  const auto* name_end = static_cast<char*>(memrchr(room, ')', used));
  if (name_end == nullptr) return {};
  const size_t begin = static_cast<size_t>(name_end - room) + 4;
  if (begin > used) return {};
  ProcessState found = {.state = room[begin - 2]};
  for (size_t i = begin; i < used && room[i] >= '0' && room[i] <= '9'; ++i) {
    found.parent = found.parent * 10 + (room[i] - '0');
  }
  return found;
}

}  // namespace

pid_t ParentOf(pid_t process) { return StateOf(process).parent; }

bool IsSuspended(pid_t process) { return StateOf(process).state == 'T'; }

void Keep(int line, int report, void (*become_program)(void*), void* argument) {
  Settle();
  // The memory is lent until the program runs: copying it once is enough. Where
  // that is refused, it is copied once more.
  pid_t program = vfork();
  if (program < 0) program = fork();
  if (program == 0) {
    become_program(argument);
    _exit(127);
  }
  const int error = errno;
  if (program < 0) {
    [[maybe_unused]] const ssize_t put = write(report, &error, sizeof(error));
    _exit(127);
  }
  constexpr int kLine = 0;
  dup2(line, kLine);
  CloseFrom(kLine + 1);
  [[maybe_unused]] ssize_t put = write(kLine, &program, sizeof(program));
  siginfo_t ended = {};
  Watch(program, kLine);
  EndAll(program, ended);
  const KeptEnding ending = {ended.si_code, ended.si_status};
  put = write(kLine, &ending, sizeof(ending));
  char nothing;
  while (read(kLine, &nothing, 1) < 0 && errno == EINTR) {
  }
  // Its number is nobody's business any more. Not every init reaps what it is
  // left with, in containers above all.
  waitpid(program, nullptr, WNOHANG);
  _exit(0);
}

}  // namespace fairlead
