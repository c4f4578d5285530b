// finding/printed_lines.h
//
// What readers of printed failures (finding/printed.h) share: texts as lines,
// places as they are printed, and how a reason is put together. Readers of test
// frameworks have a file of their own; each takes the lines of one stream and
// the number of the line that bears its mark.

#ifndef FAIRLEAD_FINDING_PRINTED_LINES_H_
#define FAIRLEAD_FINDING_PRINTED_LINES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/printed.h"

namespace fairlead::finding {

using PrintedLines = std::vector<std::string>;

// How GoogleTest marks the beginnings and ends of tests.
inline constexpr std::string_view kGoogleRun = "[ RUN      ]";
inline constexpr std::string_view kGoogleOk = "[       OK ]";
inline constexpr std::string_view kGoogleFailed = "[  FAILED  ]";
inline constexpr std::string_view kGoogleSkipped = "[  SKIPPED ]";

// Without escape sequences, by which some colour their words.
std::string WithoutColours(std::string_view line);

// "a/b.cc:12" or "a/b.cc(12)" as a place; nothing for anything else.
std::optional<trace::Place> ParsePrintedPlace(std::string_view text);

// A reason: where, in which test ("" = none), what identifies it, and what to
// tell.
Printed PrintedReason(std::string_view who, std::string test,
                      const std::optional<trace::Place>& place,
                      std::string_view cause, std::string_view what);

// Each gives nothing when the lines are not what they look like.
std::optional<Printed> ReadGoogle(const PrintedLines& lines, size_t at);
std::optional<Printed> ReadGoogleName(const PrintedLines& lines, size_t at);
std::optional<Printed> ReadCatch(const PrintedLines& lines, size_t at);
std::optional<Printed> ReadDoctest(const PrintedLines& lines, size_t at);
std::optional<Printed> ReadBoost(const PrintedLines& lines, size_t at);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_PRINTED_LINES_H_
