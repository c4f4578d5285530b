#include "base/printable.h"

#include <fmt/core.h>

#include <cstdint>

namespace fairlead {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0 = no character begins here
};

bool Continues(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The character that `text`, which is not empty, begins with.
Character First(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code = lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!Continues(byte)) return {};
    code = code << 6 | (byte & 0x3fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[bytes] || code > 0x10ffff || surrogate) return {};
  return {code, bytes};
}

// Whether a terminal, or who reads it, would take it for something else.
bool Acts(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

// Replaces what acts, except the characters in `kept`; one byte at a time,
// which also holds for bytes that are no characters.
std::string Escaped(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character character = First(text);
    const size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    const std::string_view raw = text.substr(0, bytes);
    text.remove_prefix(bytes);
    if (character.bytes != 0 && (!Acts(character.code) || kept.contains(raw))) {
      shown += raw;
      continue;
    }
    for (const char byte : raw) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
  }
  return shown;
}

}  // namespace

std::string Printable(std::string_view text) { return Escaped(text, "\n\t"); }

std::string PrintableLine(std::string_view text) { return Escaped(text, ""); }

std::string PrintableJson(std::string_view json) {
  std::string shown;
  shown.reserve(json.size());
  while (!json.empty()) {
    const Character character = First(json);
    const size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    // Line ends are between values; inside of them JSON has escaped them.
    const bool acts =
        character.bytes != 0 && character.code != '\n' && Acts(character.code);
    if (acts) {
      shown += fmt::format("\\u{:04x}", character.code);
    } else {
      shown += json.substr(0, bytes);
    }
    json.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace fairlead
