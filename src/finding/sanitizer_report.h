// finding/sanitizer_report.h
//
// The report that a sanitizer built into the program has printed, as a value:
// its own kind, its first lines, and where in the program it points to. Reads
// what clang's AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer
// write. The text is untrusted.

#ifndef FAIRLEAD_FINDING_SANITIZER_REPORT_H_
#define FAIRLEAD_FINDING_SANITIZER_REPORT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace fairlead::finding {

struct SanitizerReport {
  // A stack of the report: what led there, and the first frame that is neither
  // the sanitizer's nor a library's.
  struct Stack {
    std::string heading;  // "freed by thread T0"; "" = of the fault itself
    Where where;          // nothing in it = no frame of the program is named
  };
  std::string tool;   // "AddressSanitizer"; "" = UndefinedBehaviorSanitizer
  std::string kind;   // "heap-use-after-free", "signed integer overflow"
  std::string first;  // its first line, without the process id
  std::string
      access;  // "READ of size 4 at 0x602000000010 thread T1"; "" = none
  std::vector<Stack> stacks;  // that of the fault first
};

// The first report in `text` that the line `mark` begins; nothing if there is
// none.
std::optional<SanitizerReport> ReadSanitizerReport(std::string_view text,
                                                   std::string_view mark);

// "heap-use-after-free: READ of size 4 by thread T1 at a.cc:3 (Pop)".
std::string SentenceOf(const SanitizerReport& report);

// What identifies it: kind and place, no lines, addresses or threads.
std::string CauseOf(const SanitizerReport& report);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SANITIZER_REPORT_H_
