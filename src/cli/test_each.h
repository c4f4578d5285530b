// cli/test_each.h
//
// `fairlead test --gtest`, `--catch2`, `--doctest`, `--ctest`: explores each
// test for itself, in a campaign of its own, within one budget. A first
// execution says whether a test has threads at all; one without is done. What
// is left of the time goes, slice by slice, to the test whose last slice showed
// the most that was new.
//
// Incomplete: each slice begins its search anew, with another seed; what is
// known of the test's iRoots is kept.

#ifndef FAIRLEAD_CLI_TEST_EACH_H_
#define FAIRLEAD_CLI_TEST_EACH_H_

#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/result.h"
#include "cli/test_list.h"
#include "cli/test_options.h"

namespace fairlead::cli {

// `passed` is what the user gave `fairlead test`, for each of the campaigns.
Result<ExitCode> TestEach(Framework framework, const TestOptions& options,
                          const std::vector<std::string>& argv,
                          const std::vector<std::string>& passed);

// What of the options of `test` is for each campaign: all that were given, but
// for the budget and what is made of the results.
std::vector<std::string> PassedOptions(const CLI::App& test);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_EACH_H_
