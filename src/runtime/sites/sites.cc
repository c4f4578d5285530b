#include "runtime/sites/sites.h"

#include <string.h>

#include "abi/access_event.h"
#include "abi/version.h"
#include "runtime/emit/digest.h"
#include "runtime/execution.h"
#include "runtime/intercept/access.h"
#include "runtime/model/regions.h"
#include "runtime/sites/callers.h"
#include "runtime/sites/modules.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/check.h"

namespace fairlead::rt {
namespace {

constexpr size_t kMaxTables = 512;
SiteTable tables[kMaxTables];
constexpr SiteFacts kUnknownSite = {};
size_t num_tables = 0;
uint32_t next_site = 1;
uint32_t next_function = 1;
uint64_t points_digest = 1;

// Index of the first site with an id, for all modules.
struct Seen {
  uint64_t id;  // 0 = empty
  uint32_t index;
};
Seen* seen = nullptr;
size_t seen_capacity = 0;  // a power of two
size_t num_seen = 0;

Seen& SlotOf(uint64_t id) {
  size_t at = id & (seen_capacity - 1);
  while (seen[at].id != 0 && seen[at].id != id) {
    at = (at + 1) & (seen_capacity - 1);
  }
  return seen[at];
}

void MakeRoom(size_t more) {
  if ((num_seen + more) * 2 <= seen_capacity) return;
  Seen* old = seen;
  const size_t old_capacity = seen_capacity;
  seen_capacity = 1024;
  while ((num_seen + more) * 2 > seen_capacity) seen_capacity *= 2;
  seen = ArenaArray<Seen>(seen_capacity);
  for (size_t i = 0; i < old_capacity; ++i) {
    if (old[i].id != 0) SlotOf(old[i].id) = old[i];
  }
}

uint32_t Merge(uint64_t id, uint32_t index) {
  Seen& slot = SlotOf(id);
  if (slot.id == 0) {
    slot = {id, index};
    ++num_seen;
  }
  return slot.index;
}

// Whether `id` is in a list of the plan.
bool IsListed(abi::RegionId list, uint64_t id) {
  abi::ControlPage& page = *control_page();
  if (PlanAsks(abi::kPlanAllPoints)) return false;
  const auto* ids = page.entries<uint64_t>(list);
  size_t low = 0;
  size_t high = page.region(list).used;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (ids[middle] == id) return true;
    if (ids[middle] < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

bool IsIdle(uint64_t id) { return IsListed(abi::RegionId::kIdleSites, id); }

// The standard library's own code around std::thread: switching between a
// thread's creation and its first step multiplies schedules, not behaviours.
bool IsThreadLaunch(const abi::SiteRecord& site) {
  if ((site.flags & abi::kSiteLibrary) == 0 || !site.function) return false;
  const char* name = site.function->linkage_name.get();
  return name != nullptr && (strstr(name, "St6thread") != nullptr ||
                             strstr(name, "St7jthread") != nullptr);
}

// A mode byte where the site has one.
uint8_t ModeFor(const abi::SiteRecord& site) {
  if (site.id == 0 || !site.mode || IsIdle(site.id)) return 0;
  if ((site.flags & abi::kSiteCovered) != 0) return 0;
  const bool point =
      !IsThreadLaunch(site) && !IsListed(abi::RegionId::kOrderedSites, site.id);
  uint8_t mode = point ? abi::kModeBefore : 0;
  if (PlanAsks(abi::kPlanTrace)) mode |= abi::kModeAfter;
  return mode;
}

// Sites with the same id have the index of the first of them.
void FillFacts(SiteTable& table) {
  auto* facts = ArenaArray<SiteFacts>(table.count);
  for (uint32_t i = 0; i < table.count; ++i) {
    const abi::SiteRecord& site = table.begin[i];
    facts[i] = {.anchor = static_cast<SiteId>(site.anchor),
                .index = Merge(site.id == 0 ? 1 : site.id, table.first + i),
                .flags = abi::EventFlags(site.kind, site.order, site.flags),
                .kind = abi::EventOf(site.kind),
                .size = static_cast<uint8_t>(site.size < abi::kSizeExtended
                                                 ? site.size
                                                 : abi::kSizeExtended)};
    if (site.number) *site.number.get() = facts[i].index;
  }
  table.facts = facts;
}

void ClearModes(const SiteTable& table) {
  for (uint32_t i = 0; i < table.count; ++i) {
    const abi::SiteRecord& site = table.begin[i];
    if (site.id == 0) continue;
    if (site.mode) *site.mode.get() = 0;
    if (site.function) *site.function->mode.get() = 0;
  }
}

void SetSiteModes(const SiteTable& table) {
  for (uint32_t i = 0; i < table.count; ++i) {
    const abi::SiteRecord& site = table.begin[i];
    const uint8_t mode = ModeFor(site);
    if (mode == 0) continue;
    if (site.function) *site.function->mode.get() |= abi::kModeSites;
    *site.mode.get() = mode;
    if ((mode & abi::kModeBefore) == 0) continue;  // told, if anything
    points_digest = Fold(points_digest, site.id);
  }
}

// Whether calls have to be followed in a function that has no active site of
// its own: only if it has call sites, since contexts lead through it.
void SetContextModes(const SiteTable& table) {
  const bool frames = PlanAsks(abi::kPlanFrames);
  for (uint32_t i = 0; i < table.count; ++i) {
    const abi::SiteRecord& site = table.begin[i];
    if (site.id == 0 || !site.function) continue;
    uint8_t* mode = site.function->mode.get();
    const bool leads_on = site.kind == abi::SiteKind::kCall && !IsIdle(site.id);
    if (leads_on || *mode != 0) {
      *mode |= abi::kModeContext;
      if (frames) *mode |= abi::kModeEvents;
    }
  }
}

}  // namespace

SiteTable first_site_table;

void AdoptSites(Module& module) {
  const abi::ModuleRecord& record = *module.record;
  if (record.version != abi::kAbiVersion || num_tables == kMaxTables) {
    module.entry->flags |= abi::kModuleNewerAbi;
    Log("a part of the program was compiled by a fairlead-cc of another "
        "version and runs as if not instrumented; compile it again");
    return;
  }
  SiteTable& table = tables[num_tables++];
  table.begin = record.sites_begin.get();
  table.count =
      static_cast<uint32_t>(record.sites_end.get() - record.sites_begin.get());
  table.first = next_site;
  next_site += table.count;
  const auto functions = static_cast<uint32_t>(record.functions_end.get() -
                                               record.functions_begin.get());
  module.entry->flags |= abi::kModuleInstrumented;
  module.entry->first_site = table.first;
  module.entry->num_sites = table.count;
  module.entry->first_function = next_function;
  module.entry->num_functions = functions;
  table.functions = record.functions_begin.get();
  table.num_functions = functions;
  table.first_function = next_function;
  next_function += functions;

  // Hooks first: a mode byte that is set makes the program call them.
  FillHooks(*record.hooks.get());
  MakeRoom(table.count);
  FillFacts(table);
  if (num_tables == 1) first_site_table = table;
  SetSiteModes(table);
  SetContextModes(table);
  control_page()->outcome.point_set_digest = points_digest;
}

void SetModes() {
  if (num_tables == 0) return;
  points_digest = 1;
  for (size_t i = 0; i < num_tables; ++i) {
    ClearModes(tables[i]);
    SetSiteModes(tables[i]);
    SetContextModes(tables[i]);
  }
  control_page()->outcome.point_set_digest = points_digest;
}

const SiteFacts& FactsElsewhere(const abi::SiteRecord* site) {
  for (size_t i = 0; i < num_tables; ++i) {
    const auto at = static_cast<size_t>(site - tables[i].begin);
    if (at < tables[i].count) return tables[i].facts[at];
  }
  return kUnknownSite;
}

uint32_t FunctionIndex(const abi::FunctionRecord* function) {
  for (size_t i = 0; i < num_tables; ++i) {
    const auto at = static_cast<size_t>(function - tables[i].functions);
    if (at < tables[i].num_functions)
      return tables[i].first_function + static_cast<uint32_t>(at);
  }
  return 0;
}

const abi::SiteRecord* SiteAt(uint32_t index) {
  for (size_t i = 0; i < num_tables; ++i) {
    if (index - tables[i].first < tables[i].count) {
      return tables[i].begin + (index - tables[i].first);
    }
  }
  return nullptr;
}

Place PlaceOfCall(Thread& thread, const void* caller) {
  SettleContext(thread);
  if (thread.slot.node != 0) return PlaceOfNode(thread.slot.node);
  return PlaceOfCaller(caller);
}

uint64_t point_set_digest() { return points_digest; }

}  // namespace fairlead::rt

// Called by a constructor of an instrumented object: at the start of the
// process, when it is known already, or when it has been opened just now.
extern "C" __attribute__((visibility("default"))) void __fl_module_loaded(
    const fairlead::abi::ModuleRecord*) {
  using namespace fairlead::rt;
  Thread* self = tls_self;
  if (self == nullptr || self->slot.inside != 0) return;
  self->slot.inside = 1;
  ListModules();
  TellModules(*self);
  self->slot.inside = 0;
}
