// abi/hooks.h
//
// The only way from instrumented code to a runtime: a table of function
// pointers, one table per loaded module, all null until a runtime fills it.
// The program tests mode bytes, not this table: a runtime must fill it before
// it sets the first mode byte of that module, and never take it back.
//
// Hooks use the `preserve_most` calling convention, so that a site costs its
// function no registers while it is idle. They must not unwind.
//
// The runtime keeps a ThreadSlot for every thread. Instrumented frames hold a
// pointer to it and write its fields themselves:
//
//   entry    slot = mode ? hooks.enter(function, pointers) : null
//            state = {slot->node, slot->depth}
//   call     if (slot) slot->call = site, slot->instructions += n, n = 0
//   return   if (slot) {slot->node, slot->depth} = state, slot->call = null
//   landing  if (slot) hooks.unwound(function, slot, state)   (also setjmp)
//   exit     if (slot) slot->instructions += n, hooks.exit() under kModeEvents
//
// So a call costs a few stores. Whoever needs the calling context of a thread
// whose `call` is set turns it into a node first.
//
// A plain event, behind a load or store of up to eight bytes under kModeAfter,
// is written by the program itself where the runtime leaves room for it:
//
//   after    if (slot && told != told_end && !call && !inside &&
//                instructions + n - told_at fits Event::instructions)
//              *told++ = event, told_at = instructions + n, at_point = 0
//            else hooks.after()
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_HOOKS_H_
#define FAIRLEAD_ABI_HOOKS_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"
#include "abi/site.h"

namespace fairlead::abi {

// `node` and `depth` are read and written as one 64-bit word, the `state`.
struct alignas(64) ThreadSlot {
  uint32_t node;          // of the innermost frame in the call tree; 0 = the
                          // root
  uint32_t depth;         // frames entered under kModeEvents; the runtime's own
  uint64_t instructions;  // executed by frames that have flushed
  const SiteRecord* call;  // that the frame of `node` is in, until somebody has
                           // made it the `node`; null = none
  Event* told;             // room for plain events
  Event* told_end;
  uint64_t told_at;  // instructions at the last event
  // Read as one word: the beginning of an event, unless `inside`.
  uint16_t thread;   // as Event::thread
  uint8_t inside;    // > 0: in the runtime; hooks pass through
  uint8_t at_point;  // 1 between a point and the access that it stands before
};
static_assert(offsetof(ThreadSlot, depth) == 4);
static_assert(offsetof(ThreadSlot, instructions) == 8);
static_assert(offsetof(ThreadSlot, call) == 16);
static_assert(offsetof(ThreadSlot, thread) == 48);
static_assert(sizeof(ThreadSlot) == 64);

#define FL_HOOK_CC __attribute__((preserve_most))

struct Hooks {
#define FL_HOOK_SLOT(result, name, parameters) \
  result(*name) parameters FL_HOOK_CC;
#include "abi/hooks.inc"
#undef FL_HOOK_SLOT
};

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_HOOKS_H_
