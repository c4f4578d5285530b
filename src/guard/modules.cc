#include "guard/modules.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "abi/module.h"
#include "abi/packed_sites.h"
#include "abi/version.h"
#include "guard/access.h"
#include "guard/board.h"
#include "guard/learn.h"
#include "guard/rules.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

constexpr size_t kMaxModules = 512;
const abi::ModuleRecord* modules[kMaxModules];
size_t num_modules = 0;
Sites wanted = Sites::kThoseOfRules;

const abi::ModuleRecord* RecordIn(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const size_t alignment = header.p_align < 4 ? 4 : header.p_align;
    const auto up = [alignment](size_t bytes) {
      return (bytes + alignment - 1) & ~(alignment - 1);
    };
    const char* at =
        reinterpret_cast<const char*>(object.dlpi_addr) + header.p_vaddr;
    const char* const end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof(*note);
      const char* description = at + up(sizeof(*note) + note->n_namesz);
      if (description + note->n_descsz > end) break;
      if (note->n_type == abi::kNoteModule &&
          note->n_namesz == sizeof(abi::kNoteName) &&
          memcmp(name, abi::kNoteName, sizeof(abi::kNoteName)) == 0) {
        return reinterpret_cast<const abi::ModuleRecord*>(description);
      }
      at = description + up(note->n_descsz);
    }
  }
  return nullptr;
}

// The standard library's own code around std::thread.
bool IsThreadLaunch(const abi::SiteRecord& site) {
  if ((site.flags & abi::kSiteLibrary) == 0 || !site.function) return false;
  const char* name = site.function->linkage_name.get();
  return name != nullptr && (strstr(name, "St6thread") != nullptr ||
                             strstr(name, "St7jthread") != nullptr);
}

bool CanBeWatched(const abi::SiteRecord& site) {
  return site.has_mode() && site.kind != abi::SiteKind::kFence &&
         (site.flags & abi::kSiteCovered) == 0 && !IsThreadLaunch(site);
}

// With rules there, only their sites are learnt: the second stage.
uint32_t NumberOf(const abi::SiteRecord& site) {
  if (!CanBeWatched(site)) return 0;
  if (wanted == Sites::kThoseOfRules) return SiteNumber(site.anchor);
  if (num_guarded_sites() != 0 && SiteNumber(site.anchor) == 0) return 0;
  return LearningNumber(site.anchor);
}

void SetModesOf(abi::FunctionRecord& function) {
  bool watched = false;
  abi::SiteRecord* sites = function.sites.get();
  for (uint32_t i = 0; i < function.num_sites; ++i) {
    sites[i].number = NumberOf(sites[i]);
    const bool on = sites[i].number != 0;
    const uint8_t mode = on ? abi::kModeBefore | abi::kModeAfter : 0;
    if (sites[i].mode != mode) sites[i].mode = mode;
    watched |= on;
  }
  const uint8_t mode = watched ? abi::kModeSites : 0;
  if (function.mode != mode) function.mode = mode;
}

template <typename Visit>
void ForEachUnit(const abi::ModuleRecord& record, Visit visit) {
  abi::UnitRecord* const end = record.units_end.get();
  for (auto* unit = record.units_begin.get(); unit < end;
       unit = abi::NextUnit(unit)) {
    visit(*unit);
    if (unit->size == 0) return;  // damaged
  }
}

void SetModesOf(const abi::ModuleRecord& record) {
  ForEachUnit(record, [](abi::UnitRecord& unit) {
    abi::FunctionRecord* functions = unit.functions.get();
    for (uint32_t i = 0; i < unit.num_functions; ++i) SetModesOf(functions[i]);
  });
}

size_t PlaceOf(const abi::ModuleRecord* record) {
  size_t at = 0;
  while (at < num_modules && modules[at] != record) ++at;
  return at;
}
bool IsKnown(const abi::ModuleRecord* record) {
  return PlaceOf(record) < num_modules;
}

// Another object may come to lie where one was that has been closed.
void ForgetModule(const abi::ModuleRecord* record) {
  const size_t at = PlaceOf(record);
  if (at < num_modules) modules[at] = modules[--num_modules];
}

// Those that were closed are not there to be looked at.
template <typename Use>
void ForEachLoaded(Use use) {
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* given) {
        const abi::ModuleRecord* record = RecordIn(*object);
        if (record != nullptr && IsKnown(record)) {
          (*static_cast<Use*>(given))(*record);
        }
        return 0;
      },
      &use);
}

void NamePath(const char* path) {
  if (path[0] == '\0') path = board->program;
  for (uint32_t i = 0; i < board->num_modules; ++i) {
    if (strncmp(board->modules[i], path, abi::kGuardPathBytes - 1) == 0) return;
  }
  if (board->num_modules >= abi::kMaxGuardModules) return;
  char* to = board->modules[board->num_modules++];
  strncpy(to, path, abi::kGuardPathBytes - 1);
}

int Visit(dl_phdr_info* object, size_t, void*) {
  const abi::ModuleRecord* record = RecordIn(*object);
  if (record == nullptr || IsKnown(record) || num_modules == kMaxModules) {
    return 0;
  }
  if (record->version != abi::kAbiVersion) {
    Say("a part of the program was compiled by a fairlead-cc of another "
        "version and is not guarded: ",
        object->dlpi_name[0] == '\0' ? board->program : object->dlpi_name);
    return 0;
  }
  NamePath(object->dlpi_name);
  modules[num_modules++] = record;
  // Hooks first: a mode byte that is set makes the program call them.
  FillHooks(*record->hooks.get());
  ForEachUnit(*record, abi::UnpackSites);
  SetModesOf(*record);
  return 0;
}

}  // namespace

bool AnyModule() {
  return dl_iterate_phdr(
             [](dl_phdr_info* object, size_t, void*) {
               return RecordIn(*object) != nullptr ? 1 : 0;
             },
             nullptr) != 0;
}

void AdoptModules(Sites which) {
  wanted = which;
  dl_iterate_phdr(Visit, nullptr);
}

void SetModes() {
  ForEachLoaded([](const abi::ModuleRecord& record) { SetModesOf(record); });
}

unsigned CountFoundSites() {
  const uint32_t count = num_guarded_sites();
  auto* found = sys::ReserveArray<uint8_t>(count + 1);
  if (found == nullptr) return count;
  unsigned sum = 0;
  ForEachLoaded([&](const abi::ModuleRecord& record) {
    ForEachUnit(record, [&](abi::UnitRecord& unit) {
      const abi::SiteRecord* sites = unit.sites.get();
      for (uint32_t j = 0; j < unit.num_sites; ++j) {
        const uint32_t number = sites[j].number;
        if (number == 0 || number > count || found[number] != 0) continue;
        found[number] = 1;
        ++sum;
      }
    });
  });
  sys::Call(SYS_munmap, sys::Arg(found), static_cast<long>(count + 1));
  return sum;
}

}  // namespace fairlead::guard

// Called by a constructor of an instrumented object that is opened later.
extern "C" __attribute__((visibility("default"))) void __fl_module_loaded(
    const fairlead::abi::ModuleRecord* record) {
  using namespace fairlead::guard;
  if (board->state == fairlead::abi::GuardState::kStarting) return;
  ForgetModule(record);
  AdoptModules(wanted);
  OnModule();
}
