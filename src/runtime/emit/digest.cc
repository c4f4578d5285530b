#include "runtime/emit/digest.h"

#include "runtime/alloc/heap.h"
#include "runtime/carrier/stacks.h"
#include "runtime/sites/modules.h"

namespace fairlead::rt {
namespace {

// Below this no module, stack or mapping of the kernel's lies: position-
// independent executables start at 85 TB, all else above.
constexpr uint64_t kRandomisedBegin = 0x5500'0000'0000;
constexpr uint64_t kUserEnd = 0x8000'0000'0000;

}  // namespace

uint64_t Portable(uint64_t value) {
  if (InHeap(reinterpret_cast<const void*>(value))) {
    return HeapOffset(reinterpret_cast<const void*>(value)) + kHeapBegin;
  }
  if (value < kRandomisedBegin || value >= kUserEnd) [[likely]]
    return value;
  const Module* module = FindModule(value);
  if (module != nullptr) return Fold(module->name_hash, value - module->base);
  return 0;
}

}  // namespace fairlead::rt
