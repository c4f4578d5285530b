#include "runtime/sites/modules.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "abi/context.h"
#include "runtime/sites/hand_out.h"
#include "runtime/sites/sites.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr size_t kMaxModules = 512;

Module modules[kMaxModules];
size_t module_count = 0;

uint64_t HashName(const char* path) {
  const char* slash = strrchr(path, '/');
  uint64_t hash = 1;
  for (const char* c = slash == nullptr ? path : slash + 1; *c != '\0'; ++c) {
    hash = abi::Fold(hash, static_cast<unsigned char>(*c));
  }
  return hash;
}

struct Note {
  uint32_t type;
  const char* name;
  size_t name_bytes;
  const char* description;
  size_t description_bytes;
};

// Calls `visit` for every note of the object.
template <typename Visit>
void ForEachNote(const dl_phdr_info& object, Visit visit) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const size_t alignment = header.p_align < 4 ? 4 : header.p_align;
    const char* at =
        reinterpret_cast<const char*>(object.dlpi_addr) + header.p_vaddr;
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof(*note);
      const char* description =
          at +
          ((sizeof(*note) + note->n_namesz + alignment - 1) & ~(alignment - 1));
      if (description + note->n_descsz > end) break;
      visit(Note{note->n_type, name, note->n_namesz, description,
                 note->n_descsz});
      at = description + ((note->n_descsz + alignment - 1) & ~(alignment - 1));
    }
  }
}

void CopyPath(abi::ModuleEntry& entry, const char* name) {
  if (name[0] != '\0') {
    strncpy(entry.path, name, abi::kPathBytes - 1);
    return;
  }
  const long length = sys::Call(SYS_readlink, sys::Arg("/proc/self/exe"),
                                sys::Arg(entry.path), abi::kPathBytes - 1);
  if (length < 0) entry.path[0] = '\0';
}

void ReadNotes(const dl_phdr_info& object, Module& module) {
  ForEachNote(object, [&](const Note& note) {
    if (note.type == NT_GNU_BUILD_ID && note.name_bytes == 4 &&
        memcmp(note.name, "GNU", 4) == 0) {
      const size_t size = note.description_bytes < abi::kBuildIdBytes
                              ? note.description_bytes
                              : abi::kBuildIdBytes;
      memcpy(module.entry->build_id, note.description, size);
      module.entry->build_id_bytes = static_cast<uint32_t>(size);
    }
    if (note.name_bytes == sizeof(abi::kNoteName) &&
        memcmp(note.name, abi::kNoteName, sizeof(abi::kNoteName)) == 0 &&
        note.type == abi::kNoteModule) {
      module.record =
          reinterpret_cast<const abi::ModuleRecord*>(note.description);
    }
    if (note.name_bytes == sizeof(abi::kNoteName) &&
        memcmp(note.name, abi::kNoteName, sizeof(abi::kNoteName)) == 0 &&
        note.type == abi::kNoteAnnotations) {
      HandOutAnnotations(
          *reinterpret_cast<const abi::AnnotationRecord*>(note.description));
    }
  });
}

void FindData(const dl_phdr_info& object, Module& module) {
  const auto own = reinterpret_cast<uint64_t>(&module_count);
  if (own >= module.begin && own < module.end) return;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    const uint64_t begin = object.dlpi_addr + header.p_vaddr;
    if (module.data_begin == 0) module.data_begin = begin;
    module.data_end = begin + header.p_memsz;
  }
}

int Visit(dl_phdr_info* object, size_t, void*) {
  uint64_t low = ~uint64_t{0};
  uint64_t high = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uint64_t begin = object->dlpi_addr + header.p_vaddr;
    if (begin < low) low = begin;
    if (begin + header.p_memsz > high) high = begin + header.p_memsz;
  }
  if (low >= high || FindModule(low) != nullptr) return 0;
  abi::ControlPage& page = *control_page();
  abi::Region& region = page.region(abi::RegionId::kModules);
  if (module_count == kMaxModules || module_count == region.capacity) return 1;

  Module& module = modules[module_count];
  module.entry =
      &page.entries<abi::ModuleEntry>(abi::RegionId::kModules)[module_count];
  module.begin = low;
  module.end = high;
  module.base = object->dlpi_addr;
  module.index = static_cast<uint32_t>(module_count);
  CopyPath(*module.entry, object->dlpi_name);
  module.name_hash = HashName(module.entry->path);
  module.entry->base = module.base;
  module.entry->begin = low;
  module.entry->end = high;
  if (module_count == 0) module.entry->flags |= abi::kModuleProgram;
  FindData(*object, module);
  ReadNotes(*object, module);
  if (module.record != nullptr) AdoptSites(module);
  ++module_count;
  // Pairs with the tool's acquire load: the entry is whole.
  __atomic_store_n(&region.used, module_count, __ATOMIC_RELEASE);
  return 0;
}

}  // namespace

void ListModules() { dl_iterate_phdr(Visit, nullptr); }

const Module* FindModule(uint64_t address) {
  for (size_t i = 0; i < module_count; ++i) {
    if (address >= modules[i].begin && address < modules[i].end) {
      return &modules[i];
    }
  }
  return nullptr;
}

size_t num_modules() { return module_count; }
const Module& module_at(size_t index) { return modules[index]; }

}  // namespace fairlead::rt
