#include "runtime/gate/insight.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include "runtime/alloc/heap.h"
#include "runtime/gate/gate.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

Thread& ThreadOf(abi::Tid tid) { return gate().thread(abi::Index(tid)); }

// Main has no parent; a child keeps its parent's record for as long as it is.
// Of one that is deeper than anybody asks for, 0.
uint64_t PathOf(const Thread& thread) {
  constexpr size_t kDeepest = 32;
  uint16_t ordinals[kDeepest];
  size_t depth = 0;
  const Thread* ancestor = &thread;
  for (; ancestor->parent != nullptr; ancestor = ancestor->parent) {
    if (depth == kDeepest) return 0;
    ordinals[depth++] = ancestor->ordinal;
  }
  uint64_t path = abi::kMainPath;
  while (depth > 0) path = abi::ChildPath(path, ordinals[--depth]);
  return path;
}

class GateInsight final : public sched::Insight {
 public:
  sched::Candidate IntentOf(abi::Tid tid) const noexcept override {
    return Describe(ThreadOf(tid));
  }

  uint32_t NodeOf(abi::Tid tid) const noexcept override {
    return ThreadOf(tid).slot.node;
  }
  uint64_t ContextOf(uint32_t node) const noexcept override {
    return ContextOfNode(node);
  }
  bool Encloses(uint32_t outer, uint32_t inner) const noexcept override {
    return rt::Encloses(outer, inner);
  }
  bool FindOuter(uint32_t inner, uint64_t context,
                 uint32_t* outer) const noexcept override {
    return rt::FindOuter(inner, context, outer);
  }

  uint64_t PathOf(abi::Tid tid) const noexcept override {
    return rt::PathOf(ThreadOf(tid));
  }

  uint64_t InstructionsOf(abi::Tid tid) const noexcept override {
    const Thread& thread = ThreadOf(tid);
    return thread.slot.instructions + thread.unflushed;
  }

  sched::Block BlockAt(uint64_t address) const noexcept override {
    const auto* pointer = reinterpret_cast<const void*>(address);
    if (!InHeap(pointer)) return {};
    const Found found = FindBlock(pointer);
    if (found.slot == nullptr) return {};
    return {reinterpret_cast<uint64_t>(found.begin), found.slot->bytes};
  }

  // By the kernel, since the address is another thread's, and may be wild.
  bool ReadMemory(uint64_t address, uint64_t bytes,
                  uint64_t* value) const noexcept override {
    if (bytes == 0 || bytes > sizeof(*value)) return false;
    *value = 0;
    iovec to = {value, bytes};
    iovec from = {reinterpret_cast<void*>(address), bytes};
    const long pid = sys::Call(SYS_getpid);
    return sys::Call(SYS_process_vm_readv, pid, sys::Arg(&to), 1,
                     sys::Arg(&from), 1, 0) == static_cast<long>(bytes);
  }
};

constinit GateInsight the_insight;

}  // namespace

const sched::Insight& gate_insight() { return the_insight; }

}  // namespace fairlead::rt
