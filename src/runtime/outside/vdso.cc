#include "runtime/outside/vdso.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr uintptr_t kPage = 4096;

struct Function {
  const char* name;
  uint32_t number;
};
constexpr Function kFunctions[] = {
    {"__vdso_clock_gettime", SYS_clock_gettime},
    {"__vdso_gettimeofday", SYS_gettimeofday},
    {"__vdso_time", SYS_time},
    {"__vdso_getcpu", SYS_getcpu},
};

// What the dynamic section of the image at `base` says.
struct Symbols {
  size_t bytes = 0;  // of the whole image
  const ElfW(Sym) * table = nullptr;
  const char* names = nullptr;
  uint32_t count = 0;
};

Symbols SymbolsOf(uintptr_t base) {
  const auto& file = *reinterpret_cast<const ElfW(Ehdr)*>(base);
  const auto* header = reinterpret_cast<const ElfW(Phdr)*>(base + file.e_phoff);
  Symbols symbols;
  for (int i = 0; i < file.e_phnum; ++i) {
    if (header[i].p_type == PT_LOAD) {
      symbols.bytes = header[i].p_vaddr + header[i].p_memsz;
    }
    if (header[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(base + header[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const uintptr_t at = base + entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) {
        symbols.table = reinterpret_cast<const ElfW(Sym)*>(at);
      } else if (entry->d_tag == DT_STRTAB) {
        symbols.names = reinterpret_cast<const char*>(at);
      }
    }
  }
  // The names follow the symbols, as every linker lays them out.
  if (symbols.table != nullptr && symbols.names != nullptr) {
    const auto bytes = reinterpret_cast<uintptr_t>(symbols.names) -
                       reinterpret_cast<uintptr_t>(symbols.table);
    symbols.count = static_cast<uint32_t>(bytes / sizeof(ElfW(Sym)));
    if (symbols.count > 256) symbols.count = 0;
  }
  return symbols;
}

void Overwrite(uintptr_t function, uint32_t number) {
  // mov $number, %eax; syscall; ret
  unsigned char code[] = {0xb8, 0, 0, 0, 0, 0x0f, 0x05, 0xc3};
  memcpy(code + 1, &number, sizeof(number));
  memcpy(reinterpret_cast<void*>(function), code, sizeof(code));
}

}  // namespace

void TurnVdsoIntoCalls() {
  const uintptr_t base = getauxval(AT_SYSINFO_EHDR);
  if (base == 0) return;
  const Symbols symbols = SymbolsOf(base);
  // The kernel changes all of it or nothing.
  const size_t bytes = (symbols.bytes + kPage - 1) & ~(kPage - 1);
  void* image = reinterpret_cast<void*>(base);
  if (sys::Protect(image, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    return;
  }
  for (uint32_t i = 0; i < symbols.count; ++i) {
    const ElfW(Sym)& symbol = symbols.table[i];
    if (symbol.st_value == 0 || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) {
      continue;
    }
    for (const Function& function : kFunctions) {
      if (strcmp(symbols.names + symbol.st_name, function.name) == 0) {
        Overwrite(base + symbol.st_value, function.number);
      }
    }
  }
  sys::Protect(image, bytes, PROT_READ | PROT_EXEC);
}

}  // namespace fairlead::rt
