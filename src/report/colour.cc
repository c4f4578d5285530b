#include "report/colour.h"

#include "base/text.h"

namespace fairlead::report {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

// "    *17  write x = 2": a row that is marked.
bool IsMarkedRow(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  return at != std::string_view::npos && line[at] == '*' &&
         at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9';
}

}  // namespace

std::string Coloured(std::string_view text) {
  std::string result;
  bool headline = true;
  bool why = false;  // inside of the sentence, which may take several lines
  for (const std::string_view line : Split(text, '\n')) {
    why = line.starts_with("  why: ") || (why && line.starts_with("    "));
    std::string_view colour;
    if (headline || why) colour = kBold;
    if (IsMarkedRow(line)) colour = kYellow;
    if (line.find("└─ ") != std::string_view::npos) colour = kDim;
    headline = false;
    if (colour.empty() || line.empty()) {
      result += line;
    } else {
      result += colour;
      result += line;
      result += kPlain;
    }
    result += '\n';
  }
  // Split gives an empty last line for what ends with a line end.
  if (text.ends_with('\n') && result.ends_with("\n\n")) result.pop_back();
  return result;
}

}  // namespace fairlead::report
