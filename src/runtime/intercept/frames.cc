#include "runtime/intercept/frames.h"

#include "runtime/emit/emitter.h"
#include "runtime/sites/sites.h"
#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

// 8 MB of stack hold fewer frames that have anything to tell.
constexpr uint32_t kMaxFrames = 1u << 16;

}  // namespace

void EnterFrame(Thread& thread, const abi::FunctionRecord* function,
                const void* const* pointers) {
  if (thread.frames == nullptr) {
    thread.frames = ArenaArray<uint32_t>(kMaxFrames);
  }
  const uint32_t index = FunctionIndex(function);
  if (thread.slot.depth < kMaxFrames) {
    thread.frames[thread.slot.depth] = index;
  }
  ++thread.slot.depth;
  const bool has_this =
      (function->flags & abi::kFunctionThis) != 0 && function->num_params != 0;
  const Emitter::Bytes handed = {static_cast<const void*>(pointers),
                                 function->num_params * sizeof(void*)};
  emitter().EmitBytes(thread, EventKind::kEnter,
                      has_this ? pointers[0] : nullptr, index, &handed, 1);
}

void LeaveFrames(Thread& thread, uint32_t depth) {
  while (thread.slot.depth > depth) {
    --thread.slot.depth;
    const uint32_t index =
        thread.slot.depth < kMaxFrames ? thread.frames[thread.slot.depth] : 0;
    emitter().Emit(thread, EventKind::kLeave, 0, nullptr, index);
  }
}

}  // namespace fairlead::rt
