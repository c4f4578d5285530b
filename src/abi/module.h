// abi/module.h
//
// How a runtime finds what the pass left in a binary: by ELF notes, which every
// loader maps and every linker keeps. No symbol, constructor or library is
// needed, so an instrumented binary links and runs anywhere.
//
//   .note.fairlead  { namesz 9, descsz, type }  "Fairlead\0" (padded to 12)
//                   type 1: ModuleRecord      one per executable or library
//                   type 2: AnnotationRecord  one per user of the public header
//
// A runtime walks PT_NOTE of every loaded object at start. For an object opened
// later, a constructor in the object also calls `__fl_module_loaded`, a weak
// symbol, with the record: shared objects always look such symbols up at load.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_MODULE_H_
#define FAIRLEAD_ABI_MODULE_H_

#include <stdint.h>

#include "abi/hooks.h"
#include "abi/relative.h"
#include "abi/site.h"

namespace fairlead::abi {

inline constexpr char kNoteName[] = "Fairlead";
inline constexpr uint32_t kNoteModule = 1;
inline constexpr uint32_t kNoteAnnotations = 2;
inline constexpr char kModuleLoadedSymbol[] = "__fl_module_loaded";

struct ModuleRecord {
  uint32_t version;  // kAbiVersion of the pass
  uint32_t size;     // sizeof(ModuleRecord) of the pass
  Relative<UnitRecord> units_begin;
  Relative<UnitRecord> units_end;
  Relative<const char> stubs_begin;  // code
  Relative<const char> stubs_end;
  Relative<Hooks> hooks;
  uint32_t flags;
};
static_assert(sizeof(ModuleRecord) == 32);

// The unit behind `unit`; compare with units_end.
inline UnitRecord* NextUnit(UnitRecord* unit) {
  const uint64_t bytes = (uint64_t{unit->size} + kUnitAlignment - 1) /
                         kUnitAlignment * kUnitAlignment;
  return reinterpret_cast<UnitRecord*>(reinterpret_cast<char*>(unit) + bytes);
}

struct AnnotationRecord {
  uint32_t version;             // FAIRLEAD_API_VERSION of the header
  Relative<const void*> table;  // where to store the annotation table
};
static_assert(sizeof(AnnotationRecord) == 8);

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_MODULE_H_
