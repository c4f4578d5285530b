// runtime/company/report.h
//
// Reads what a sanitizer prints, piece by piece, and keeps what matters: which
// one it is and what it found.
//
//   ==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x...
//   SUMMARY: AddressSanitizer: heap-use-after-free a.cc:5:3 in Read(Box*)
//   a.cc:7:9: runtime error: signed integer overflow: ...
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_COMPANY_REPORT_H_
#define FAIRLEAD_RUNTIME_COMPANY_REPORT_H_

#include <stddef.h>

namespace fairlead::rt {

enum class Heard {
  kNothing,
  kReport,   // the first line of a report
  kSummary,  // its last one, which says more
};

// What the piece `printed` tells. Puts the sentence of a report or a summary
// into `line`, without colours, process number and "SUMMARY: ".
Heard HearPrinted(const char* printed, char* line, size_t capacity);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_COMPANY_REPORT_H_
