// runtime/sites/nodes.h
//
// The call tree: every calling context that occurs, interned. A node is a call
// site under its parent node; its hash, over the ids of the call sites from the
// root, is the same in every execution. Recursion is folded: a call site that
// is already on the way to the root leads back to that node.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_NODES_H_
#define FAIRLEAD_RUNTIME_SITES_NODES_H_

#include <stdint.h>

#include "abi/site.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

void PrepareNodes();

// The call that `slot` is in becomes its node (abi/hooks.h). Whoever is about
// to tell where a thread is calls this first; usually there is nothing to do.
void MakeCallTheNode(abi::ThreadSlot& slot);
inline void SettleContext(Thread& thread) {
  if (thread.slot.call != nullptr) MakeCallTheNode(thread.slot);
}

// The innermost call site on the way from `node` to the root that is not a
// library's own; if there is none, the innermost. Site 0 for the root.
Place PlaceOfNode(uint32_t node);

// Its context (abi/context.h).
uint64_t ContextOfNode(uint32_t node);

// Whether calls lead from `outer` to `inner`, or they are the same.
bool Encloses(uint32_t outer, uint32_t inner);

// The innermost node from `inner` outwards that has this context; false if none
// has.
bool FindOuter(uint32_t inner, uint64_t context, uint32_t* outer);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_NODES_H_
