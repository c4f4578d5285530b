#include "instrument/pass/formats.h"

#include <llvm/ADT/StringExtras.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

// Bytes of the integer that a length modifier stands for.
unsigned IntegerBytes(StringRef modifier) {
  if (modifier == "hh") return 1;
  if (modifier == "h") return 2;
  return modifier.empty() ? 4 : 8;
}

unsigned FloatBytes(StringRef modifier) {
  if (modifier == "L") return 16;
  return modifier == "l" ? 8 : 4;
}

// Of printf, `m` is a letter of its own.
constexpr StringLiteral kPrintModifiers = "hlLjztq";
constexpr StringLiteral kScanModifiers = "hlLjztqm";

StringRef TakeModifier(StringRef& rest, StringRef modifiers) {
  const StringRef modifier =
      rest.take_while([&](char c) { return modifiers.contains(c); });
  rest = rest.drop_front(modifier.size());
  return modifier;
}

// Behind the `[` of a set: up to its `]`, which may come first.
void DropSet(StringRef& rest) {
  rest.consume_front("^");
  rest.consume_front("]");
  rest = rest.drop_front(std::min(rest.find(']'), rest.size()));
  rest.consume_front("]");
}

bool HasPositions(StringRef format) {
  for (size_t at = 0; (at = format.find('%', at)) != StringRef::npos; ++at) {
    const StringRef rest = format.substr(at + 1).drop_while(isDigit);
    if (rest.starts_with("$")) return true;
  }
  return false;
}

// What `%…c` of scanf with this letter writes.
Formatted Written(char letter, StringRef modifier, unsigned width) {
  if (modifier.contains('m')) return {.bytes = 8};  // a pointer to new memory
  switch (letter) {
    case 's':
    case '[':
      return modifier.empty() ? Formatted{.text = true} : Formatted{.bytes = 4};
    case 'c':
      return {.bytes = width == 0 ? 1 : width};
    case 'p':
      return {.bytes = 8};
    case 'a':
    case 'e':
    case 'f':
    case 'g':
      return {.bytes = FloatBytes(modifier)};
    default:
      return {.bytes = IntegerBytes(modifier)};
  }
}

}  // namespace

std::vector<Formatted> PrintedArguments(StringRef format) {
  std::vector<Formatted> read;
  if (HasPositions(format)) return read;
  unsigned argument = 0;
  while (true) {
    const size_t at = format.find('%');
    if (at == StringRef::npos) return read;
    format = format.drop_front(at + 1);
    if (format.consume_front("%")) continue;
    format = format.drop_while(
        [](char c) { return StringRef("-+ #0'I").contains(c); });
    if (format.consume_front("*")) ++argument;
    format = format.drop_while(isDigit);
    Formatted one = {.text = true};
    bool bounded = false;  // by a number: nobody knows how much is there
    if (format.consume_front(".")) {
      if (format.consume_front("*")) {
        one.bound = static_cast<int>(argument++);
      } else {
        bounded = true;
        format = format.drop_while(isDigit);
      }
    }
    const StringRef modifier = TakeModifier(format, kPrintModifiers);
    if (format.empty()) return read;
    const char letter = format.front();
    format = format.drop_front();
    if (letter == 'm') continue;  // takes no argument
    one.argument = argument++;
    if (letter != 's' || !modifier.empty()) continue;
    if (bounded) {
      one.text = false;
      one.bytes = 1;
    }
    read.push_back(one);
  }
}

std::vector<Formatted> ScannedArguments(StringRef format) {
  std::vector<Formatted> written;
  if (HasPositions(format)) return written;
  unsigned argument = 0;
  while (true) {
    const size_t at = format.find('%');
    if (at == StringRef::npos) return written;
    format = format.drop_front(at + 1);
    if (format.consume_front("%")) continue;
    const bool dropped = format.consume_front("*");
    unsigned width = 0;
    format.consumeInteger(10, width);
    const StringRef modifier = TakeModifier(format, kScanModifiers);
    if (format.empty()) return written;
    const char letter = toLower(format.front());
    format = format.drop_front();
    if (letter == '[') DropSet(format);
    if (dropped) continue;
    Formatted one = Written(letter, modifier, width);
    one.argument = argument++;
    written.push_back(one);
  }
}

}  // namespace fairlead::pass
