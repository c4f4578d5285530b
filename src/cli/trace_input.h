// cli/trace_input.h
//
// What the subcommands of `fairlead trace` share: the file, `--json`,
// `--partial`, and the selection of events.

#ifndef FAIRLEAD_CLI_TRACE_INPUT_H_
#define FAIRLEAD_CLI_TRACE_INPUT_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "trace/file_reader.h"
#include "trace/slice.h"

namespace fairlead::cli {

struct TraceInput {
  std::string file;
  bool json = false;
  bool partial = false;
  trace::SelectionText selection;

  void AddFile(CLI::App& app);
  void AddSelection(CLI::App& app);

  // Opens the file; warns about damage that --partial steps over.
  Result<trace::FileReader> Open() const;
};

// Calls `on_event` with each event that `selection` keeps.
Status ForEachEvent(trace::FileReader& reader,
                    const trace::Selection& selection,
                    const std::function<void(const trace::Event&)>& on_event);

Json EventJson(const trace::Event& event, const trace::Names& names);

// Writes results to standard output; what cannot be written is an error.
Status PutOut(std::string_view text);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TRACE_INPUT_H_
