// runtime/sites/modules.h
//
// The loaded objects (executable, libraries), so that an address of code or
// data can be named by module and offset. Also the way to the tables that the
// pass left in instrumented ones (sites/sites.h).
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_MODULES_H_
#define FAIRLEAD_RUNTIME_SITES_MODULES_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/control.h"
#include "abi/module.h"

namespace fairlead::rt {

struct Module {
  abi::ModuleEntry* entry;  // in the control page
  uint64_t begin;           // first and one past the last mapped byte
  uint64_t end;
  uint64_t base;
  uint64_t data_begin;  // from the first to the last writable byte; equal when
  uint64_t data_end;    // there is none, or the module is this library
  uint64_t name_hash;   // of the file name without directories
  uint32_t index;
  const abi::ModuleRecord* record;  // null unless instrumented
};

// Lists the objects that are loaded now and were not listed before.
void ListModules();

// The module that `address` belongs to, or null. Looks only at what is listed.
const Module* FindModule(uint64_t address);

size_t num_modules();
const Module& module_at(size_t index);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_MODULES_H_
