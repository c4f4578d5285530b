#include "base/short_name.h"

#include <array>
#include <utility>

namespace fairlead {
namespace {

// Template arguments of at most so many characters are kept.
constexpr size_t kShortArguments = 16;

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kWords =
    {{{"(anonymous namespace)::", ""},
      {"std::__cxx11::basic_string<char, std::char_traits<char>, "
       "std::allocator<char> >",
       "std::string"},
      {"std::__cxx11::", "std::"},
      {"[abi:cxx11]", ""},
      {"std::__1::", "std::"}}};

void Replace(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// Whether the angle bracket at `at` belongs to an operator.
bool IsOperator(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  return before.ends_with("operator") || before.ends_with("operator<") ||
         before.ends_with("operator-") || before.ends_with("operator>");
}

// Past the bracket that closes the one at `open`; npos = none does.
size_t EndOf(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '<' && !IsOperator(text, i)) ++depth;
    const bool arrow = i > 0 && text[i - 1] == '-';
    if (text[i] != '>' || arrow || IsOperator(text, i)) continue;
    if (--depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

std::string WithoutLongArguments(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '<' || IsOperator(text, i)) {
      result += text[i++];
      continue;
    }
    const size_t end = EndOf(text, i);
    // Cut somewhere.
    if (end == std::string_view::npos) return result + "<…";
    const std::string_view whole = text.substr(i, end - i);
    result += whole.size() <= kShortArguments + 2 ? std::string(whole) : "<…>";
    i = end;
  }
  return result;
}

}  // namespace

std::string ShortName(std::string_view function) {
  std::string text(function);
  for (const auto& [from, to] : kWords) Replace(text, from, to);
  return WithoutLongArguments(text);
}

std::string BareName(std::string_view function) {
  const std::string text = ShortName(function);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' &&
        !std::string_view(text).substr(0, i).ends_with("operator")) {
      return text.substr(0, i);
    }
    if (text[i] == '<' && !IsOperator(text, i)) return text.substr(0, i);
  }
  return text;
}

}  // namespace fairlead
