// runtime/carrier/tls.h
//
// Thread control blocks and thread-local storage for fibers, made so that glibc
// takes a fiber for a thread: own errno, own thread_local variables, own
// pthread_self(), own exception state.
//
// glibc has no public way to do this. What is needed comes from symbols that it
// exports for its own debugger library and dynamic linker, so no offset is
// written down here; and TlsLayoutHolds() checks on the main thread, whose
// block glibc itself has made, that they mean what we think.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_CARRIER_TLS_H_
#define FAIRLEAD_RUNTIME_CARRIER_TLS_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// What stands for the number of a kernel thread, on both carriers: unique in
// the execution, and beyond what any kernel gives out (4 million), so that a
// signal sent to it reaches nobody. Main has its own.
constexpr int ThreadNumber(const Thread& thread) {
  return 0x2000'0000 + static_cast<int>(thread.serial);
}

// Why fibers cannot be had on this system, in words; null when they can.
const char* WhyNoTls();

// Makes the control block at `block` (carrier/stacks.h) that of `thread`, with
// thread-local variables in their first state. False: out of memory.
bool MakeTls(Thread& thread, char* block);

// Finds what the functions here need; called once, at the start, as it is not
// to be done in a handler.
void PrepareTls();

// The same for a thread that is not controlled, in memory of its own; null when
// it cannot be had.
char* MakeForeignTls();

// Frees what glibc has hung on to the block; the memory itself stays.
void ReleaseTls(char* block);

// Where libc keeps the kernel's number of the main thread; null if unknown.
int* KernelTidOfMain();
// Tells the kernel where the robust mutexes of the main thread are listed, as
// libc does in a child of fork.
void RegisterRobustListOfMain();

// `thread` ends: what the kernel does about robust mutexes that libc has listed
// as its own, those that are shared with other processes. A fiber is nothing to
// the kernel, and a kernel thread ends some time later.
void AbandonListedMutexes(Thread& thread);

// Ends the restartable sequences (rseq) of the kernel thread that calls this:
// the kernel would write the number of its processor into its control block,
// which is chance, and knows nothing of fibers. Libc and programs then do as on
// a kernel that has none.
void EndRseq();

// To be called on a new thread before it runs code of the program.
void BeginOnTls();

// The kernel's number of the thread that carries `thread`; 0 = one carries all,
// or it is not known.
int KernelTidOf(const Thread& thread);
// Where libc keeps it, and the kernel writes 0 when the thread has left; null
// when it is not known.
int* WhereKernelTidIs(const Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_TLS_H_
