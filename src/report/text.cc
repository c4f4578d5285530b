#include "report/text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/printable.h"
#include "base/text.h"

namespace fairlead::report {
namespace {

constexpr size_t kGap = 2;  // between columns
// Characters of a cell, the widest first that fits; longer texts are cut.
constexpr size_t kMaxCells[] = {72, 56, 40};
constexpr size_t kMinSource = 16;  // less of a source line says nothing
constexpr size_t kOutputLines = 10;

// Characters, not bytes: continuation bytes of UTF-8 do not count.
size_t Width(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string Cut(std::string_view text, size_t width) {
  if (Width(text) <= width) return std::string(text);
  std::string cut;
  size_t taken = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (begins && ++taken == width) break;
    cut += c;
  }
  return cut + "…";
}

std::string Pad(std::string_view text, size_t width) {
  std::string padded = Cut(text, width);
  padded.append(width - std::min(width, Width(padded)), ' ');
  return padded;
}

std::string FileName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string ShortPlace(const trace::Place& place) {
  if (place.file.empty()) return "";
  return fmt::format("{}:{}", FileName(place.file), place.line);
}

std::string TrimRight(std::string text) {
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

// How wide everything is.
struct Layout {
  size_t step = 4;
  std::vector<size_t> columns;  // by thread; one in all when listed
  size_t thread = 0;            // of the column of names; 0 = a column each
  size_t place = 0;
  size_t source = 0;  // 0 = no room

  size_t WithoutSource() const {
    size_t width = step + kGap;
    if (thread != 0) width += thread + kGap;
    for (const size_t column : columns) width += column + kGap;
    return width + place + kGap;
  }
};

std::string StepText(const Row& row) {
  if (!row.step) return "";
  return fmt::format("{}{}", row.conflicts ? "*" : "", *row.step);
}

size_t NoteWidth(const Row& row) {
  return row.note.empty() ? 0 : Width(row.note) + 3;
}

Layout LayOutCells(const Interleaving& table, size_t max_cell) {
  Layout layout;
  layout.columns.assign(table.threads.size(), 0);
  for (size_t i = 0; i < table.threads.size(); ++i) {
    layout.columns[i] = Width(table.threads[i]);
  }
  for (const Row& row : table.rows) {
    size_t& column = layout.columns[row.column];
    column = std::max({column, std::min(max_cell, Width(row.text)),
                       std::min(max_cell, NoteWidth(row))});
    layout.place = std::max(layout.place, Width(ShortPlace(row.place)));
    if (row.step) {
      layout.step = std::max(layout.step, StepText(row).size());
    }
  }
  return layout;
}

Layout LayOut(const Interleaving& table, size_t width) {
  Layout layout;
  for (const size_t max_cell : kMaxCells) {
    layout = LayOutCells(table, max_cell);
    if (layout.WithoutSource() <= width) break;
  }
  if (layout.WithoutSource() > width && table.threads.size() > 2) {
    layout = LayOutCells(table, kMaxCells[0]);
    for (const std::string& thread : table.threads) {
      layout.thread = std::max(layout.thread, Width(thread));
    }
    layout.columns = {0};
    for (const Row& row : table.rows) {
      layout.columns[0] =
          std::max({layout.columns[0], Width(row.text), NoteWidth(row)});
    }
    const size_t rest = layout.WithoutSource() - layout.columns[0];
    const size_t least = kMaxCells[std::size(kMaxCells) - 1];
    const size_t room = width > rest + least ? width - rest : least;
    layout.columns[0] = std::min(layout.columns[0], room);
  }
  const size_t used = layout.WithoutSource();
  if (width >= used + kMinSource) layout.source = width - used;
  return layout;
}

// One line: what stands in which column.
std::string Line(const Layout& layout, std::string_view step, size_t column,
                 std::string_view thread, std::string_view text,
                 std::string_view place, std::string_view source) {
  const std::string gap(kGap, ' ');
  std::string line = fmt::format("{:>{}}{}", step, layout.step, gap);
  if (layout.thread != 0) {
    line += Pad(thread, layout.thread) + gap;
    column = 0;
  }
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    line += Pad(i == column ? text : "", layout.columns[i]) + gap;
  }
  line += Pad(place, layout.place) + gap;
  if (layout.source != 0) line += Cut(source, layout.source);
  return TrimRight(std::move(line)) + "\n";
}

std::string Header(const Interleaving& table, const Layout& layout) {
  const std::string gap(kGap, ' ');
  std::string line = fmt::format("{:>{}}{}", "step", layout.step, gap);
  if (layout.thread != 0) {
    return line + "thread\n";
  }
  for (size_t i = 0; i < table.threads.size(); ++i) {
    line += Pad(table.threads[i], layout.columns[i]) + gap;
  }
  return TrimRight(std::move(line)) + "\n";
}

std::string Indented(std::string_view text, std::string_view indent) {
  std::string result;
  for (const std::string_view line : Split(text, '\n')) {
    if (!line.empty()) result += fmt::format("{}{}\n", indent, line);
  }
  return result;
}

// The last lines of what was printed.
std::string OutputSection(std::string_view name, std::string_view text) {
  const std::string_view trimmed = Trim(text);
  if (trimmed.empty()) return "";
  auto lines = Split(trimmed, '\n');
  std::string section = fmt::format("\n{}:\n", name);
  if (lines.size() > kOutputLines) {
    section += fmt::format("  … {} more\n",
                           Counted(lines.size() - kOutputLines, "line"));
    lines.erase(lines.begin(),
                lines.end() - static_cast<ptrdiff_t>(kOutputLines));
  }
  for (const std::string_view line : lines) {
    section += fmt::format("  {}\n", line);
  }
  return section;
}

// A line of a sanitizer's without the marks of bodies that our compiler makes
// of a function.
std::string WithoutBodies(std::string_view line) {
  std::string text(line);
  for (const std::string_view mark : {" (.active", " (.idle"}) {
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
      const size_t end = text.find(')', at);
      if (end == std::string::npos) break;
      text.erase(at, end + 1 - at);
    }
  }
  return text;
}

// What the marks in a table mean, and what it leaves out.
std::string Legend(const Interleaving& table) {
  std::string text;
  if (std::ranges::any_of(table.rows, &Row::conflicts)) {
    text += "  * these steps get in each other's way\n";
  }
  if (table.left_out > 0) {
    text += fmt::format("  left out: {}; --full shows {}\n",
                        Counted(table.left_out, "step"),
                        table.left_out == 1 ? "it" : "them");
  }
  return text.empty() ? text : "\n" + text;
}

// A sanitizer's report says most at its beginning; a legend follows.
std::string ReportSection(std::string_view text) {
  const auto lines = Split(Trim(text), '\n');
  const auto begins = [](std::string_view line) {
    return line.find("Sanitizer: ") != std::string_view::npos ||
           line.find(": runtime error: ") != std::string_view::npos;
  };
  const auto begin = std::ranges::find_if(lines, begins);
  if (begin == lines.end()) return OutputSection("standard error", text);
  std::string section = "\nstandard error:\n";
  const auto left = static_cast<size_t>(lines.end() - begin);
  const size_t shown = std::min(left, kOutputLines);
  for (size_t i = 0; i < shown; ++i) {
    section += fmt::format("  {}\n",
                           WithoutBodies(*(begin + static_cast<ptrdiff_t>(i))));
  }
  if (left > shown) {
    section += fmt::format("  … {} more\n", Counted(left - shown, "line"));
  }
  return section;
}

}  // namespace

std::string TextInterleaving(const Interleaving& table, size_t width) {
  if (table.rows.empty()) return "";
  const Layout layout = LayOut(table, width);
  std::string text = Header(table, layout);
  for (const Row& row : table.rows) {
    const std::string& thread = table.threads[row.column];
    text += Line(layout, StepText(row), row.column, thread, row.text,
                 ShortPlace(row.place), row.source);
    if (row.note.empty()) continue;
    text += Line(layout, "", row.column, "", "└─ " + row.note, "", "");
  }
  return text;
}

std::string TextThreads(const std::vector<finding::ThreadState>& threads) {
  std::string text;
  for (const finding::ThreadState& state : threads) {
    text += state.thread;
    if (state.at_fault) text += ", at fault";
    if (!state.doing.empty()) text += ", " + state.doing;
    text += "\n";
    for (size_t i = 0; i < state.frames.size(); ++i) {
      text += fmt::format("  #{} {}\n", i, finding::WhereText(state.frames[i]));
    }
  }
  return text;
}

std::string Wrapped(std::string_view text, size_t width) {
  constexpr size_t kLeast = 40;
  const size_t room = std::max(width, kLeast) - 4;
  std::string lines;
  std::string line;
  for (const std::string_view word : Split(text, ' ')) {
    if (!line.empty() && Width(line) + 1 + Width(word) > room) {
      lines += fmt::format("  {}{}\n", lines.empty() ? "" : "  ", line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (line.empty()) return lines;
  return lines + fmt::format("  {}{}\n", lines.empty() ? "" : "  ", line);
}

std::string_view MeaningOfAlways(finding::Kind kind) {
  switch (kind) {
    case finding::Kind::kDeadlock:
    case finding::Kind::kLostWakeup:
    case finding::Kind::kLivelock:
      return "perhaps no order of its threads avoids it";
    default:
      return "the bug may have nothing to do with threads, or no order of them "
             "avoids it";
  }
}

std::string TextReport(const FindingReport& report, size_t width) {
  const finding::Finding& finding = *report.finding;
  std::string text =
      fmt::format("{}: {}\n", finding::TitleOf(finding.kind), finding.message);
  if (!finding.witness.explanation.empty()) {
    text +=
        Wrapped("why: " + PrintableLine(finding.witness.explanation), width);
  }
  for (const std::string& line : finding.details) {
    text += fmt::format("  {}\n", line);
  }
  text += fmt::format("\n{}\n", report.heading);
  for (const std::string& fact : report.facts) {
    text += fmt::format("  {}\n", fact);
  }
  if (finding.always) {
    text += fmt::format("  every schedule that was tried fails like this: {}\n",
                        MeaningOfAlways(finding.kind));
  }
  constexpr size_t kIndent = 2;
  const Interleaving model = InterleavingOf(finding, report.rows);
  const std::string table =
      TextInterleaving(model, width > kIndent ? width - kIndent : width);
  if (!table.empty()) {
    text += "\nwhat happened, in this order:\n\n" + Indented(table, "  ");
    text += Legend(model);
  }
  if (!finding.witness.threads.empty()) {
    text += "\nthreads at the end:\n\n" +
            Indented(TextThreads(finding.witness.threads), "  ");
  }
  text += OutputSection("standard output", finding.witness.output);
  text += finding.kind == finding::Kind::kSanitizer
              ? ReportSection(finding.witness.error)
              : OutputSection("standard error", finding.witness.error);
  if (!report.commands.empty()) text += "\n";
  for (const std::string& command : report.commands) text += command + "\n";
  return text;
}

}  // namespace fairlead::report
