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
//   call     if (slot) hooks.call(site, slot, state.node, n), n = 0
//   return   if (slot) {slot->node, slot->depth} = state
//   landing  if (slot) hooks.unwound(function, slot, state)   (also setjmp)
//   exit     if (slot) slot->instructions += n, hooks.exit() under kModeEvents
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_HOOKS_H_
#define FAIRLEAD_ABI_HOOKS_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/site.h"

namespace fairlead::abi {

// `node` and `depth` are read and written as one 64-bit word, the `state`.
struct ThreadSlot {
  uint32_t node;          // current node of the call tree; 0 = the root
  uint32_t depth;         // frames entered under kModeEvents; the runtime's own
  uint64_t instructions;  // executed by frames that have flushed
};
static_assert(offsetof(ThreadSlot, depth) == 4);
static_assert(offsetof(ThreadSlot, instructions) == 8);

#define FL_HOOK_CC __attribute__((preserve_most))

struct Hooks {
#define FL_HOOK_SLOT(result, name, parameters) \
  result(*name) parameters FL_HOOK_CC;
#include "abi/hooks.inc"
#undef FL_HOOK_SLOT
};

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_HOOKS_H_
