#include "runtime/outside/child_programs.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {
namespace {

// As the kernel has it in the flags of a task: forked, and no exec since.
constexpr uint64_t kForkNoExec = 0x40;
// Which field of /proc/PID/stat they are, behind the name.
constexpr int kFlagsField = 7;

constinit int last_noted = 0;
constinit bool any_noted = false;

// The text of /proc/PID/stat; "" = cannot be read.
void ReadStat(int pid, char* text, size_t size) {
  char path[64] = {};
  Text(path, sizeof(path))
      .Put("/proc/")
      .Decimal(static_cast<uint64_t>(pid))
      .Put("/stat");
  text[0] = '\0';
  const long fd =
      sys::Call(SYS_openat, AT_FDCWD, sys::Arg(path), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return;
  const long length =
      sys::Call(SYS_read, fd, sys::Arg(text), static_cast<long>(size - 1));
  text[length < 0 ? 0 : length] = '\0';
  sys::Call(SYS_close, fd);
}

// Whether `pid` is known to be what fork has made of us.
bool IsStillOurs(int pid) {
  char text[512];
  ReadStat(pid, text, sizeof(text));
  const char* at = strrchr(text, ')');  // names may have any character
  for (int field = 0; at != nullptr && field < kFlagsField; ++field) {
    at = strchr(at + 1, ' ');
  }
  if (at == nullptr) return false;
  uint64_t flags = 0;
  for (++at; *at >= '0' && *at <= '9'; ++at) {
    flags = flags * 10 + static_cast<uint64_t>(*at - '0');
  }
  return (flags & kForkNoExec) != 0;
}

}  // namespace

void NoteEndOfChild(int pid) {
  if (pid == last_noted) return;  // looked at again
  last_noted = pid;
  any_noted = true;
  if (!IsStillOurs(pid)) CountUncontrolled(abi::Uncontrolled::kChildProgram);
}

void NoteChildrenLeft() {
  const bool made = control_page()->outcome.uncontrolled[static_cast<size_t>(
                        abi::Uncontrolled::kForkedChild)] != 0;
  if (!made) return;
  siginfo_t info = {};
  const bool left = sys::Call(SYS_waitid, P_ALL, 0, sys::Arg(&info),
                              WEXITED | WNOHANG | WNOWAIT, 0) == 0;
  if (left || !any_noted) CountUncontrolled(abi::Uncontrolled::kChildProgram);
}

}  // namespace fairlead::rt
