#include "runtime/company/code_range.h"

#include <elf.h>
#include <link.h>

namespace fairlead::rt {
namespace {

// The dynamic symbols of one loaded object.
struct Symbols {
  const ElfW(Sym) * table = nullptr;
  const char* names = nullptr;
  uint32_t count = 0;
};

// The number of symbols is told nowhere; the last chain of the hash table ends
// with the last of them.
uint32_t CountByHash(const uint32_t* hash) {
  const uint32_t num_buckets = hash[0];
  const uint32_t first = hash[1];
  const uint32_t num_words = hash[2];
  const uint32_t* buckets = hash + 4 + 2 * num_words;
  const uint32_t* chains = buckets + num_buckets;
  uint32_t last = 0;
  for (uint32_t i = 0; i < num_buckets; ++i) {
    if (buckets[i] > last) last = buckets[i];
  }
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;
  return last + 1;
}

Symbols SymbolsOf(const dl_phdr_info& object) {
  Symbols symbols;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(
        object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    // glibc has made these addresses absolute.
    for (; entry->d_tag != DT_NULL; ++entry) {
      const uint64_t value = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) {
        symbols.table = reinterpret_cast<const ElfW(Sym)*>(value);
      } else if (entry->d_tag == DT_STRTAB) {
        symbols.names = reinterpret_cast<const char*>(value);
      } else if (entry->d_tag == DT_GNU_HASH) {
        symbols.count = CountByHash(reinterpret_cast<const uint32_t*>(value));
      }
    }
  }
  return symbols;
}

bool IsInside(const dl_phdr_info& object, uint64_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    if (address - object.dlpi_addr - header.p_vaddr < header.p_memsz) {
      return true;
    }
  }
  return false;
}

struct Search {
  uint64_t function;
  bool (*is_wanted)(const char* name);
  CodeRange range;
};

int Visit(dl_phdr_info* object, size_t, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  if (!IsInside(*object, search.function)) return 0;
  const Symbols symbols = SymbolsOf(*object);
  CodeRange& range = search.range;
  for (uint32_t i = 0; i < symbols.count; ++i) {
    const ElfW(Sym)& symbol = symbols.table[i];
    if (symbol.st_shndx == SHN_UNDEF ||
        ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
        !search.is_wanted(symbols.names + symbol.st_name)) {
      continue;
    }
    const uint64_t begin = object->dlpi_addr + symbol.st_value;
    if (range.begin == 0 || begin < range.begin) range.begin = begin;
    if (begin > range.end) range.end = begin;
  }
  return 1;
}

}  // namespace

CodeRange RangeOfFunctions(const void* function,
                           bool (*is_wanted)(const char* name)) {
  Search search = {reinterpret_cast<uint64_t>(function), is_wanted, {}};
  dl_iterate_phdr(Visit, &search);
  return search.range;
}

}  // namespace fairlead::rt
