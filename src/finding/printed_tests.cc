// Readers of what test frameworks print.

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "finding/printed_lines.h"

namespace fairlead::finding {
namespace {

// Lines of a framework's explanation that are looked at.
constexpr size_t kMaxExplained = 8;

// The text behind the last `mark` that begins a line above `at`; "" = none.
std::string Above(const PrintedLines& lines, size_t at, std::string_view mark) {
  while (at-- > 0) {
    const std::string_view line = Trim(lines[at]);
    if (line.starts_with(mark)) {
      return std::string(Trim(line.substr(mark.size())));
    }
  }
  return "";
}

bool IsRule(std::string_view line) {
  return line.size() >= 40 &&
         line.find_first_not_of('-') == std::string_view::npos;
}

// The names between the last two rules above `at`, from the outermost.
std::string CatchName(const PrintedLines& lines, size_t at) {
  while (at > 0 && !IsRule(lines[at - 1])) --at;
  std::string name;
  for (size_t i = at > 0 ? at - 1 : 0; i-- > 0 && !IsRule(lines[i]);) {
    const std::string part(Trim(lines[i]));
    name = name.empty() ? part : part + " / " + name;
  }
  return name;
}

}  // namespace

//   two_test.cc:9: Failure
//   Expected equality of these values:
//     orders
//       Which is: 1
//     2
std::optional<Printed> ReadGoogle(const PrintedLines& lines, size_t at) {
  std::string cause;
  std::string what;
  for (size_t i = at + 1; i < std::min(lines.size(), at + kMaxExplained); ++i) {
    const std::string_view line = Trim(lines[i]);
    if (line.empty() || line.starts_with("[") || line.ends_with(": Failure")) {
      break;
    }
    if (constexpr std::string_view kWhich = "Which is: ";
        line.starts_with(kWhich)) {
      what += fmt::format(" ({})", line.substr(kWhich.size()));
      continue;
    }
    if (!what.empty()) what += what.ends_with(':') ? " " : ", ";
    what += line;
    if (line.starts_with("Actual:")) continue;
    cause += line.substr(0, line.find(", actual:"));
    cause += "\n";
  }
  const std::string_view head = lines[at];
  return PrintedReason(
      "GoogleTest", Above(lines, at, kGoogleRun),
      ParsePrintedPlace(head.substr(0, head.rfind(": Failure"))), cause, what);
}

//   [  FAILED  ] Orders.Count (0 ms)
std::optional<Printed> ReadGoogleName(const PrintedLines& lines, size_t at) {
  std::string_view name = Trim(lines[at]).substr(kGoogleFailed.size());
  name = Trim(name);
  name = name.substr(0, name.find_first_of(" ,"));
  // "[  FAILED  ] 1 test, listed below:" is a count.
  if (name.find('.') == std::string_view::npos) return {};
  return PrintedReason("GoogleTest", std::string(name), {}, "",
                       "the test failed");
}

//   queue.cc:10: FAILED:
//     REQUIRE( queue.size() == 1 )
//   with expansion:
//     0 == 1
std::optional<Printed> ReadCatch(const PrintedLines& lines, size_t at) {
  std::string cause;
  std::string what;
  bool values = false;
  for (size_t i = at + 1; i < std::min(lines.size(), at + kMaxExplained); ++i) {
    const std::string_view line = Trim(lines[i]);
    if (line.empty()) break;
    if (!what.empty()) what += " ";
    what += line;
    if (line == "with expansion:") values = true;
    if (!values) cause += std::string(line) + "\n";
  }
  const std::string_view head = lines[at];
  return PrintedReason(
      "Catch2", CatchName(lines, at),
      ParsePrintedPlace(head.substr(0, head.rfind(": FAILED:"))), cause, what);
}

//   queue.cc:11: ERROR: CHECK( queue.size() == 1 ) is NOT correct!
//     values: CHECK( 0 == 1 )
std::optional<Printed> ReadDoctest(const PrintedLines& lines, size_t at) {
  const std::string test = Above(lines, at, "TEST CASE:");
  if (test.empty()) return {};
  const std::string_view head = lines[at];
  size_t mark = head.find(": FATAL ERROR: ");
  if (mark == std::string_view::npos) mark = head.find(": ERROR: ");
  const std::string_view text = Trim(head.substr(head.find("ERROR: ") + 7));
  std::string what(text);
  if (at + 1 < lines.size()) {
    const std::string_view next = Trim(lines[at + 1]);
    if (next.starts_with("values: ")) what += fmt::format(" ({})", next);
    // "test case THREW exception: boom" stands alone in its line.
  }
  return PrintedReason("doctest", test, ParsePrintedPlace(head.substr(0, mark)),
                       text, what);
}

//   queue.cc(9): error: in "queue/keeps": check size == 1 has failed [0 != 1]
std::optional<Printed> ReadBoost(const PrintedLines& lines, size_t at) {
  const std::string_view head = lines[at];
  constexpr std::string_view kIn = "error: in \"";
  const size_t in = head.find(kIn);
  const size_t name = in + kIn.size();
  const size_t end = head.find("\": ", name);
  if (end == std::string_view::npos) return {};
  size_t place = head.find(": fatal error: in ");
  if (place == std::string_view::npos) place = head.find(": error: in ");
  if (place == std::string_view::npos) return {};
  const std::string_view what = head.substr(end + 3);
  return PrintedReason("Boost.Test", std::string(head.substr(name, end - name)),
                       ParsePrintedPlace(head.substr(0, place)),
                       what.substr(0, what.rfind(" [")), what);
}

}  // namespace fairlead::finding
