// cli/report_files.h
//
// `--sarif F`, `--junit F`, `--markdown F`: reports for other tools, in files,
// besides what is printed.

#ifndef FAIRLEAD_CLI_REPORT_FILES_H_
#define FAIRLEAD_CLI_REPORT_FILES_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "report/format.h"

namespace fairlead::cli {

// What all reports may know besides their model: where the source is named
// from, and our version.
report::View PlainView();

class ReportFiles {
 public:
  // The options; a path is "" where one is not given.
  struct Paths {
    std::string sarif = {};
    std::string junit = {};
    std::string markdown = {};
  };
  static void AddOptions(CLI::App& command, Paths& paths);

  // Makes the files: one that cannot be written is an error before anything
  // runs in vain.
  static Result<ReportFiles> Create(const Paths& paths);

  // A report of `model` in each. `report` is a member of report::Format.
  template <typename Model>
  Status Write(const Model& model,
               std::string (*report::Format::*report)(const Model&,
                                                      const report::View&),
               const report::View& view) {
    for (File& file : files_) {
      const std::string text = (file.format->*report)(model, view);
      if (Status put = file.out.Write(text); !put) return put;
      if (Status put = file.out.Finish(); !put) return put;
    }
    return {};
  }

  bool empty() const { return files_.empty(); }

 private:
  struct File {
    const report::Format* format;
    OutputFile out;
  };
  std::vector<File> files_;
};

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_REPORT_FILES_H_
