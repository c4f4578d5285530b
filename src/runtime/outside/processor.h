// runtime/outside/processor.h
//
// What a program can ask the processor itself, past libc and the kernel: the
// time-stamp counter (rdtsc, rdtscp) and what machine this is (cpuid). The
// kernel lets these instructions fault, unprivileged, and our handler answers:
//
//   rdtsc, rdtscp   the monotonic clock of the program, a tick a nanosecond;
//                   processor 0
//   cpuid           as the processor says, but the same on all processors of
//                   the machine, and without rdrand, rdseed and transactions:
//                   nobody can repeat what these give
//
// Threads and processes that are not under control get what is real, or do not
// fault at all. The setting belongs to a kernel thread; new ones and exec
// inherit it, so it is lifted while one is made (Untrapped).
//
// Incomplete: cpuid faults on Intel since 2012, and elsewhere if the kernel
// says `cpuid_fault` in /proc/cpuinfo. A program that uses rdrand or rdpid
// without asking whether there is one gets the real thing.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_PROCESSOR_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_PROCESSOR_H_

#include <signal.h>
#include <ucontext.h>

namespace fairlead::rt {

// Lets the instructions fault in the calling kernel thread, as far as the
// kernel can. Only where every clone and exec comes to us (sys/dispatch.h).
void TrapProcessor();

// Whether this SIGSEGV is such an instruction; then it has been carried out,
// and `machine` goes on behind it.
bool AnswersForProcessor(const siginfo_t& info, ucontext_t& machine);

// While one exists, the calling kernel thread does not fault, and those that it
// makes, or the program that it becomes, never do.
class Untrapped {
 public:
  Untrapped();
  ~Untrapped();
  Untrapped(const Untrapped&) = delete;
  Untrapped& operator=(const Untrapped&) = delete;

  // The calling process is a child with memory of its own, which never faults.
  void StaysOut();

 private:
  bool counter_;
  bool identity_;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_PROCESSOR_H_
