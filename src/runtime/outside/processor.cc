#include "runtime/outside/processor.h"

#include <asm/prctl.h>
#include <cpuid.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <x86intrin.h>

#include "runtime/carrier/tls.h"
#include "runtime/model/clock.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {
namespace {

// asm/prctl.h may be older than the kernel.
constexpr int kSetCpuid = 0x1012;
constexpr uint64_t kSecond = 1'000'000'000;

// Whether the calling kernel thread, and by inheritance every one that is under
// control, has them.
bool counter_faults = false;
bool identity_faults = false;

bool LetCounterFault(bool fault) {
  return sys::Call(SYS_prctl, PR_SET_TSC,
                   fault ? PR_TSC_SIGSEGV : PR_TSC_ENABLE) == 0;
}

bool LetIdentityFault(bool fault) {
  return sys::Call(SYS_arch_prctl, kSetCpuid, fault ? 0 : 1) == 0;
}

// Whether the thread that has faulted runs code of the program's.
bool IsControlled() {
  const Thread* thread = tls_self;
  return thread != nullptr && control_page() != nullptr &&
         thread->slot.inside == 0;
}

uint64_t Ticks() {
  const timespec now = ReadClock(CLOCK_MONOTONIC);
  return static_cast<uint64_t>(now.tv_sec) * kSecond +
         static_cast<uint64_t>(now.tv_nsec);
}

struct Identity {
  uint32_t eax, ebx, ecx, edx;
};

// Takes out what differs between the processors of a machine, and what asks
// for numbers that nobody can repeat.
void MakeRepeatable(uint32_t leaf, uint32_t part, Identity& id) {
  constexpr uint32_t kRdrand = 1u << 30;
  constexpr uint32_t kRdseed = 1u << 18;
  constexpr uint32_t kTransactions = 1u << 4 | 1u << 11;
  switch (leaf) {
    case 0x1:
      id.ebx &= 0x00ff'ffff;  // the number of the processor
      id.ecx &= ~kRdrand;
      break;
    case 0x7:
      if (part == 0) id.ebx &= ~(kRdseed | kTransactions);
      break;
    case 0xb:
    case 0x1f:
      id.edx = 0;
      break;
    case 0x1a:  // of which kind this one is
      id.eax = 0;
      break;
    case 0x8000'001e:
      id.eax = 0;
      id.ebx &= ~0xffu;
      id.ecx &= ~0xffu;
      break;
    default:
      break;
  }
}

void Put(ucontext_t& machine, int index, uint32_t value) {
  machine.uc_mcontext.gregs[index] = static_cast<greg_t>(value);
}

void AnswerCounter(ucontext_t& machine) {
  uint64_t ticks = 0;
  if (IsControlled()) {
    ticks = Ticks();
  } else {
    const Untrapped directly;
    ticks = __rdtsc();
  }
  Put(machine, REG_RAX, static_cast<uint32_t>(ticks));
  Put(machine, REG_RDX, static_cast<uint32_t>(ticks >> 32));
}

void AnswerIdentity(ucontext_t& machine) {
  const greg_t* registers = machine.uc_mcontext.gregs;
  const auto leaf = static_cast<uint32_t>(registers[REG_RAX]);
  const auto part = static_cast<uint32_t>(registers[REG_RCX]);
  Identity id = {};
  {
    const Untrapped directly;
    __cpuid_count(leaf, part, id.eax, id.ebx, id.ecx, id.edx);
  }
  MakeRepeatable(leaf, part, id);
  Put(machine, REG_RAX, id.eax);
  Put(machine, REG_RBX, id.ebx);
  Put(machine, REG_RCX, id.ecx);
  Put(machine, REG_RDX, id.edx);
}

// Whether the processor could read an instruction there. A jump that leaves the
// addresses of programs faults in the same way, and has none.
bool HasCode(const ucontext_t& machine) {
  constexpr int kAddressBits = 47;
  return machine.uc_mcontext.gregs[REG_RIP] >> kAddressBits == 0;
}

bool StandsAt(const ucontext_t& machine, const char* code, size_t bytes) {
  const auto* at =
      reinterpret_cast<const char*>(machine.uc_mcontext.gregs[REG_RIP]);
  for (size_t i = 0; i < bytes; ++i) {
    if (at[i] != code[i]) return false;
  }
  return true;
}

}  // namespace

void TrapProcessor() {
  counter_faults = LetCounterFault(true);
  identity_faults = LetIdentityFault(true);
}

bool AnswersForProcessor(const siginfo_t& info, ucontext_t& machine) {
  if (info.si_signo != SIGSEGV || info.si_code != SI_KERNEL ||
      !HasCode(machine)) {
    return false;
  }
  greg_t& next = machine.uc_mcontext.gregs[REG_RIP];
  if (counter_faults && StandsAt(machine, "\x0f\x31", 2)) {
    AnswerCounter(machine);
    next += 2;
    return true;
  }
  if (counter_faults && StandsAt(machine, "\x0f\x01\xf9", 3)) {
    AnswerCounter(machine);
    Put(machine, REG_RCX, 0);
    next += 3;
    return true;
  }
  if (identity_faults && StandsAt(machine, "\x0f\xa2", 2)) {
    AnswerIdentity(machine);
    next += 2;
    return true;
  }
  return false;
}

Untrapped::Untrapped()
    : counter_(counter_faults && LetCounterFault(false)),
      identity_(identity_faults && LetIdentityFault(false)) {}

void Untrapped::StaysOut() {
  counter_ = identity_ = false;
  counter_faults = identity_faults = false;
}

Untrapped::~Untrapped() {
  if (counter_) LetCounterFault(true);
  if (identity_) LetIdentityFault(true);
}

}  // namespace fairlead::rt
