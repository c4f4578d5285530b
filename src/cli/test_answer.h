// cli/test_answer.h
//
// What it means that a campaign found nothing: "ok" is said only where
// something was tested. A program whose threads all ran elsewhere, or that
// never came to its end, was not.

#ifndef FAIRLEAD_CLI_TEST_ANSWER_H_
#define FAIRLEAD_CLI_TEST_ANSWER_H_

#include <string>
#include <vector>

#include "cli/test_report.h"

namespace fairlead::cli {

// Why nothing is known although nothing was found; "" = it is known.
std::string WhyUnknown(const TestReport& report);

// Threads and processes that ran beside those under control: "child processes
// (3)". Empty = all was under control.
std::vector<std::string> FreeCompany(const TestReport& report);

// Lines about executions that were cut short, and where they were.
std::string CutText(const TestReport& report);
Json CutJson(const TestReport& report);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_ANSWER_H_
