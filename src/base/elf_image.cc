#include "base/elf_image.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace fairlead {
namespace {

uint64_t Padded(uint64_t bytes) { return (bytes + 3) & ~uint64_t{3}; }

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The notes in one segment, which begins at `address`.
void AddNotes(std::span<const std::byte> bytes, uint64_t address,
              std::vector<ElfNote>& notes) {
  while (bytes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    const uint64_t name_end = sizeof(header) + Padded(header.n_namesz);
    const uint64_t end = name_end + Padded(header.n_descsz);
    if (name_end + header.n_descsz > bytes.size()) return;
    std::string_view name =
        AsText(bytes.subspan(sizeof(header), header.n_namesz));
    notes.push_back({.name = name.substr(0, name.find('\0')),
                     .type = header.n_type,
                     .address = address + name_end,
                     .description = bytes.subspan(name_end, header.n_descsz)});
    if (end >= bytes.size()) return;
    bytes = bytes.subspan(end);
    address += end;
  }
}

// Whether it is worth being read; also if it cannot be, which reading says.
bool BeginsAsElf(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char room[SELFMAG];
  return !fd || (read(fd.get(), room, SELFMAG) == SELFMAG &&
                 std::memcmp(room, ELFMAG, SELFMAG) == 0);
}

}  // namespace

bool IsRegularFile(const std::string& path) {
  struct stat what;
  return stat(path.c_str(), &what) == 0 && S_ISREG(what.st_mode);
}

Result<ElfImage> ElfImage::ReadUntrusted(const std::string& path) {
  if (!IsRegularFile(path) && access(path.c_str(), F_OK) == 0) {
    return Error(ErrorCode::kMalformed).Say("{} is no ELF file", path);
  }
  if (!BeginsAsElf(path)) {
    return Error(ErrorCode::kMalformed).Say("{} is no ELF file", path);
  }
  Result<std::string> bytes = ReadFile(path);
  if (!bytes) return bytes.error();
  ElfImage image;
  image.bytes_ = *std::move(bytes);
  Elf64_Ehdr header = {};
  // Class, type and machine lie at the same place in both classes.
  const size_t shared_bytes = offsetof(Elf64_Ehdr, e_version);
  if (image.bytes_.size() < shared_bytes ||
      image.bytes_.compare(0, SELFMAG, ELFMAG) != 0) {
    return Error(ErrorCode::kMalformed).Say("{} is no ELF file", path);
  }
  std::memcpy(&header, image.bytes_.data(),
              std::min(image.bytes_.size(), sizeof(header)));
  image.is_64_bit_ = header.e_ident[EI_CLASS] == ELFCLASS64 &&
                     header.e_ident[EI_DATA] == ELFDATA2LSB;
  image.machine_ = header.e_machine;
  image.type_ = header.e_type;
  if (image.is_64_bit_) {
    image.segments_ = image.Table<Elf64_Phdr>(header.e_phoff, header.e_phnum,
                                              header.e_phentsize);
    image.sections_ = image.Table<Elf64_Shdr>(header.e_shoff, header.e_shnum,
                                              header.e_shentsize);
    image.is_whole_ = image.segments_.size() == header.e_phnum;
    for (const Elf64_Phdr& segment : image.segments_) {
      if (segment.p_filesz != 0 &&
          image.Slice(segment.p_offset, segment.p_filesz).empty()) {
        image.is_whole_ = false;
      }
    }
  }
  return image;
}

template <typename T>
std::vector<T> ElfImage::Table(uint64_t offset, uint64_t number,
                               uint64_t entry_bytes) const {
  std::vector<T> table;
  if (entry_bytes < sizeof(T)) return table;
  for (uint64_t i = 0; i < number; ++i) {
    const std::span bytes = Slice(offset + i * entry_bytes, sizeof(T));
    if (bytes.empty()) break;
    std::memcpy(&table.emplace_back(), bytes.data(), sizeof(T));
  }
  return table;
}

std::span<const std::byte> ElfImage::Slice(uint64_t offset,
                                           uint64_t size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
  return std::as_bytes(std::span(bytes_)).subspan(offset, size);
}

bool ElfImage::has_interpreter() const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

std::vector<ElfNote> ElfImage::Notes() const {
  std::vector<ElfNote> notes;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_NOTE) continue;
    AddNotes(Slice(segment.p_offset, segment.p_filesz), segment.p_vaddr, notes);
  }
  return notes;
}

std::string ElfImage::BuildId() const {
  for (const ElfNote& note : Notes()) {
    if (note.name != "GNU" || note.type != NT_GNU_BUILD_ID) continue;
    std::string text;
    for (const std::byte b : note.description) {
      text += fmt::format("{:02x}", static_cast<unsigned>(b));
    }
    return text;
  }
  return "";
}

std::span<const std::byte> ElfImage::BytesAt(uint64_t address,
                                             uint64_t size) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const uint64_t inside = address - segment.p_vaddr;
    if (inside > segment.p_filesz || size > segment.p_filesz - inside) continue;
    return Slice(segment.p_offset + inside, size);
  }
  return {};
}

std::optional<std::string_view> ElfImage::TextAt(uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const uint64_t inside = address - segment.p_vaddr;
    if (inside >= segment.p_filesz) continue;
    const std::string_view text =
        AsText(Slice(segment.p_offset + inside, segment.p_filesz - inside));
    const size_t end = text.find('\0');
    if (end == std::string_view::npos) return {};
    return text.substr(0, end);
  }
  return {};
}

std::vector<std::string> ElfImage::Needed() const {
  std::vector<std::string> needed;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto entries =
        Table<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn),
                         sizeof(Elf64_Dyn));
    uint64_t texts = 0;
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag == DT_STRTAB) texts = entry.d_un.d_ptr;
    }
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag != DT_NEEDED) continue;
      const auto name = TextAt(texts + entry.d_un.d_val);
      if (name) needed.emplace_back(*name);
    }
  }
  return needed;
}

std::vector<ElfSymbol> ElfImage::Symbols() const {
  std::vector<ElfSymbol> symbols;
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM)
      continue;
    if (section.sh_link >= sections_.size()) continue;
    const Elf64_Shdr& strings = sections_[section.sh_link];
    const std::string_view text =
        AsText(Slice(strings.sh_offset, strings.sh_size));
    const auto entries =
        Table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym),
                         section.sh_entsize);
    for (const Elf64_Sym& entry : entries) {
      const auto type = ELF64_ST_TYPE(entry.st_info);
      if (type != STT_FUNC && type != STT_OBJECT) continue;
      if (entry.st_shndx == SHN_UNDEF || entry.st_name >= text.size()) continue;
      const std::string_view name = text.substr(entry.st_name);
      symbols.push_back({.name = name.substr(0, name.find('\0')),
                         .address = entry.st_value,
                         .size = entry.st_size,
                         .function = type == STT_FUNC});
    }
  }
  return symbols;
}

}  // namespace fairlead
