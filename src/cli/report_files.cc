#include "cli/report_files.h"

#include <filesystem>
#include <utility>

#include "cli/command.h"
#include "cli/formats.h"

namespace fairlead::cli {

report::View PlainView() {
  std::error_code error;
  report::View view;
  view.root = std::filesystem::current_path(error).string();
  view.tool = Version();
  return view;
}

void ReportFiles::AddOptions(CLI::App& command, Paths& paths) {
  command.add_option("--sarif", paths.sarif,
                     "Also write a report to this file as SARIF 2.1.0, for "
                     "code scanning and editors");
  command.add_option("--junit", paths.junit,
                     "Also write one as JUnit XML, for CI servers");
  command.add_option("--markdown", paths.markdown,
                     "Also write one as Markdown, for a pull request");
}

Result<ReportFiles> ReportFiles::Create(const Paths& paths) {
  ReportFiles files;
  const std::pair<const char*, const std::string&> wanted[] = {
      {"sarif", paths.sarif},
      {"junit", paths.junit},
      {"markdown", paths.markdown}};
  for (const auto& [name, path] : wanted) {
    if (path.empty()) continue;
    Result<OutputFile> out = OutputFile::Create(path);
    if (!out) return out.error();
    files.files_.push_back({&FormatOf(name), *std::move(out)});
  }
  return files;
}

}  // namespace fairlead::cli
