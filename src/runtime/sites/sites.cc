#include "runtime/sites/sites.h"

#include <string.h>

#include "abi/access_event.h"
#include "abi/context.h"
#include "abi/packed_sites.h"
#include "abi/version.h"
#include "runtime/sites/callers.h"
#include "runtime/sites/hand_out.h"
#include "runtime/sites/modules.h"
#include "runtime/sites/nodes.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/check.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// The tables of one unit, laid behind those of the units before it.
struct Unit {
  abi::UnitRecord* record;
  uint32_t first_site;
  uint32_t first_function;
};

// The units of one module, in the order of their addresses and indices.
struct Table {
  const char* begin;
  const char* end;
  Unit* units;
  uint32_t num_units;
};

constexpr size_t kMaxTables = 512;
Table tables[kMaxTables];
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

// Whether the site makes its function run the body with sites. That must not
// depend on whether anybody listens: only this body counts instructions
// (thread/spin.h) and keeps contexts, so a replay that is not traced would find
// other spins and other places.
bool IsActive(const abi::SiteRecord& site) {
  return site.has_mode() && !IsIdle(site.id) &&
         (site.flags & abi::kSiteCovered) == 0;
}

uint8_t ModeOfActive(const abi::SiteRecord& site) {
  const bool point =
      !IsThreadLaunch(site) && !IsListed(abi::RegionId::kOrderedSites, site.id);
  uint8_t mode = point ? abi::kModeBefore : 0;
  if (PlanAsks(abi::kPlanTrace)) mode |= abi::kModeAfter;
  return mode;
}

// Unpacks the sites. Those with the same id have the index of the first of
// them.
void NumberSites(const Unit& unit) {
  abi::UnpackSites(*unit.record);
  abi::SiteRecord* sites = unit.record->sites.get();
  for (uint32_t i = 0; i < unit.record->num_sites; ++i) {
    sites[i].number =
        Merge(sites[i].id == 0 ? 1 : sites[i].id, unit.first_site + i);
  }
}

// A page that nobody changes stays the file's, or a parent's.
void SetMode(uint8_t& mode, uint8_t value) {
  if (mode != value) mode = value;
}

// Calls have to be followed in a function that has an active site, and in one
// without if it has call sites, since contexts lead through it. `first`: the
// index of its first site.
void SetModesOf(abi::FunctionRecord& function, uint32_t first) {
  uint8_t all = 0;
  bool leads_on = false;
  abi::SiteRecord* sites = function.sites.get();
  for (uint32_t i = 0; i < function.num_sites; ++i) {
    const bool active = IsActive(sites[i]);
    const uint8_t mode = active ? ModeOfActive(sites[i]) : 0;
    SetMode(sites[i].mode, mode);
    if (active) all |= abi::kModeSites;
    // The copies that other units have of it are the same point.
    if ((mode & abi::kModeBefore) != 0 && sites[i].number == first + i) {
      points_digest = abi::Fold(points_digest, sites[i].id);
    }
    leads_on |= sites[i].kind == abi::SiteKind::kCall && !IsIdle(sites[i].id);
  }
  if (all != 0 || leads_on) {
    all |= abi::kModeContext;
    const bool own = (function.flags & abi::kFunctionLibrary) == 0;
    if (PlanAsks(abi::kPlanFrames) || (own && PlanAsks(abi::kPlanOwnFrames))) {
      all |= abi::kModeEvents;
    }
  }
  SetMode(function.mode, all);
}

// What the program has declared and nothing judges by yet.
void NoteDeclarations(const abi::FunctionRecord& function) {
  constexpr uint16_t kUnits = abi::kFunctionUnit | abi::kFunctionNotUnit;
  if ((function.flags & kUnits) != 0) NoteUnheeded(abi::Unheeded::kUnitOfWork);
  if ((function.flags & abi::kFunctionGuarded) != 0) {
    NoteUnheeded(abi::Unheeded::kGuardThisFunc);
  }
}

void SetUnitModes(const Unit& unit) {
  abi::FunctionRecord* functions = unit.record->functions.get();
  uint32_t first = unit.first_site;
  for (uint32_t i = 0; i < unit.record->num_functions; ++i) {
    SetModesOf(functions[i], first);
    NoteDeclarations(functions[i]);
    first += functions[i].num_sites;
  }
}

// Lists the units of `record`, and gives their sites and functions numbers.
void ListUnits(const abi::ModuleRecord& record, Table& table) {
  abi::UnitRecord* const end = record.units_end.get();
  table.begin = reinterpret_cast<const char*>(record.units_begin.get());
  table.end = reinterpret_cast<const char*>(end);
  const auto next = [end](abi::UnitRecord* at) {
    return at->size == 0 ? end : abi::NextUnit(at);  // damaged: the last
  };
  for (auto* at = record.units_begin.get(); at < end; at = next(at)) {
    ++table.num_units;
  }
  table.units = ArenaArray<Unit>(table.num_units);
  uint32_t count = 0;
  for (auto* at = record.units_begin.get(); at < end; at = next(at)) {
    table.units[count++] = {at, next_site, next_function};
    next_site += at->num_sites;
    next_function += at->num_functions;
  }
}

// The last unit of `table` that `before` is true for, or null.
template <typename Before>
const Unit* LastUnit(const Table& table, Before before) {
  uint32_t low = 0;
  uint32_t high = table.num_units;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (before(table.units[middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? nullptr : &table.units[low - 1];
}

}  // namespace

void AdoptSites(Module& module) {
  const abi::ModuleRecord& record = *module.record;
  if (record.version != abi::kAbiVersion || num_tables == kMaxTables) {
    module.entry->flags |= abi::kModuleNewerAbi;
    Log("a part of the program was compiled by a fairlead-cc of another "
        "version and runs as if not instrumented; compile it again");
    return;
  }
  Table& table = tables[num_tables++];
  module.entry->flags |= abi::kModuleInstrumented;
  module.entry->first_site = next_site;
  module.entry->first_function = next_function;
  ListUnits(record, table);
  module.entry->num_sites = next_site - module.entry->first_site;
  module.entry->num_functions = next_function - module.entry->first_function;

  // Hooks first: a mode byte that is set makes the program call them.
  FillHooks(*record.hooks.get());
  MakeRoom(module.entry->num_sites);
  for (uint32_t i = 0; i < table.num_units; ++i) NumberSites(table.units[i]);
  for (uint32_t i = 0; i < table.num_units; ++i) SetUnitModes(table.units[i]);
  control_page()->outcome.point_set_digest = points_digest;
}

void SetModes() {
  if (num_tables == 0) return;
  points_digest = 1;
  for (size_t i = 0; i < num_tables; ++i) {
    for (uint32_t j = 0; j < tables[i].num_units; ++j) {
      SetUnitModes(tables[i].units[j]);
    }
  }
  control_page()->outcome.point_set_digest = points_digest;
}

uint32_t FunctionIndex(const abi::FunctionRecord* function) {
  const auto* at = reinterpret_cast<const char*>(function);
  for (size_t i = 0; i < num_tables; ++i) {
    if (at < tables[i].begin || at >= tables[i].end) continue;
    const Unit* unit = LastUnit(tables[i], [at](const Unit& one) {
      return reinterpret_cast<const char*>(one.record) <= at;
    });
    if (unit == nullptr) return 0;
    return unit->first_function +
           static_cast<uint32_t>(function - unit->record->functions.get());
  }
  return 0;
}

const abi::SiteRecord* SiteAt(uint32_t index) {
  for (size_t i = num_tables; i > 0 && index != 0; --i) {
    const Unit* unit = LastUnit(tables[i - 1], [index](const Unit& one) {
      return one.first_site <= index;
    });
    if (unit == nullptr) continue;
    const uint32_t at = index - unit->first_site;
    return at < unit->record->num_sites ? unit->record->sites.get() + at
                                        : nullptr;
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
