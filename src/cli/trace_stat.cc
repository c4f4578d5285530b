// cli/trace_stat.cc
//
// `fairlead trace stat`: what a trace holds, in numbers.

#include <map>
#include <memory>
#include <set>

#include "base/text.h"
#include "cli/command.h"
#include "cli/trace_input.h"
#include "trace/digest.h"
#include "trace/kinds.h"

namespace fairlead::cli {
namespace {

using trace::Event;

struct Numbers {
  uint64_t num_events = 0;
  uint64_t num_points = 0;
  std::map<trace::Tid, uint64_t> by_thread;
  std::map<trace::EventKind, uint64_t> by_kind;
  std::set<std::pair<bool, uint32_t>> sites;
  trace::ExecutionDigest digest;

  void Add(const Event& event) {
    ++num_events;
    if (event.has(abi::kFlagPoint)) ++num_points;
    ++by_thread[event.tid];
    ++by_kind[event.kind];
    if (event.site != 0) sites.emplace(event.instrumented(), event.site);
    digest.Add(event);
  }
};

Json NumbersJson(const Numbers& numbers, const trace::FileReader& reader) {
  Json json = {{"events", numbers.num_events},
               {"records", reader.num_records()},
               {"points", numbers.num_points},
               {"sites", numbers.sites.size()},
               {"digest", fmt::format("{:#x}", numbers.digest.Value())},
               {"threads", Json::object()},
               {"kinds", Json::object()}};
  for (const auto& [tid, number] : numbers.by_thread) {
    json["threads"][reader.names().ThreadText(tid)] = number;
  }
  for (const auto& [kind, number] : numbers.by_kind) {
    json["kinds"][std::string(trace::WordOf(kind))] = number;
  }
  return json;
}

std::string NumbersText(const Numbers& numbers,
                        const trace::FileReader& reader) {
  std::string text = reader.about();
  text += fmt::format("events: {}\nrecords: {}\npoints: {}\nsites: {}\n",
                      numbers.num_events, reader.num_records(),
                      numbers.num_points, numbers.sites.size());
  text += fmt::format("digest: {:#x}\n\nthreads:\n", numbers.digest.Value());
  for (const auto& [tid, number] : numbers.by_thread) {
    text += fmt::format("  {:<20} {:>12}\n", reader.names().ThreadText(tid),
                        number);
  }
  text += "\nkinds:\n";
  for (const auto& [kind, number] : numbers.by_kind) {
    text += fmt::format("  {:<20} {:>12}\n", trace::WordOf(kind), number);
  }
  return text;
}

Status Stat(const TraceInput& input) {
  Result<trace::FileReader> reader = input.Open();
  if (!reader) return reader.error();
  Numbers numbers;
  numbers.digest.KnowModules(reader->names());
  const Status read = ForEachEvent(
      *reader, {}, [&](const Event& event) { numbers.Add(event); });
  const std::string text = input.json ? JsonText(NumbersJson(numbers, *reader))
                                      : NumbersText(numbers, *reader);
  if (Status put = PutOut(text); !put) return put;
  return read;
}

}  // namespace

void AddTraceStat(CLI::App& trace, Invocation& invocation) {
  CLI::App* stat =
      trace.add_subcommand("stat", "Count events by thread and by kind");
  stat->footer(
      "Examples:\n"
      "  fairlead trace stat app.trace\n"
      "  fairlead trace stat --json app.trace\n");
  auto input = std::make_shared<TraceInput>();
  input->AddFile(*stat);
  stat->callback([input, &invocation] {
    invocation.action = [input] {
      const Status status = Stat(*input);
      if (status) return ExitCode::kNothingFound;
      return Tell(status.error(), input->json ? Form::kJson : Form::kText);
    };
  });
}

}  // namespace fairlead::cli
