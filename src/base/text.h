// base/text.h
//
// Small things done to text, each in one place. Views point into the argument.

#ifndef FAIRLEAD_BASE_TEXT_H_
#define FAIRLEAD_BASE_TEXT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

// Without white space at both ends.
std::string_view Trim(std::string_view text);

// The parts between separators; as many as there are separators, plus one.
std::vector<std::string_view> Split(std::string_view text, char separator);

// The words between white space; none is empty.
std::vector<std::string_view> Words(std::string_view text);

// Decimal, or hexadecimal after "0x"; nothing else before or behind it.
std::optional<uint64_t> ParseNumber(std::string_view text);

// As a word of a shell command: unchanged where that is safe.
std::string ShellQuote(std::string_view text);
std::string ShellCommand(std::span<const std::string> argv);

// As one word without white space, and back: bytes that are not printable
// ASCII, "%" and white space become %XX. Empty text becomes "%".
std::string Escape(std::string_view text);
std::optional<std::string> Unescape(std::string_view text);

// What is quoted from files and command lines: whole if it has at most `most`
// bytes, else its beginning and how long it is.
std::string Clipped(std::string_view text, size_t most);

// "1 event", "2 events".
std::string Counted(uint64_t number, std::string_view singular);

// "1,204".
std::string Grouped(uint64_t number);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_TEXT_H_
