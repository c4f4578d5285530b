// cli/trace_print.cc
//
// `fairlead trace print`: every event of a trace file as text, or as JSON, one
// line each. Works event by event, so that the size of the trace does not
// matter.

#include <memory>

#include "cli/command.h"
#include "cli/trace_input.h"
#include "trace/names_text.h"
#include "trace/text.h"

namespace fairlead::cli {
namespace {

Status Print(const TraceInput& input) {
  Result<trace::FileReader> reader = input.Open();
  if (!reader) return reader.error();
  const trace::Names& names = reader->names();
  Status status;
  if (!input.json) status = PutOut(trace::PrintNames(names));
  if (!status) return status;
  // Buffered; a whole trace may be larger than memory.
  constexpr size_t kBufferBytes = size_t{1} << 16;
  std::string buffer;
  std::unique_ptr<trace::Event> previous;
  const Status read = ForEachEvent(*reader, {}, [&](const trace::Event& event) {
    if (!status) return;
    buffer += input.json
                  ? EventJson(event, names)
                        .dump(-1, ' ', false, Json::error_handler_t::replace)
                  : trace::PrintEvent(event, names, previous.get());
    buffer += '\n';
    previous = std::make_unique<trace::Event>(event);
    if (buffer.size() < kBufferBytes) return;
    status = PutOut(buffer);
    buffer.clear();
  });
  if (status) status = PutOut(buffer);
  if (!status) return status;
  return read;
}

}  // namespace

void AddTracePrint(CLI::App& trace, Invocation& invocation) {
  CLI::App* print = trace.add_subcommand(
      "print", "Print a trace in its text form (docs/reference/trace-text.md)");
  print->footer(
      "Examples:\n"
      "  fairlead trace print app.trace\n"
      "  fairlead trace print --json app.trace | head\n"
      "  fairlead trace print --partial damaged.trace\n");
  auto input = std::make_shared<TraceInput>();
  input->AddFile(*print);
  print->callback([input, &invocation] {
    invocation.action = [input] {
      const Status status = Print(*input);
      if (status) return ExitCode::kNothingFound;
      return Tell(status.error(), input->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
