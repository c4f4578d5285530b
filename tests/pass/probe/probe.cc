// tests/pass/probe/probe.cc
//
// A runtime for tests, preloaded into an instrumented program: finds the
// modules by their notes, attaches to each, and writes what it saw when the
// program ends. hooks.h, log.h and tables.h say what the environment chooses.
//
// It is not the runtime: it controls nothing, and one lock serialises it.

#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

#include "abi/module.h"
#include "abi/packed_sites.h"
#include "abi/version.h"
#include "tests/pass/probe/annotations.h"
#include "tests/pass/probe/hooks.h"
#include "tests/pass/probe/log.h"
#include "tests/pass/probe/tables.h"

namespace fairlead::probe {
namespace {

void Load(const abi::ModuleRecord* module, const char* how) {
  static std::mutex lock;
  static std::set<const abi::ModuleRecord*>& known =
      *new std::set<const abi::ModuleRecord*>;
  const std::lock_guard guard(lock);
  if (module->version != abi::kAbiVersion || !known.insert(module).second) {
    return;
  }
  for (auto* unit = module->units_begin.get(); unit < module->units_end.get();
       unit = abi::NextUnit(unit)) {
    abi::UnpackSites(*unit);
  }
  WriteTables(*module);
  Attach(*module);
  Tell(Line("module").Add("found", how));
}

size_t Padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

void ReadNotes(const char* at, const char* end) {
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
    const char* name = at + sizeof note;
    const char* content = name + Padded(note.n_namesz);
    at = content + Padded(note.n_descsz);
    if (note.n_namesz != sizeof abi::kNoteName ||
        std::memcmp(name, abi::kNoteName, sizeof abi::kNoteName) != 0) {
      continue;
    }
    if (note.n_type == abi::kNoteModule) {
      Load(reinterpret_cast<const abi::ModuleRecord*>(content), "note");
    } else if (note.n_type == abi::kNoteAnnotations) {
      Attach(*reinterpret_cast<const abi::AnnotationRecord*>(content));
    }
  }
}

int ReadObject(dl_phdr_info* object, size_t, void*) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at =
        reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr);
    ReadNotes(at, at + header.p_memsz);
  }
  return 0;
}

__attribute__((constructor)) void Start() {
  unsetenv("LD_PRELOAD");
  dl_iterate_phdr(ReadObject, nullptr);
}

__attribute__((destructor)) void End() { WriteLog(); }

}  // namespace
}  // namespace fairlead::probe

// What a module that was opened later calls from its constructor.
extern "C" __attribute__((visibility("default"))) void __fl_module_loaded(
    const fairlead::abi::ModuleRecord* module) {
  fairlead::probe::Load(module, "constructor");
}
