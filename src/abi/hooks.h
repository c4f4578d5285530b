// abi/hooks.h
//
// The only way from instrumented code to a runtime: a table of function
// pointers, one table per loaded module, all null until a runtime fills it.
// Nobody but the module's stubs reads it, and those test mode bytes, not the
// table: a runtime must fill it before it sets the first mode byte of that
// module, and never take it back.
//
// A stub is a function of the module (`__fl_load4.5`) in its section fl_stubs,
// and called by way of a step of the unit (abi/step.h). In an idle program it
// does what the program wanted, and nothing else; else it jumps to the hook of
// its name. Stubs and hooks have the C calling convention and must not unwind.
// A stub pushes nothing, and neither does a hook that makes an access while it
// makes it: a fault there is one of the call.
//
// The runtime keeps a ThreadSlot for every thread. Instrumented frames hold a
// pointer to it, or, when they are left alone, to the beginning of one of their
// own, and write its fields themselves:
//
//   entry    slot = enter(function, &own, pointers, self)
//            state = {slot->node, slot->depth}
//   anywhere slot->instructions += n, ahead of the n instructions that run from
//            there to the next call or the end of the block
//   call     slot->call = site
//   return   {slot->node, slot->depth} = state, slot->call = null
//   landing  unwound(function, slot, state)   (also setjmp)
//   exit     exit(function, slot)
//
// So a call costs a few stores, and nothing of it branches. Whoever needs the
// calling context of a thread whose `call` is set turns it into a node first.
// The instructions at an access are slot->instructions - site->behind.
//
// Code that was not compiled with us has no frames, and may synchronise without
// our seeing it. So a call that may lead there says whom it calls, and whoever
// is entered finds out whether that is itself. Of `target`, the bit kAway says
// that the thread has been in such code since its last event, and the rest is
// not 0 while it is there:
//
//   call     target = callee | (target & kAway)
//   entry    who = target without kAway
//            if (who is neither 0 nor self) own.target = who, target = kAway
//            else own.target = 0, target &= kAway
//   exit     target = (target & kAway) | own.target
//   return   target = kAway if it is not 0
//
// Calls of what is known to synchronise only before our eyes (other frames, the
// C library) leave it as it is.
//
// A plain event, behind a load or store of up to eight bytes under kModeAfter,
// goes where the runtime has left room for it:
//
//   after    if (told != told_end && !call && !inside && !target &&
//                instructions - behind - told_at fits Event::instructions)
//              *told++ = event, told_at = instructions - behind, at_point = 0
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
  uint64_t instructions;  // executed by its frames (see above)
  const SiteRecord* call;  // that the frame of `node` is in, until somebody has
                           // made it the `node`; null = none
  uint64_t target;         // whom it has called out there, and kAway
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
static_assert(offsetof(ThreadSlot, target) == 24);
static_assert(offsetof(ThreadSlot, told) == 32);
static_assert(offsetof(ThreadSlot, told_end) == 40);
static_assert(offsetof(ThreadSlot, told_at) == 48);
static_assert(offsetof(ThreadSlot, thread) == 56);
static_assert(sizeof(ThreadSlot) == 64);
// What frames write, and have of their own when they are left alone.
inline constexpr size_t kOwnSlotBytes = 32;
// See above: no address has it.
inline constexpr uint64_t kAway = uint64_t{1} << 63;

struct Hooks {
#define FL_HOOK_SLOT(result, name, parameters) result(*name) parameters;
#include "abi/hooks.inc"
#undef FL_HOOK_SLOT
};

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_HOOKS_H_
