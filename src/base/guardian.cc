#include "base/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <utility>

#include "base/keeper.h"

namespace fairlead {
namespace {

// Executions and output files at one time; far more than cores and options.
constexpr size_t kGroups = 256;
constexpr size_t kFiles = 32;

// Shared with the guardian and with children until they run their program.
struct Registry {
  pid_t groups[kGroups];         // 0 = free; -1 = taken, nobody there yet
  char files[kFiles][PATH_MAX];  // "" = free
};

struct Guardian {
  Registry* registry = nullptr;  // null = there is none
  pid_t pid = 0;
  int lifeline = -1;  // closed when we are gone
};

std::once_flag started;
Guardian guardian;
std::mutex mutex;  // of the places in `guardian.registry`

void EndGroup(pid_t leader) {
  // A member that is just forking leaves a child behind for a moment.
  for (int i = 0; i < 100; ++i) {
    if (kill(-leader, SIGKILL) != 0 && errno == ESRCH) return;
    const timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
}

// The life of the guardian, in a child of fork: only async-signal-safe calls.
[[noreturn]] void Guard(const Registry& registry, int lifeline) {
  setsid();
  prctl(PR_SET_NAME, "fairlead-guard");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  const int keep = 3;
  if (lifeline != keep) dup2(lifeline, keep);
  for (int fd = 0; fd < keep; ++fd) close(fd);
  CloseFrom(keep + 1);
  if (chdir("/") != 0) _exit(1);
  char nothing;
  while (read(keep, &nothing, 1) < 0 && errno == EINTR) {
  }
  for (const pid_t& leader : registry.groups) {
    const pid_t group = __atomic_load_n(&leader, __ATOMIC_ACQUIRE);
    if (group > 1) EndGroup(group);
  }
  for (const char(&file)[PATH_MAX] : registry.files) {
    if (file[0] != '\0') unlink(file);
  }
  _exit(0);
}

// At our own end: nothing is registered, the guardian goes, and is waited for
// lest it become a zombie where nobody reaps.
void Dismiss() {
  close(guardian.lifeline);
  while (waitpid(guardian.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void StartGuardian() {
  void* memory = mmap(nullptr, sizeof(Registry), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  auto* registry = static_cast<Registry*>(memory);
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[1]);
    Guard(*registry, ends[0]);
  }
  close(ends[0]);
  if (pid < 0) {
    close(ends[1]);
    return;
  }
  guardian = {registry, pid, ends[1]};
  atexit(Dismiss);
}

Registry* TheRegistry() {
  std::call_once(started, StartGuardian);
  return guardian.registry;
}

}  // namespace

GuardedGroup::GuardedGroup() : place_(nullptr) {
  Registry* registry = TheRegistry();
  if (registry == nullptr) return;
  const std::scoped_lock lock(mutex);
  for (pid_t& place : registry->groups) {
    if (place != 0) continue;
    place = -1;
    place_ = &place;
    return;
  }
}

GuardedGroup::GuardedGroup(GuardedGroup&& other) noexcept
    : place_(std::exchange(other.place_, nullptr)) {}

GuardedGroup::~GuardedGroup() {
  if (place_ == nullptr) return;
  const std::scoped_lock lock(mutex);
  __atomic_store_n(place_, 0, __ATOMIC_RELEASE);
}

void GuardedGroup::EnterSelf() const {
  if (place_ != nullptr) __atomic_store_n(place_, getpid(), __ATOMIC_RELEASE);
}

GuardedFile::GuardedFile(const std::string& path) : place_(nullptr) {
  Registry* registry = TheRegistry();
  std::error_code failure;
  const std::string full = std::filesystem::absolute(path, failure).string();
  if (registry == nullptr || failure || full.size() >= PATH_MAX) return;
  const std::scoped_lock lock(mutex);
  for (char(&place)[PATH_MAX] : registry->files) {
    if (place[0] != '\0') continue;
    // The first byte last: until then the place is free.
    memcpy(place + 1, full.c_str() + 1, full.size());
    __atomic_store_n(&place[0], full[0], __ATOMIC_RELEASE);
    place_ = place;
    return;
  }
}

GuardedFile::GuardedFile(GuardedFile&& other) noexcept
    : place_(std::exchange(other.place_, nullptr)) {}

void GuardedFile::Release() {
  if (place_ == nullptr) return;
  const std::scoped_lock lock(mutex);
  __atomic_store_n(place_, '\0', __ATOMIC_RELEASE);
  place_ = nullptr;
}

}  // namespace fairlead
