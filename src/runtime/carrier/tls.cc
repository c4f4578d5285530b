#include "runtime/carrier/tls.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/rseq.h>

#include "runtime/carrier/stacks.h"
#include "runtime/sys/look.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// Bit of AT_HWCAP2: the kernel lets programs write the fs base themselves.
constexpr unsigned long kHasFsgsbase = 1ul << 1;
// glibc's debugger library describes a field by size in bits, count, offset.
constexpr size_t kOffsetWord = 2;
// Fields of the header of a control block that are fixed by the ABI between
// compilers and libc.
constexpr size_t kSelf = 0x10;
constexpr size_t kMultipleThreads = 0x18;
constexpr size_t kGuards = 0x28;  // stack guard and pointer guard
constexpr size_t kGuardBytes = 16;
// In the cpu_id field: this thread has no restartable sequences.
constexpr int kRseqFailed = -2;
constexpr size_t kRseqCpuId = 4;

struct PrivateSymbols {
  void* (*allocate)(void* block);
  void (*deallocate)(void* block, bool free_block);
  void (*init_ctype)();
  size_t tid;  // offset in the control block
  size_t block_bytes;
};
PrivateSymbols glibc;
bool looked_up = false;
bool layout_held = false;  // when the main thread had its own block

template <typename T>
T Find(const char* name) {
  return reinterpret_cast<T>(dlsym(RTLD_DEFAULT, name));
}

template <typename T>
T& Field(char* block, size_t offset) {
  return *reinterpret_cast<T*>(block + offset);
}

bool LookUp() {
  if (!looked_up) {
    looked_up = true;
    glibc.allocate = Find<decltype(glibc.allocate)>("_dl_allocate_tls");
    glibc.deallocate = Find<decltype(glibc.deallocate)>("_dl_deallocate_tls");
    glibc.init_ctype = Find<decltype(glibc.init_ctype)>("__ctype_init");
    const auto* tid = Find<const uint32_t*>("_thread_db_pthread_tid");
    const auto* size = Find<const uint32_t*>("_thread_db_sizeof_pthread");
    if (tid != nullptr) glibc.tid = tid[kOffsetWord];
    if (size != nullptr) glibc.block_bytes = *size;
  }
  return glibc.allocate != nullptr && glibc.deallocate != nullptr &&
         glibc.init_ctype != nullptr && glibc.tid != 0 &&
         glibc.block_bytes > glibc.tid + 24;
}

// Whether the main thread's own block looks as we would make one.
bool LayoutHolds() {
  char* block = reinterpret_cast<char*>(pthread_self());
  char* robust_list = block + glibc.tid + 16;
  return Field<char*>(block, 0) == block &&
         Field<char*>(block, kSelf) == block &&
         Field<int>(block, glibc.tid) == sys::GetTid() &&
         Field<char*>(block, glibc.tid + 8) == robust_list &&
         Field<char*>(block, glibc.tid + 16) == robust_list;
}

// What stands for the kernel's number in the block of a foreign thread.
constexpr int kForeignNumber = 0x3000'0000;

// A control block with thread-local variables in their first state. False: out
// of memory.
bool MakeBlock(char* block, int number) {
  memset(block, 0, glibc.block_bytes);
  if (glibc.allocate(block) == nullptr) return false;
  char* main = reinterpret_cast<char*>(pthread_self());
  Field<char*>(block, 0) = block;
  Field<char*>(block, kSelf) = block;
  Field<int>(block, kMultipleThreads) = 1;
  memcpy(block + kGuards, main + kGuards, kGuardBytes);
  Field<int>(block, glibc.tid) = number;
  // An empty list of threads, which fork walks through.
  char* list = block + glibc.tid - 16;
  Field<char*>(list, 0) = list;
  Field<char*>(list, 8) = list;
  char* robust_list = block + glibc.tid + 16;
  Field<char*>(block, glibc.tid + 8) = robust_list;
  Field<char*>(block, glibc.tid + 16) = robust_list;
  Field<int>(block, static_cast<size_t>(__rseq_offset) + kRseqCpuId) =
      kRseqFailed;
  return true;
}

}  // namespace

const char* WhyNoTls() {
  if ((getauxval(AT_HWCAP2) & kHasFsgsbase) == 0) {
    return "this kernel or processor has no fsgsbase instructions";
  }
  if (!LookUp()) return "this C library lacks the symbols that fibers need";
  if (!LayoutHolds()) return "this C library lays out threads differently";
  return nullptr;
}

void PrepareTls() { layout_held = LookUp() && LayoutHolds(); }

char* MakeForeignTls() {
  if (!LookUp() || !LayoutHolds()) return nullptr;
  StackSlot* slot = TakeStack(kSignalStackBytes);
  if (slot == nullptr) return nullptr;
  char* block = ControlBlock(*slot);
  return MakeBlock(block, kForeignNumber) ? block : nullptr;
}

bool MakeTls(Thread& thread, char* block) {
  if (!MakeBlock(block, ThreadNumber(thread))) return false;
  // Thread-local variables of ours are at the same distance in every block.
  char* main = reinterpret_cast<char*>(pthread_self());
  const ptrdiff_t self = reinterpret_cast<char*>(&tls_self) - main;
  *reinterpret_cast<Thread**>(block + self) = &thread;
  return true;
}

void ReleaseTls(char* block) { glibc.deallocate(block, false); }

int* WhereKernelTidIs(const Thread& thread) {
  if (!LookUp() || thread.thread_pointer == nullptr ||
      control_page()->outcome.carrier != abi::CarrierId::kThread) {
    return nullptr;
  }
  return &Field<int>(static_cast<char*>(thread.thread_pointer), glibc.tid);
}

int KernelTidOf(const Thread& thread) {
  const int* tid = WhereKernelTidIs(thread);
  return tid != nullptr ? *tid : 0;
}

int* KernelTidOfMain() {
  if (!LookUp() || !LayoutHolds()) return nullptr;
  return &Field<int>(reinterpret_cast<char*>(pthread_self()), glibc.tid);
}

void RegisterRobustListOfMain() {
  if (glibc.tid == 0) return;
  // struct robust_list_head: list, futex offset, pending.
  char* block = reinterpret_cast<char*>(pthread_self());
  sys::Call(SYS_set_robust_list, sys::Arg(block + glibc.tid + 16), 24);
}

void AbandonListedMutexes(Thread& thread) {
  if (!layout_held || thread.thread_pointer == nullptr) return;
  // From an entry to the mutex's word; the lowest bit of an entry is a mark.
  constexpr ptrdiff_t kToWord =
      static_cast<ptrdiff_t>(offsetof(pthread_mutex_t, __data.__lock)) -
      static_cast<ptrdiff_t>(offsetof(pthread_mutex_t, __data.__list.__next));
  constexpr int kMostEntries = 2048;  // as the kernel
  char* block = static_cast<char*>(thread.thread_pointer);
  const auto number = static_cast<uint32_t>(Field<int>(block, glibc.tid));
  char* const head = block + glibc.tid + 16;
  char* entry = Field<char*>(head, 0);
  for (int i = 0; i < kMostEntries && entry != head; ++i) {
    entry -= reinterpret_cast<uintptr_t>(entry) & 1;
    const Look next = LookAt(entry, 8);
    const Look word = LookAt(entry + kToWord, 4);
    if (next.seen == 0 || word.seen == 0) break;  // its memory is gone
    if ((word.value & FUTEX_TID_MASK) == number) {
      auto* futex = reinterpret_cast<uint32_t*>(entry + kToWord);
      const uint32_t waiters =
          static_cast<uint32_t>(word.value) & FUTEX_WAITERS;
      // Pairs with libc's acquire when another process takes it.
      __atomic_store_n(futex, waiters | FUTEX_OWNER_DIED, __ATOMIC_RELEASE);
      sys::FutexWake(futex, 1, 0);
    }
    entry = reinterpret_cast<char*>(next.value);
  }
  Field<char*>(head, 0) = head;
}

void EndRseq() {
  if (__rseq_size == 0) return;  // not registered
  constexpr long kRegisteredBytes = 32;
  char* area = reinterpret_cast<char*>(pthread_self()) + __rseq_offset;
  if (sys::Call(SYS_rseq, sys::Arg(area), kRegisteredBytes,
                RSEQ_FLAG_UNREGISTER, RSEQ_SIG) == 0) {
    Field<int>(area, kRseqCpuId) = kRseqFailed;
  }
}

void BeginOnTls() {
  if (glibc.init_ctype != nullptr) glibc.init_ctype();
}

}  // namespace fairlead::rt
