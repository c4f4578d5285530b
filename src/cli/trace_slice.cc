// cli/trace_slice.cc
//
// `fairlead trace slice`: the events that a selection keeps, as a trace of its
// own in text form, with the names that it needs. What fixtures are made from.

#include <memory>

#include "cli/command.h"
#include "cli/trace_input.h"
#include "trace/text.h"

namespace fairlead::cli {
namespace {

Status Slice(const TraceInput& input) {
  Result<trace::FileReader> reader = input.Open();
  if (!reader) return reader.error();
  const Result<trace::Selection> selection =
      trace::ParseSelection(input.selection, reader->names());
  if (!selection) return selection.error();
  trace::Trace slice;
  const Status read = ForEachEvent(
      *reader, *selection,
      [&](const trace::Event& event) { slice.events.push_back(event); });
  slice.names = trace::NamesFor(slice.events, reader->names());
  if (!input.json) {
    if (Status put = PutOut(trace::PrintTrace(slice)); !put) return put;
    return read;
  }
  for (const trace::Event& event : slice.events) {
    const std::string line =
        EventJson(event, slice.names)
            .dump(-1, ' ', false, Json::error_handler_t::replace) +
        "\n";
    if (Status put = PutOut(line); !put) return put;
  }
  return read;
}

}  // namespace

void AddTraceSlice(CLI::App& trace, Invocation& invocation) {
  CLI::App* slice = trace.add_subcommand(
      "slice", "Print the events that pass every given condition");
  slice->footer(
      "Examples:\n"
      "  fairlead trace slice --thread main/1 app.trace\n"
      "  fairlead trace slice --kind sync --events 100..200 "
      "app.trace\n"
      "  fairlead trace slice --object counter app.trace\n");
  auto input = std::make_shared<TraceInput>();
  input->AddFile(*slice);
  input->AddSelection(*slice);
  slice->callback([input, &invocation] {
    invocation.action = [input] {
      const Status status = Slice(*input);
      if (status) return ExitCode::kNothingFound;
      return Tell(status.error(), input->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
