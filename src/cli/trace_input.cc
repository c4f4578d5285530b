#include "cli/trace_input.h"

#include <errno.h>
#include <stdio.h>

#include "base/log.h"
#include "cli/print.h"
#include "trace/kinds.h"

namespace fairlead::cli {
namespace {

using trace::Event;
using trace::Names;

void AddExtensions(const Event& event, const Names& names, Json& json) {
  if (event.old_value) json["old"] = *event.old_value;
  if (event.partner) {
    json["partner"] = names.ThreadText(event.partner->tid);
    if (event.partner->object != 0) {
      json["partner_object"] = names.ObjectText(event.partner->object);
    }
  }
  if (event.block) {
    json["block"] = {{"number", event.block->number},
                     {"offset", event.block->offset},
                     {"class", trace::WordOf(event.block->block_class)},
                     {"zeroed", event.block->zeroed}};
  }
  if (event.this_object) json["this"] = *event.this_object;
  if (!event.payload.empty()) json["payload"] = event.payload;
}

}  // namespace

void TraceInput::AddFile(CLI::App& app) {
  app.add_option("file", file, "A trace file")->required();
  app.add_flag("--json", json, "Results as JSON");
  app.add_flag("--partial", partial, "Of a damaged file, read what is whole");
}

void TraceInput::AddSelection(CLI::App& app) {
  app.add_option("--events", selection.events,
                 "A range of events: 10..20, 10.., ..20");
  app.add_option("--thread", selection.threads,
                 "Events of this thread (main/1); repeatable");
  app.add_option("--kind", selection.kinds,
                 "Events of this kind (lock) or group (sync); repeatable");
  app.add_option("--object", selection.objects,
                 "Events that touch this object: a name, an address, a range "
                 "of addresses; repeatable");
}

Result<trace::FileReader> TraceInput::Open() const {
  Result<trace::FileReader> reader = trace::FileReader::OpenUntrusted(
      file, partial ? trace::Damage::kSkip : trace::Damage::kRefuse);
  if (reader && reader->damage()) {
    Warn("{}; what lies before it follows", reader->damage()->sentence());
  }
  return reader;
}

Status ForEachEvent(trace::FileReader& reader,
                    const trace::Selection& selection,
                    const std::function<void(const trace::Event&)>& on_event) {
  Event event;
  while (true) {
    const Result<bool> got = reader.Next(event);
    if (!got) return got.error();
    if (!*got) return {};
    if (selection.Keeps(event)) on_event(event);
  }
}

Json EventJson(const Event& event, const Names& names) {
  Json json = {{"seq", event.seq},
               {"thread", names.ThreadText(event.tid)},
               {"kind", trace::WordOf(event.kind)}};
  if (event.address != 0) {
    json["object"] = names.ObjectText(event.address);
    json["address"] = fmt::format("{:#x}", event.address);
  }
  if (event.value != 0) json["value"] = event.value;
  if (event.size != 0) json["size"] = event.size;
  if (event.order() != abi::MemoryOrder::kPlain) {
    json["order"] = trace::WordOf(event.order());
  }
  Json flags = Json::array();
  for (const trace::FlagEntry& entry : trace::FlagWords()) {
    if ((event.flags & entry.flag) != 0) flags.push_back(entry.word);
  }
  if (!flags.empty()) json["flags"] = flags;
  AddExtensions(event, names, json);
  if (event.node != 0) json["node"] = event.node;
  if (event.instructions != 0) json["instructions"] = event.instructions;
  if (event.site != 0) {
    json[event.instrumented() ? "site" : "caller"] = event.site;
  }
  if (const std::string function = names.FunctionOf(event); !function.empty()) {
    json["function"] = function;
  }
  if (const trace::Place* place = names.PlaceOf(event)) {
    json["place"] = trace::PlaceText(*place);
  }
  return json;
}

Status PutOut(std::string_view text) {
  if (!PrintAsIs(stdout, text) || !Flush(stdout)) {
    return SystemError(errno, "cannot write to standard output");
  }
  return {};
}

}  // namespace fairlead::cli
