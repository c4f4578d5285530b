// The reference pages of errors and exit codes say what the tables say.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/exit_code.h"
#include "base/file.h"
#include "base/result.h"
#include "base/text.h"

namespace fairlead {
namespace {

struct Row {
  std::string_view word;
  int exit;
  std::string_view meaning;
};

constexpr Row kRows[] = {
#define FL_ERROR(name, word, exit, meaning) \
  {word, static_cast<int>(ExitCode::exit), meaning},
#include "base/errors.inc"
#undef FL_ERROR
};

std::string Page(const std::string& name) {
  const std::string path =
      std::string(FAIRLEAD_SOURCE_DIR "/docs/reference/") + name;
  const Result<std::string> text = ReadFile(path);
  EXPECT_TRUE(text.has_value()) << path;
  return text.value_or("");
}

TEST(ErrorsReference, HasAnEntryForEachCode) {
  const std::string page = Page("errors.md");
  for (const Row& row : kRows) {
    const std::string heading = fmt::format("\n## {}\n\n*{} (exit code {})*\n",
                                            row.word, row.meaning, row.exit);
    EXPECT_NE(page.find(heading), std::string::npos)
        << "docs/reference/errors.md lacks:" << heading;
  }
}

TEST(ErrorsReference, HasNoEntryForAnythingElse) {
  std::set<std::string_view> words;
  for (const Row& row : kRows) words.insert(row.word);
  const std::string page = Page("errors.md");
  for (const std::string_view line : Split(page, '\n')) {
    if (!line.starts_with("## ")) continue;
    EXPECT_TRUE(words.contains(line.substr(3))) << line;
  }
}

TEST(ExitCodesReference, NamesEachOne) {
  const std::string page = Page("exit-codes.md");
  for (const ExitCode code :
       {ExitCode::kNothingFound, ExitCode::kFindings, ExitCode::kUsage,
        ExitCode::kEnvironment, ExitCode::kUnknown, ExitCode::kOurBug}) {
    const std::string row = fmt::format("\n| {} |", static_cast<int>(code));
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace fairlead
