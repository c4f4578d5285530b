#include "runtime/outside/old_calls.h"

#include <linux/audit.h>

namespace fairlead::rt {
namespace {

// Whose arguments are numbers, descriptors and bytes; asm/unistd_32.h has the
// numbers of 32-bit programs.
struct Pair {
  int old;
  int now;
};
constexpr Pair kSame[] = {
    {1, SYS_exit},          {3, SYS_read},         {4, SYS_write},
    {5, SYS_open},          {6, SYS_close},        {10, SYS_unlink},
    {12, SYS_chdir},        {20, SYS_getpid},      {33, SYS_access},
    {37, SYS_kill},         {39, SYS_mkdir},       {40, SYS_rmdir},
    {41, SYS_dup},          {42, SYS_pipe},        {57, SYS_setpgid},
    {60, SYS_umask},        {63, SYS_dup2},        {64, SYS_getppid},
    {65, SYS_getpgrp},      {66, SYS_setsid},      {91, SYS_munmap},
    {118, SYS_fsync},       {125, SYS_mprotect},   {132, SYS_getpgid},
    {158, SYS_sched_yield}, {199, SYS_getuid},     {200, SYS_getgid},
    {201, SYS_geteuid},     {202, SYS_getegid},    {224, SYS_gettid},
    {238, SYS_tkill},       {252, SYS_exit_group}, {270, SYS_tgkill},
    {323, SYS_eventfd},     {328, SYS_eventfd2},   {330, SYS_dup3},
    {331, SYS_pipe2},       {355, SYS_getrandom}};

long Argument(const ucontext_t& frame, int index) {
  return static_cast<uint32_t>(frame.uc_mcontext.gregs[index]);
}

}  // namespace

bool IsOldCall(const siginfo_t& info) {
  return info.si_arch == AUDIT_ARCH_I386;
}

void TranslateOldCall(const ucontext_t& frame, Call& call) {
  const auto old = static_cast<int>(frame.uc_mcontext.gregs[REG_RAX]);
  call.number = -1;
  for (const Pair& pair : kSame) {
    if (pair.old == old) call.number = pair.now;
  }
  constexpr int kRegisters[] = {REG_RBX, REG_RCX, REG_RDX,
                                REG_RSI, REG_RDI, REG_RBP};
  for (int i = 0; i < 6; ++i) call.args[i] = Argument(frame, kRegisters[i]);
}

long AskKernelByOldCall(const ucontext_t& frame) {
  // The compiler may need %rbx and %rbp for itself.
  const long arguments[] = {Argument(frame, REG_RAX), Argument(frame, REG_RBX),
                            Argument(frame, REG_RCX), Argument(frame, REG_RDX),
                            Argument(frame, REG_RSI), Argument(frame, REG_RDI),
                            Argument(frame, REG_RBP)};
  const long* from = arguments;
  int result;
  asm volatile(
      "pushq %%rbx\n\t"
      "pushq %%rbp\n\t"
      "movq %[from], %%rax\n\t"
      "movq 8(%%rax), %%rbx\n\t"
      "movq 16(%%rax), %%rcx\n\t"
      "movq 24(%%rax), %%rdx\n\t"
      "movq 32(%%rax), %%rsi\n\t"
      "movq 40(%%rax), %%rdi\n\t"
      "movq 48(%%rax), %%rbp\n\t"
      "movq (%%rax), %%rax\n\t"
      "int $0x80\n\t"
      "popq %%rbp\n\t"
      "popq %%rbx\n\t"
      : "=&a"(result)
      : [from] "r"(from)
      : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
  return result;
}

}  // namespace fairlead::rt
