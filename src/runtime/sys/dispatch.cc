#include "runtime/sys/dispatch.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include "runtime/sys/syscall.h"

// Made by the linker: where this library begins in memory.
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

namespace fairlead::rt {
namespace {

// linux/prctl.h may be older than the kernel.
constexpr int kSetDispatch = 59;
constexpr int kDispatchOff = 0;
constexpr int kDispatchOn = 1;
constexpr char kAllow = 0;
constexpr char kBlock = 1;
constexpr unsigned long kHasRestorer = 0x04000000;  // SA_RESTORER

// As the kernel has it.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

struct Range {
  uintptr_t begin;
  size_t bytes;
};

// Read by the kernel at each system call of every thread that is dispatched.
constinit volatile char selector = kBlock;
Range own_text;
Range loader_text;
bool prepared = false;

// The executable part of the library that begins at `base`.
Range TextOf(uintptr_t base) {
  if (base == 0) return {};
  const auto& file = *reinterpret_cast<const ElfW(Ehdr)*>(base);
  const auto* header = reinterpret_cast<const ElfW(Phdr)*>(base + file.e_phoff);
  for (int i = 0; i < file.e_phnum; ++i) {
    if (header[i].p_type == PT_LOAD && (header[i].p_flags & PF_X) != 0) {
      return {base + header[i].p_vaddr, header[i].p_memsz};
    }
  }
  return {};
}

}  // namespace

bool PrepareDispatch(CallHandler on_call) {
  own_text = TextOf(reinterpret_cast<uintptr_t>(&__ehdr_start));
  loader_text = TextOf(getauxval(AT_BASE));
  if (own_text.bytes == 0) return false;
  // SIGSYS stays open in its handler: a thread may park in there while another
  // one runs on the same kernel thread.
  const KernelAction action = {.handler = on_call,
                               .flags = SA_SIGINFO | SA_NODEFER | kHasRestorer,
                               .restorer = __fl_restore,
                               .mask = 0};
  if (sys::Call(SYS_rt_sigaction, SIGSYS, sys::Arg(&action), 0,
                sizeof(action.mask)) != 0) {
    return false;
  }
  prepared =
      sys::Call(SYS_prctl, kSetDispatch, kDispatchOn,
                static_cast<long>(own_text.begin),
                static_cast<long>(own_text.bytes), sys::Arg(&selector)) == 0;
  TurnDispatchOff();
  return prepared;
}

void TurnDispatchOn() {
  if (!prepared) return;
  const uint64_t ours = ~WithoutOurSignals(~uint64_t{0});
  sys::Call(SYS_rt_sigprocmask, SIG_UNBLOCK, sys::Arg(&ours), 0, sizeof(ours));
  sys::Call(SYS_prctl, kSetDispatch, kDispatchOn,
            static_cast<long>(own_text.begin),
            static_cast<long>(own_text.bytes), sys::Arg(&selector));
}

void TurnDispatchOff() {
  if (!prepared) return;
  sys::Call(SYS_prctl, kSetDispatch, kDispatchOff, 0, 0, 0);
}

bool IsLoadersCode(const void* pc) {
  return reinterpret_cast<uintptr_t>(pc) - loader_text.begin <
         loader_text.bytes;
}

bool IsOwnCode(uint64_t pc) {
  const Range own = TextOf(reinterpret_cast<uintptr_t>(&__ehdr_start));
  return pc - own.begin < own.bytes;
}

Undispatched::Undispatched() { selector = kAllow; }
Undispatched::~Undispatched() { selector = kBlock; }

uint64_t WithoutOurSignals(uint64_t mask) {
  return mask & ~(uint64_t{1} << (SIGSYS - 1));
}

}  // namespace fairlead::rt
