// cli/test_list.h
//
// The tests in a binary of a test framework, or those that CTest knows, each
// with the command that runs it alone. The framework lists them: the binary is
// run once, without us, with the option for that.

#ifndef FAIRLEAD_CLI_TEST_LIST_H_
#define FAIRLEAD_CLI_TEST_LIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fairlead::cli {

enum class Framework { kGoogleTest, kCatch2, kDoctest, kCTest };

struct ListedTest {
  std::string suite = {};  // "" = the framework has none
  std::string name = {};   // in full: "Shop.SellsOnce"
  std::vector<std::string> argv = {};
  std::string directory = {};                 // "" = ours
  std::vector<std::string> environment = {};  // besides ours, NAME=value
  bool disabled = false;
};

// `argv` is the binary and what it is always given; of CTest, the directory of
// its build. What is no such binary, or has no tests, is an error of usage.
Result<std::vector<ListedTest>> ListTests(Framework framework,
                                          const std::vector<std::string>& argv);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_LIST_H_
