#include "finding/printed.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "finding/fingerprint.h"
#include "finding/printed_lines.h"

namespace fairlead::finding {
namespace {

// Longer messages are cut: they stand in one line of a list.
constexpr size_t kMaxMessage = 240;

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

PrintedLines LinesOf(std::string_view text) {
  PrintedLines lines;
  for (const std::string_view line : Split(text, '\n')) {
    lines.push_back(WithoutColours(line));
  }
  return lines;
}

// Numbers, also negative, broken and null ones, are one mark.
std::string Folded(std::string_view text) {
  std::string folded = WithoutNumbers(text);
  for (const auto& [from, to] :
       {std::pair<std::string_view, std::string_view>{"(nil)", "#"},
        {"#.#", "#"},
        {"-#", "#"}}) {
    for (size_t at = 0; (at = folded.find(from, at)) != std::string::npos;) {
      folded.replace(at, from.size(), to);
    }
  }
  return folded;
}

std::string Cut(std::string text) {
  if (text.size() <= kMaxMessage) return text;
  size_t end = kMaxMessage;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return text.substr(0, end) + "…";
}

//   app: queue.c:12: Pop: Assertion `size > 0' failed.
std::optional<Printed> ReadAssert(const PrintedLines& lines, size_t at) {
  std::string_view line = Trim(lines[at]);
  // The name of the program says nothing, and a path may be another tomorrow.
  std::optional<trace::Place> place;
  for (size_t from = 0; from < line.size() && !place;) {
    const size_t colon = line.find(": ", from);
    if (colon == std::string_view::npos) break;
    place = ParsePrintedPlace(line.substr(from, colon - from));
    from = colon + 2;
    if (place) line.remove_prefix(from);
  }
  return PrintedReason("assert", "", place, line, line);
}

//   F1117 10:11:12.131415 1617 queue.cc:12] Check failed: size > 0 (0 vs. 0)
std::optional<Printed> ReadCheck(const PrintedLines& lines, size_t at) {
  const std::string_view line = Trim(lines[at]);
  const size_t mark = line.find("] Check failed: ");
  const std::string_view head = line.substr(0, mark);
  const std::string_view what = line.substr(mark + 2);
  const size_t values = what.rfind(" (");
  return PrintedReason(
      "CHECK", "", ParsePrintedPlace(head.substr(head.find_last_of(" [") + 1)),
      what.ends_with(')') ? what.substr(0, values) : what, what);
}

//   terminate called after throwing an instance of 'std::runtime_error'
//     what():  overdrawn
std::optional<Printed> ReadTerminate(const PrintedLines& lines, size_t at) {
  std::string what(Trim(lines[at]));
  if (at + 1 < lines.size()) {
    const std::string_view next = Trim(lines[at + 1]);
    if (next.starts_with("what():")) {
      what += fmt::format(": {}", Trim(next.substr(7)));
    }
  }
  return PrintedReason("C++ library", "", {}, what, what);
}

std::optional<Printed> ReadLibrary(const PrintedLines& lines, size_t at) {
  const std::string_view line = Trim(lines[at]);
  return PrintedReason("C library", "", {}, line, line);
}

// Where a mark stands in its line.
enum class At { kBegin, kInside, kEnd };

struct Recogniser {
  std::string_view mark;
  At at;
  std::optional<Printed> (*read)(const PrintedLines& lines, size_t at);
};

// Those that name a test come first, then those that name a place.
constexpr Recogniser kRecognisers[] = {
    {": Failure", At::kEnd, ReadGoogle},
    {kGoogleFailed, At::kBegin, ReadGoogleName},
    {": FAILED:", At::kEnd, ReadCatch},
    {": FATAL ERROR: ", At::kInside, ReadDoctest},
    {": ERROR: ", At::kInside, ReadDoctest},
    {"error: in \"", At::kInside, ReadBoost},
    {": Assertion `", At::kInside, ReadAssert},
    {": Assertion '", At::kInside, ReadAssert},
    {"Assertion failed: ", At::kBegin, ReadAssert},
    {"] Check failed: ", At::kInside, ReadCheck},
    // The C++ library says this first, and then that it terminates.
    {"pure virtual method called", At::kBegin, ReadLibrary},
    {"deleted virtual method called", At::kBegin, ReadLibrary},
    {"terminate called ", At::kBegin, ReadTerminate},
    {"libc++abi: ", At::kBegin, ReadLibrary},
    {"*** stack smashing detected ***", At::kBegin, ReadLibrary},
    {"*** buffer overflow detected ***", At::kBegin, ReadLibrary},
    {"*** longjmp causes uninitialized stack frame ***", At::kBegin,
     ReadLibrary},
    {"malloc(): ", At::kBegin, ReadLibrary},
    {"malloc_consolidate(): ", At::kBegin, ReadLibrary},
    {"free(): ", At::kBegin, ReadLibrary},
    {"realloc(): ", At::kBegin, ReadLibrary},
    {"calloc(): ", At::kBegin, ReadLibrary},
    {"munmap_chunk(): ", At::kBegin, ReadLibrary},
    {"double free or corruption", At::kBegin, ReadLibrary},
    {"corrupted size vs. prev_size", At::kBegin, ReadLibrary},
    {"corrupted double-linked list", At::kBegin, ReadLibrary},
    {"Fatal glibc error: ", At::kBegin, ReadLibrary},
    {"The futex facility returned an unexpected error code", At::kBegin,
     ReadLibrary},
};

bool Bears(std::string_view line, const Recogniser& recogniser) {
  line = Trim(line);
  switch (recogniser.at) {
    case At::kBegin:
      return line.starts_with(recogniser.mark);
    case At::kInside:
      return line.find(recogniser.mark) != std::string_view::npos;
    case At::kEnd:
      return line.ends_with(recogniser.mark);
  }
  return false;
}

}  // namespace

std::string WithoutColours(std::string_view line) {
  std::string plain;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      if (line[i] != '\r') plain += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') {
      ++i;
      while (i + 1 < line.size() && (line[i + 1] < '@' || line[i + 1] > '~')) {
        ++i;
      }
    }
    ++i;  // the letter that ends it
  }
  return plain;
}

std::optional<trace::Place> ParsePrintedPlace(std::string_view text) {
  text = Trim(text);
  if (text.ends_with(')')) text.remove_suffix(1);
  const size_t at = text.find_last_of(":(");
  if (at == std::string_view::npos || at == 0) return {};
  const auto line = ParseNumber(text.substr(at + 1));
  if (!line || *line > UINT32_MAX) return {};
  return trace::Place{.file = std::string(text.substr(0, at)),
                      .line = static_cast<uint32_t>(*line)};
}

Printed PrintedReason(std::string_view who, std::string test,
                      const std::optional<trace::Place>& place,
                      std::string_view cause, std::string_view what) {
  Printed printed = {.who = who, .test = std::move(test)};
  if (place) printed.place = *place;
  printed.cause = Folded(fmt::format("{}\n{}\n{}", printed.test,
                                     FileName(printed.place.file), cause));
  if (!printed.test.empty()) printed.message = printed.test + ": ";
  if (place) {
    printed.message += fmt::format("{}:{}: ", place->file, place->line);
  }
  printed.message = Cut(printed.message + std::string(what));
  return printed;
}

std::optional<Printed> ReadPrinted(std::string_view output,
                                   std::string_view error) {
  const PrintedLines streams[] = {LinesOf(output), LinesOf(error)};
  for (const Recogniser& recogniser : kRecognisers) {
    for (const PrintedLines& lines : streams) {
      for (size_t i = 0; i < lines.size(); ++i) {
        if (!Bears(lines[i], recogniser)) continue;
        if (auto printed = recogniser.read(lines, i)) return printed;
      }
    }
  }
  const std::string last = LastLineOf(error);
  if (last.empty()) return {};
  return PrintedReason("", "", {}, last, last);
}

std::string TestUnderWay(std::string_view output) {
  std::string test;
  for (const std::string_view raw : Split(output, '\n')) {
    const std::string line = WithoutColours(raw);
    if (line.starts_with(kGoogleRun)) {
      test = Trim(std::string_view(line).substr(kGoogleRun.size()));
    } else if (line.starts_with(kGoogleOk) || line.starts_with(kGoogleFailed) ||
               line.starts_with(kGoogleSkipped)) {
      test.clear();
    }
  }
  return test;
}

std::string LastLineOf(std::string_view text) {
  text = Trim(text);
  return WithoutColours(Trim(text.substr(text.rfind('\n') + 1)));
}

}  // namespace fairlead::finding
