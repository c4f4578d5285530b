#include "finding/sanitizer_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "trace/library_file.h"

namespace fairlead::finding {
namespace {

// Lines of one report that are looked at: its stacks come first.
constexpr size_t kMaxLines = 400;

constexpr std::string_view kError = "ERROR: ";
constexpr std::string_view kRuntimeError = ": runtime error: ";

// Functions by which a sanitizer stands between the program and its library.
bool IsSanitizers(std::string_view function) {
  for (const std::string_view begin :
       {"__interceptor_", "___interceptor_", "__asan", "__ubsan", "__lsan",
        "__sanitizer", "operator new", "operator delete"}) {
    if (function.starts_with(begin)) return true;
  }
  return function.empty();
}

// "file.cc:12:3" as a place; nothing = there is none in it.
trace::Place PlaceIn(std::string_view text) {
  uint64_t numbers[2] = {};  // line, column from the left
  size_t count = 0;
  while (count < 2) {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) break;
    const auto number = ParseNumber(text.substr(colon + 1));
    if (!number || *number > UINT32_MAX) break;
    numbers[1] = numbers[0];
    numbers[0] = *number;
    text = text.substr(0, colon);
    ++count;
  }
  if (count == 0 || text.empty()) return {};
  return {.file = std::string(text), .line = static_cast<uint32_t>(numbers[0])};
}

//   #1 0x55e0c in Pop(Queue*) /src/queue.cc:12:3
std::optional<Where> FrameIn(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with('#')) return {};
  const size_t in = line.find(" in ");
  if (in == std::string_view::npos) return Where();
  const std::string_view rest = line.substr(in + 4);
  const size_t space = rest.rfind(' ');
  Where where;
  if (space == std::string_view::npos) {
    where.function = rest;
    return where;
  }
  where.place = PlaceIn(rest.substr(space + 1));
  where.function = where.place.file.empty() ? rest.substr(0, rest.find(" ("))
                                            : rest.substr(0, space);
  where.function = trace::WithoutClone(where.function);
  return where;
}

bool IsProgrammes(const Where& where) {
  return !where.place.file.empty() && !IsSanitizers(where.function) &&
         !trace::IsLibraryFile(where.place.file);
}

// What stands above a stack: "freed by thread T0 here:".
std::string HeadingOf(std::string_view line) {
  line = Trim(line);
  if (!line.ends_with(':')) return "";
  line.remove_suffix(1);
  if (line.ends_with(" here")) line.remove_suffix(5);
  return std::string(line);
}

bool IsKind(std::string_view word) {
  return word.find('-') != std::string_view::npos || word == "SEGV";
}

// "==12==ERROR: AddressSanitizer: heap-use-after-free on address …".
void ReadFirstLine(std::string_view line, SanitizerReport& report) {
  line = Trim(line);
  if (const size_t at = line.find(kRuntimeError); at != line.npos) {
    report.first = line;
    report.kind = line.substr(at + kRuntimeError.size());
    // What differs from one time to the next comes behind a colon.
    report.kind = report.kind.substr(0, report.kind.find(": "));
    report.stacks.push_back(
        {.heading = "", .where = {.place = PlaceIn(line.substr(0, at))}});
    return;
  }
  const size_t error = line.find(kError);
  const size_t warning = line.find("WARNING: ");
  const size_t from = std::min(error, warning);
  if (from == line.npos) return;
  report.first = line.substr(from);
  const std::string_view text = line.substr(line.find(": ", from) + 2);
  const size_t colon = text.find(": ");
  if (colon == text.npos) return;
  report.tool = text.substr(0, colon);
  std::string_view what = text.substr(colon + 2);
  if (what.starts_with("attempting ")) what = what.substr(11);
  // A kind is a word with hyphens; others say it in words.
  const std::string_view word = what.substr(0, what.find(' '));
  report.kind = IsKind(word) ? word : what.substr(0, what.find(": "));
}

}  // namespace

std::optional<SanitizerReport> ReadSanitizerReport(std::string_view text,
                                                   std::string_view mark) {
  const auto lines = Split(text, '\n');
  const auto begin = std::ranges::find_if(lines, [&](std::string_view line) {
    return !mark.empty() && Trim(line) == mark;
  });
  if (begin == lines.end()) return {};
  SanitizerReport report;
  ReadFirstLine(*begin, report);
  if (report.kind.empty()) return {};
  std::string heading;
  bool open = true;  // a stack of which no frame is taken yet
  const auto first = static_cast<size_t>(begin - lines.begin()) + 1;
  const size_t end = std::min(lines.size(), first + kMaxLines);
  for (size_t i = first; i < end && !report.tool.empty(); ++i) {
    const std::string_view line = lines[i];
    if (line.starts_with("SUMMARY: ")) {
      // Here it says "bad-free" where its first line has a sentence.
      const auto words = Words(line);
      if (words.size() > 2 && IsKind(words[2])) report.kind = words[2];
      break;
    }
    if (line.starts_with("READ of ") || line.starts_with("WRITE of ")) {
      report.access = Trim(line);
    } else if (std::string title = HeadingOf(line); !title.empty()) {
      heading = std::move(title);
      open = true;
    } else if (const auto frame = FrameIn(line);
               frame && open && IsProgrammes(*frame)) {
      report.stacks.push_back({.heading = heading, .where = *frame});
      open = false;
    }
  }
  return report;
}

std::string SentenceOf(const SanitizerReport& report) {
  std::string text = report.kind;
  if (!report.access.empty()) {
    const size_t at = report.access.find(" at 0x");
    const size_t thread = report.access.find(" thread ");
    text += ": " + report.access.substr(0, at);
    if (thread != std::string::npos) {
      text += " by" + report.access.substr(thread);
    }
  }
  if (report.stacks.empty()) return text;
  const std::string where = WhereText(report.stacks[0].where);
  return where.empty() ? text : fmt::format("{} at {}", text, where);
}

std::string CauseOf(const SanitizerReport& report) {
  std::string cause = report.tool + "\n" + report.kind;
  if (report.stacks.empty()) return cause;
  const Where& where = report.stacks[0].where;
  const std::string& file = where.place.file;
  return fmt::format("{}\n{}\n{}", cause, where.function,
                     file.substr(file.rfind('/') + 1));
}

}  // namespace fairlead::finding
