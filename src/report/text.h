// report/text.h
//
// Reports as text, for a terminal and for logs.

#ifndef FAIRLEAD_REPORT_TEXT_H_
#define FAIRLEAD_REPORT_TEXT_H_

#include <string>
#include <vector>

#include "finding/finding.h"
#include "report/interleaving.h"

namespace fairlead::report {

// Everything that a report about one finding says.
struct FindingReport {
  const finding::Finding* finding = nullptr;
  std::string heading;                // "finding 1 of build/app, open"
  std::vector<std::string> facts;     // where it was found, how often, …
  std::vector<std::string> commands;  // what to do next
  Rows rows = Rows::kAll;
};

// The table, fit into `width` characters where that is possible: source lines
// are cut first, then left out. With more columns than fit, threads are named
// in a column of their own.
std::string TextInterleaving(const Interleaving& table, size_t width);

// The stacks of all threads.
std::string TextThreads(const std::vector<finding::ThreadState>& threads);

// `text` as lines of at most `width` characters, indented.
std::string Wrapped(std::string_view text, size_t width);

// What it means that a finding of this kind came in every schedule: the rest of
// a sentence.
std::string_view MeaningOfAlways(finding::Kind kind);

std::string TextReport(const FindingReport& report, size_t width);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_TEXT_H_
