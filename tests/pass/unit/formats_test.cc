// What formats say about the memory behind their arguments.

#include "instrument/pass/formats.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::pass {
namespace {

// "1:text 3:text<2 4:8": the argument, and a text, one of at most as many bytes
// as an argument says, or a number of bytes.
std::string Text(const std::vector<Formatted>& all) {
  std::string text;
  for (const Formatted& each : all) {
    if (!text.empty()) text += ' ';
    text += std::to_string(each.argument) + ':' +
            (each.text ? "text" : std::to_string(each.bytes));
    if (each.bound >= 0) text += '<' + std::to_string(each.bound);
  }
  return text;
}

struct Case {
  const char* format;
  const char* wanted;
};

TEST(Formats, PrintfReadsItsTexts) {
  constexpr Case kCases[] = {
      {"", ""},
      {"100 %", ""},
      {"%d %s", "1:text"},
      {"%% %s %5ld %-8s", "0:text 2:text"},
      {"%*d %s", "2:text"},
      {"%.*s", "1:text<0"},
      {"%.3s", "0:1"},
      {"%m %s", "0:text"},
      {"%ls %s", "1:text"},
      {"%1$s", ""},
      {"%lc%hhd%zu%jd%Lf%s", "5:text"},
  };
  for (const auto& [format, wanted] : kCases) {
    EXPECT_EQ(Text(PrintedArguments(format)), wanted) << format;
  }
}

TEST(Formats, ScanfWritesWhatItsLettersSay) {
  constexpr Case kCases[] = {
      {"%d %ld %hd %hhd", "0:4 1:8 2:2 3:1"},
      {"%f %lf %Lf", "0:4 1:8 2:16"},
      {"%31s%c%4c", "0:text 1:1 2:4"},
      {"%*d %u", "0:4"},
      {"%[^]a-z]%d", "0:text 1:4"},
      {"%[^\n]", "0:text"},
      {"%ms", "0:8"},
      {"%n%p", "0:4 1:8"},
      {"%d%%%d", "0:4 1:4"},
      {"%", ""},
  };
  for (const auto& [format, wanted] : kCases) {
    EXPECT_EQ(Text(ScannedArguments(format)), wanted) << format;
  }
}

}  // namespace
}  // namespace fairlead::pass
