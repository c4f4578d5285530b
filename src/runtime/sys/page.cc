#include "runtime/sys/page.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "runtime/sys/check.h"
#include "runtime/sys/environment.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constinit abi::ControlPage* page = nullptr;
constinit abi::ControlPage* parents_page = nullptr;  // of a child of fork

bool IsProgram(const abi::Plan& plan, const char* path) {
  struct stat file = {};
  return path != nullptr &&
         sys::Call(SYS_newfstatat, AT_FDCWD, sys::Arg(path), sys::Arg(&file),
                   0) == 0 &&
         file.st_dev == plan.program_dev && file.st_ino == plan.program_ino;
}

// Inside valgrind, the kernel's answer is valgrind, and the program's own table
// has the program.
bool IsForThisExecutable(const abi::Plan& plan) {
  return IsProgram(plan, "/proc/self/exe") ||
         IsProgram(plan, reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
}

// The page behind `fd`, or null when there is none that we understand.
abi::ControlPage* MapPage(int fd) {
  struct stat file = {};
  if (sys::Call(SYS_fstat, fd, sys::Arg(&file)) != 0) return nullptr;
  const auto size = static_cast<size_t>(file.st_size);
  if (size < sizeof(abi::ControlPage)) return nullptr;
  auto* mapped = static_cast<abi::ControlPage*>(
      sys::Map(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd));
  if (mapped == nullptr) return nullptr;
  if (mapped->magic == abi::kControlMagic &&
      mapped->version == abi::kControlVersion &&
      mapped->header_bytes == sizeof(abi::ControlPage) &&
      mapped->total_bytes <= size) {
    return mapped;
  }
  sys::Unmap(mapped, size);
  Log("the tool and the runtime library in LD_PRELOAD are of different builds; "
      "install both from one build");
  return nullptr;
}

}  // namespace

abi::ControlPage* control_page() { return page; }

void ForgetControlPage() {
  parents_page = page;
  page = nullptr;
}

void TellParent(abi::Uncontrolled what) {
  if (parents_page == nullptr) return;
  __atomic_fetch_add(
      &parents_page->outcome.uncontrolled[static_cast<size_t>(what)], 1,
      __ATOMIC_RELAXED);
}

bool FindControlPage(char** environment) {
  const char* number = FindVariable(environment, abi::kControlVariable);
  if (number == nullptr) return false;
  int fd = 0;
  for (; *number >= '0' && *number <= '9'; ++number) {
    fd = fd * 10 + (*number - '0');
  }
  abi::ControlPage* found = MapPage(fd);
  if (found == nullptr) return false;
  if (!IsForThisExecutable(found->plan)) {
    // Some other program on the way to ours, such as a shell: leave the
    // variables for the one that comes.
    sys::Unmap(found, found->total_bytes);
    return false;
  }
  page = found;
  sys::Close(fd);
  RemoveVariable(environment, abi::kControlVariable);
  RemoveFromPreload(environment);
  return true;
}

void CountUncontrolled(abi::Uncontrolled what) {
  if (page == nullptr) return;
  ++page->outcome.uncontrolled[static_cast<size_t>(what)];
}

void NoteUnheeded(abi::Unheeded what) {
  if (page == nullptr) return;
  page->outcome.unheeded |= 1u << static_cast<uint32_t>(what);
}

void TellReady() {
  if (page == nullptr) return;
  // Pairs with the tool's acquire load while the program runs.
  __atomic_store_n(&page->outcome.ready, 1, __ATOMIC_RELEASE);
}

Text OutcomeText() { return {page->outcome.text, abi::kTextBytes}; }

}  // namespace fairlead::rt
