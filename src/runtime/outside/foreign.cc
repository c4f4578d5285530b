#include "runtime/outside/foreign.h"

#include <linux/sched.h>

#include "runtime/carrier/tls.h"
#include "runtime/gate/hook.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// By clone calls that we saw, and by hooks that they came to: a thread may be
// in either, and those made by foreign threads are only in the second.
uint64_t num_made = 0;
uint64_t num_met = 0;

void Publish() {
  const uint64_t made = __atomic_load_n(&num_made, __ATOMIC_RELAXED);
  const uint64_t met = __atomic_load_n(&num_met, __ATOMIC_RELAXED);
  control_page()->outcome.uncontrolled[static_cast<size_t>(
      abi::Uncontrolled::kForeignThread)] = made > met ? made : met;
}

bool IsInModule(uint64_t address) {
  abi::ControlPage& page = *control_page();
  const auto* modules = page.entries<abi::ModuleEntry>(abi::RegionId::kModules);
  for (uint64_t i = 0; i < page.region(abi::RegionId::kModules).used; ++i) {
    if (address >= modules[i].begin && address < modules[i].end) return true;
  }
  return false;
}

// libc's clone keeps nothing on the stack: who called it is on top.
uint64_t MakerOf(const Call& call) {
  if (call.frame != nullptr) {
    const auto* top = reinterpret_cast<const uint64_t*>(
        call.frame->uc_mcontext.gregs[REG_RSP]);
    if (IsInModule(*top)) return *top - 1;
  }
  return reinterpret_cast<uint64_t>(call.caller);
}

}  // namespace

bool MakesForeignThread(uint64_t flags) {
  return (flags & CLONE_VM) != 0 && (flags & CLONE_VFORK) == 0;
}

void NoteForeignClone(const Call& call) {
  if (control_page() == nullptr) return;
  uint64_t& maker = control_page()->outcome.foreign_pc;
  if (maker == 0) maker = MakerOf(call);
  __atomic_fetch_add(&num_made, 1, __ATOMIC_RELAXED);
  Publish();
}

// Foreign threads do not take turns; nothing is ordered by this.
void NoteForeignThread() {
  if (control_page() == nullptr) return;
  tls_known = true;
  __atomic_fetch_add(&num_met, 1, __ATOMIC_RELAXED);
  Publish();
}

void* StorageForForeign() { return MakeForeignTls(); }

bool AnyForeignThreads() {
  return __atomic_load_n(&num_made, __ATOMIC_RELAXED) != 0 ||
         __atomic_load_n(&num_met, __ATOMIC_RELAXED) != 0;
}

}  // namespace fairlead::rt
