#include "runtime/carrier/stacks.h"

#include <signal.h>

#include <dlfcn.h>

#include "runtime/sys/arena.h"
#include "runtime/sys/check.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kMaxSlots = (kStacksEnd - kStacksBegin) / kSlotBytes;
// Frames of a kernel thread in clone, start_thread and Launch (2 KB measured),
// and below them its stack for signal handlers.
constexpr size_t kLaunchFrames = (size_t{16} << 10) + kSignalStackBytes;

StackSlot* slots[kMaxSlots];  // by index; a large slot fills several entries
size_t num_slots = 0;
StackSlot* free_slots = nullptr;
size_t tls_bytes = 4096;    // static TLS with the control block
size_t tls_alignment = 64;  // of the control block
size_t block_bytes = 2304;  // of a control block

constexpr size_t RoundUp(size_t value, size_t to) {
  return (value + to - 1) / to * to;
}

// One that was given back.
StackSlot* TakeFree(size_t stack_bytes) {
  for (StackSlot** link = &free_slots; *link != nullptr;
       link = &(*link)->next) {
    StackSlot* slot = *link;
    if (slot->stack_bytes < stack_bytes) continue;
    *link = slot->next;
    return slot;
  }
  return nullptr;
}

// Behind the last one; null when there is no memory.
StackSlot* Make(size_t stack_bytes) {
  const size_t launch_bytes = RoundUp(tls_bytes + kLaunchFrames, kPage);
  const size_t bytes = kPage + stack_bytes + launch_bytes;
  const size_t spanned = RoundUp(bytes, kSlotBytes) / kSlotBytes;
  if (num_slots + spanned > kMaxSlots) return nullptr;

  char* end = reinterpret_cast<char*>(kStacksBegin) +
              (num_slots + spanned) * kSlotBytes;
  char* begin =
      static_cast<char*>(sys::Map(end - bytes, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                                      MAP_STACK | MAP_FIXED_NOREPLACE));
  if (begin == nullptr) return nullptr;
  sys::Protect(begin, kPage, PROT_NONE);

  StackSlot* slot = ArenaNew<StackSlot>();
  *slot = {.begin = begin,
           .launch = end - launch_bytes,
           .end = end,
           .thread = nullptr,
           .next = nullptr,
           .index = static_cast<uint32_t>(num_slots),
           .stack_bytes = stack_bytes};
  for (size_t i = 0; i < spanned; ++i) slots[num_slots++] = slot;
  return slot;
}

}  // namespace

void PrepareStacks() {
  using StaticInfo = void (*)(size_t*, size_t*);
  auto static_info = reinterpret_cast<StaticInfo>(
      dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info"));
  if (static_info != nullptr) static_info(&tls_bytes, &tls_alignment);
  const auto* size = static_cast<const uint32_t*>(
      dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  if (size != nullptr) block_bytes = *size;
}

StackSlot* TakeStack(size_t stack_bytes) {
  if (stack_bytes < kDefaultStackBytes) stack_bytes = kDefaultStackBytes;
  const size_t wanted = RoundUp(stack_bytes * kLargerFrames, kPage);
  if (StackSlot* slot = TakeFree(wanted)) return slot;
  if (StackSlot* slot = Make(wanted)) return slot;
  stack_bytes = RoundUp(stack_bytes, kPage);
  StackSlot* slot = TakeFree(stack_bytes);
  return slot != nullptr ? slot : Make(stack_bytes);
}

void GiveStackBack(StackSlot* slot) {
  slot->next = free_slots;
  free_slots = slot;
}

StackSlot* SlotAt(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (at < kStacksBegin) return nullptr;
  const size_t index = (at - kStacksBegin) / kSlotBytes;
  return index < num_slots ? slots[index] : nullptr;
}

Thread* ThreadOfHandle(uintptr_t handle) {
  StackSlot* slot = SlotAt(reinterpret_cast<const void*>(handle));
  if (slot == nullptr) return nullptr;
  if (reinterpret_cast<uintptr_t>(ControlBlock(*slot)) != handle) {
    return nullptr;
  }
  return slot->thread;
}

char* ControlBlock(const StackSlot& slot) {
  const uintptr_t block = reinterpret_cast<uintptr_t>(slot.end) - block_bytes;
  return reinterpret_cast<char*>(block & ~(tls_alignment - 1));
}

char* TlsBegin(char* block) { return block - (tls_bytes - block_bytes); }
char* TlsEnd(char* block) { return block + block_bytes; }

void UseSignalStack(char* begin, size_t bytes) {
  stack_t stack = {};
  stack.ss_sp = begin;
  stack.ss_size = bytes;
  sys::Call(SYS_sigaltstack, sys::Arg(&stack), 0);
}

}  // namespace fairlead::rt
