#include "runtime/company/report.h"

#include <string.h>

#include "runtime/sys/text.h"

namespace fairlead::rt {
namespace {

constexpr char kEscape = '\x1b';

// Copies the line that `at` is in, from `begin` on, leaving out colours, which
// are an escape and everything up to an m.
void CopyLine(const char* begin, char* line, size_t capacity) {
  Text text(line, capacity);
  for (const char* c = begin; *c != '\0' && *c != '\n'; ++c) {
    if (*c == kEscape) {
      while (*c != 'm' && *c != '\0' && *c != '\n') ++c;
      if (*c != 'm') return;
      continue;
    }
    text.Put(*c);
  }
}

const char* BeginOfLine(const char* text, const char* at) {
  while (at > text && at[-1] != '\n') --at;
  return at;
}

}  // namespace

Heard HearPrinted(const char* printed, char* line, size_t capacity) {
  constexpr char kSummary[] = "SUMMARY: ";
  constexpr char kError[] = "ERROR: ";
  if (const char* found = strstr(printed, kSummary); found != nullptr) {
    CopyLine(found + sizeof(kSummary) - 1, line, capacity);
    return Heard::kSummary;
  }
  if (const char* found = strstr(printed, "runtime error: ");
      found != nullptr) {
    CopyLine(BeginOfLine(printed, found), line, capacity);
    return Heard::kReport;
  }
  // "==<number>==ERROR: AddressSanitizer: ..."
  const char* found = strstr(printed, kError);
  if (found != nullptr && strstr(found, "Sanitizer") != nullptr) {
    CopyLine(found + sizeof(kError) - 1, line, capacity);
    return Heard::kReport;
  }
  return Heard::kNothing;
}

}  // namespace fairlead::rt
