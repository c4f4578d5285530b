// base/elf_image.h
//
// An executable or library as it lies in a file: enough of ELF to say whether a
// program can be controlled, to read what lies at an address, and to find notes
// and symbols. Files are untrusted: whatever points outside is not there.
//
// Only 64-bit little-endian files can be looked into; `Class` and `machine`
// are known for all.

#ifndef FAIRLEAD_BASE_ELF_IMAGE_H_
#define FAIRLEAD_BASE_ELF_IMAGE_H_

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fairlead {

// Whether `path` is a file that can be read to its end; links are followed.
bool IsRegularFile(const std::string& path);

struct ElfNote {
  std::string_view name;  // without the ending zero
  uint32_t type;
  uint64_t address;  // of the description, as in the file
  std::span<const std::byte> description;
};

struct ElfSymbol {
  std::string_view name;
  uint64_t address;
  uint64_t size;
  bool function;  // else an object
};

class ElfImage {
 public:
  // Refuses what is no ELF file (kMalformed), and what is no file at all: paths
  // come from the program, too, and a pipe would be waited for.
  static Result<ElfImage> ReadUntrusted(const std::string& path);

  bool is_64_bit() const { return is_64_bit_; }
  uint16_t machine() const { return machine_; }  // EM_X86_64
  uint16_t type() const { return type_; }        // ET_EXEC, ET_DYN, …

  // Of 64-bit files; nothing, or false, for others.
  bool is_whole() const { return is_whole_; }  // else its end was cut off
  bool has_interpreter() const;  // false: linked statically, or a library
  std::string BuildId() const;   // lower-case hexadecimal; "" = none
  std::vector<ElfNote> Notes() const;
  std::vector<ElfSymbol> Symbols() const;
  // Names of the libraries that it asks for, in order.
  std::vector<std::string> Needed() const;

  // Bytes at an address of the file's own; empty if they are not all there.
  std::span<const std::byte> BytesAt(uint64_t address, uint64_t size) const;
  // The zero-terminated text at an address.
  std::optional<std::string_view> TextAt(uint64_t address) const;

  template <typename T>
  std::optional<T> At(uint64_t address) const {
    const std::span bytes = BytesAt(address, sizeof(T));
    if (bytes.empty()) return {};
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

 private:
  ElfImage() = default;

  std::span<const std::byte> Slice(uint64_t offset, uint64_t size) const;
  template <typename T>
  std::vector<T> Table(uint64_t offset, uint64_t number,
                       uint64_t entry_bytes) const;

  std::string bytes_;
  bool is_64_bit_ = false;
  bool is_whole_ = false;
  uint16_t machine_ = 0;
  uint16_t type_ = 0;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_ELF_IMAGE_H_
