// report/format.h
//
// Report formats: each turns the models of this directory (campaign.h,
// finding_list.h, coverage.h) into text, for a terminal or for a machine. A
// format is one file that defines one `Format`, and a row in formats.inc;
// docs/howto/extend/report-format.md says how to add one.

#ifndef FAIRLEAD_REPORT_FORMAT_H_
#define FAIRLEAD_REPORT_FORMAT_H_

#include <span>
#include <string>
#include <string_view>

#include "report/campaign.h"
#include "report/coverage.h"
#include "report/finding_list.h"

namespace fairlead::report {

// How much of a model is wanted. Formats for machines show all there is.
struct View {
  bool all = false;       // also what is left out otherwise
  bool quiet = false;     // findings and the answer only
  bool verbose = false;   // also how the search went
  bool full = false;      // of a finding: every step that is kept of it
  bool lines = false;     // of coverage: pairs of source lines instead
  size_t width = 120;     // characters in a line, where that can be kept
  std::string root = {};  // directory that files are named from; "" = none
  std::string tool = {};  // our version
};

// What it gives ends with a line end, and is shown as it is but for characters
// that a terminal would obey. Null: the format has no report of this.
struct Format {
  std::string_view name;  // as the user writes it
  std::string_view help;
  std::string (*campaign)(const Campaign&, const View&) = nullptr;
  std::string (*findings)(const FindingList&, const View&) = nullptr;
  std::string (*finding)(const KeptFinding&, const View&) = nullptr;
  std::string (*coverage)(const Coverage&, const View&) = nullptr;
  bool wants_witness = false;  // of each finding in a list
};

#define FL_REPORT_FORMAT(name) extern const Format name;
#include "report/formats.inc"
#undef FL_REPORT_FORMAT

// In the order of the table; text is the first.
std::span<const Format* const> Formats();

// Null for a name that none has.
const Format* FindFormat(std::string_view name);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_FORMAT_H_
