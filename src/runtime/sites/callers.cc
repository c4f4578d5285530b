#include "runtime/sites/callers.h"

#include "abi/context.h"
#include "runtime/sites/modules.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// Twice the capacity of the table in the control page, so that probing stays
// short; a power of two.
constexpr size_t kEntries = size_t{1} << 17;

struct Entry {
  const void* caller;  // null = empty
  SiteId anchor;
  uint32_t site;
};
Entry entries[kEntries];

size_t Slot(const void* caller) {
  return (reinterpret_cast<uint64_t>(caller) * 0x9e3779b97f4a7c15) >> 47;
}

// Fills a fresh entry; leaves site and anchor zero when there is no room.
void Intern(Entry& entry, const void* caller) {
  const auto address = reinterpret_cast<uint64_t>(caller);
  const Module* module = FindModule(address);
  if (module == nullptr) {
    ListModules();
    module = FindModule(address);
  }
  entry.caller = caller;
  abi::ControlPage& page = *control_page();
  abi::Region& region = page.region(abi::RegionId::kCallers);
  // Entry 0 of the table means "unknown".
  const uint64_t number = region.used == 0 ? 1 : region.used;
  if (module == nullptr || number >= region.capacity) return;
  const uint64_t offset = address - module->base;
  entry.site = static_cast<uint32_t>(number);
  entry.anchor = static_cast<SiteId>(abi::Fold(module->name_hash, offset));
  page.entries<abi::CallerRecord>(abi::RegionId::kCallers)[number] = {
      .module = module->index,
      .reserved = 0,
      .offset = offset,
      .anchor = entry.anchor};
  // Pairs with the tool's acquire load: the entry is whole.
  __atomic_store_n(&region.used, number + 1, __ATOMIC_RELEASE);
}

}  // namespace

Place PlaceOfCaller(const void* caller) {
  for (size_t i = Slot(caller);; i = (i + 1) % kEntries) {
    Entry& entry = entries[i];
    if (entry.caller == nullptr) Intern(entry, caller);
    if (entry.caller == caller) return {entry.anchor, entry.site, 0};
  }
}

}  // namespace fairlead::rt
