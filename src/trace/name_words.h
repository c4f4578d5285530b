// trace/name_words.h
//
// Words of the lines about names (trace/names_text.h) that more than one sort
// of line has: places, "key=value", lists of flags.

#ifndef FAIRLEAD_TRACE_NAME_WORDS_H_
#define FAIRLEAD_TRACE_NAME_WORDS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "trace/line_parser.h"
#include "trace/names_text.h"

namespace fairlead::trace {

// Of indices, sizes and lines.
inline constexpr uint64_t kNameLimit = uint64_t{1} << 32;

inline std::string PlaceWord(const Place& place) {
  return place.file.empty() ? "%" : EscapedPlace(place);
}

inline Result<Place> TakePlace(LineParser& line) {
  const Result<std::string_view> word = line.Word("a place");
  if (!word) return word.error();
  if (*word == "%") return Place();
  std::optional<Place> place = ParsePlaceUntrusted(*word);
  if (!place) return line.Wrong("no place (file:line): '{}'", *word);
  return *std::move(place);
}

// Takes the words "key=value" and flags that are left. `on_word` gets the key
// and the value ("" for a flag), and says whether it knows them.
template <typename OnWord>
Status TakeRest(LineParser& line, OnWord on_word) {
  while (!line.AtEnd()) {
    const std::string_view word = line.Take();
    const size_t equals = std::min(word.find('='), word.size());
    const std::string_view value =
        equals == word.size() ? "" : word.substr(equals + 1);
    if (!on_word(word.substr(0, equals), value)) {
      return line.Wrong("unexpected '{}'", word);
    }
  }
  return {};
}

// False: the value is no number, or too large for `into`.
template <typename Number>
bool TakeNumber(std::string_view value, Number& into) {
  const std::optional<uint64_t> number = ParseNumber(value);
  if (!number || *number > static_cast<Number>(~Number{0})) return false;
  into = static_cast<Number>(*number);
  return true;
}

inline bool TakeText(std::string_view value, std::string& into) {
  std::optional<std::string> text = Unescape(value);
  if (!text) return false;
  into = *std::move(text);
  return true;
}

// Bits with words, "pointer,feeds-branch".
struct BitWord {
  uint32_t bit;
  std::string_view word;
};
std::string PrintBits(std::span<const BitWord> words, uint32_t bits);
bool TakeBits(std::span<const BitWord> words, std::string_view value,
              uint32_t& into);

// abi::SiteFlag but for kSiteLibrary, which lines have as a word of its own,
// and for how many bytes a range has.
std::span<const BitWord> SiteBits();

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_NAME_WORDS_H_
