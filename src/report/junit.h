// report/junit.h
//
// JUnit XML: the elements and attributes that Jenkins and GitLab read. One case
// for each test that was explored, or for each finding where there are no
// tests.

#ifndef FAIRLEAD_REPORT_JUNIT_H_
#define FAIRLEAD_REPORT_JUNIT_H_

#include <string>
#include <vector>

namespace fairlead::report {

struct JUnitCase {
  enum class Result { kPassed, kFailed, kUnknown, kSkipped };
  std::string suite = {};  // the program, or the test's suite
  std::string name = {};
  double seconds = 0;
  Result result = Result::kPassed;
  std::string kind = {};     // of what failed
  std::string message = {};  // one line
  std::string text = {};     // all about it
};

std::string JUnitText(const std::string& suite,
                      const std::vector<JUnitCase>& cases);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_JUNIT_H_
