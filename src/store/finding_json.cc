#include "store/finding_json.h"

#include <charconv>

#include "base/text.h"
#include "trace/text.h"

namespace fairlead::store {
namespace {

using finding::ThreadState;
using finding::Where;

std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

uint64_t NumberAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<uint64_t>() : 0;
}

bool FlagAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

uint64_t HexAt(const Json& json, const char* key) {
  return ParseNumber(TextAt(json, key)).value_or(0);
}

Json ThreadJson(const ThreadState& state) {
  return {{"thread", state.thread},
          {"doing", state.doing},
          {"at_fault", state.at_fault},
          {"frames", SitesJson(state.frames)}};
}

ThreadState ThreadFrom(const Json& json) {
  ThreadState state = {.thread = TextAt(json, "thread"),
                       .doing = TextAt(json, "doing"),
                       .at_fault = FlagAt(json, "at_fault")};
  if (json.contains("frames"))
    state.frames = SitesFromUntrusted(json["frames"]);
  return state;
}

// Strings must be UTF-8 in JSON; a program may print anything.
std::string Printable(std::string_view text) { return Escape(text); }
std::string FromPrintable(const std::string& text) {
  return Unescape(text).value_or(text);
}

Json AimJson(const finding::Aim& aim) {
  return {{"target", finding::TargetJson(aim.target)},
          {"sentence", Printable(aim.sentence)},
          {"prediction", fmt::format("{:#x}", aim.prediction)},
          {"attempts", aim.attempts},
          {"tried", aim.tried}};
}

Json DecidingJson(const std::vector<finding::Deciding>& deciding) {
  Json json = Json::array();
  for (const finding::Deciding& each : deciding) {
    json.push_back({{"step", each.step},
                    {"conflicts", each.conflicts},
                    {"no_return", each.no_return},
                    {"held", Printable(each.held)},
                    {"called", Printable(each.called)}});
  }
  return json;
}

std::vector<finding::Deciding> DecidingFrom(const Json& json) {
  std::vector<finding::Deciding> deciding;
  if (!json.is_array()) return deciding;
  for (const Json& entry : json) {
    if (!entry.is_object()) continue;
    deciding.push_back({.step = NumberAt(entry, "step"),
                        .conflicts = FlagAt(entry, "conflicts"),
                        .no_return = FlagAt(entry, "no_return"),
                        .held = FromPrintable(TextAt(entry, "held")),
                        .called = FromPrintable(TextAt(entry, "called"))});
  }
  return deciding;
}

// None where the target makes no sense.
std::optional<finding::Aim> AimFrom(const Json& json) {
  if (!json.is_object() || !json.contains("target")) return {};
  Result<finding::Target> target =
      finding::TargetFromJsonUntrusted(json["target"]);
  if (!target) return {};
  finding::Aim aim = {.target = *std::move(target),
                      .sentence = FromPrintable(TextAt(json, "sentence")),
                      .prediction = HexAt(json, "prediction"),
                      .attempts = NumberAt(json, "attempts")};
  if (const auto tried = json.find("tried");
      tried != json.end() && tried->is_array()) {
    for (const Json& line : *tried) {
      if (line.is_string()) aim.tried.push_back(line);
    }
  }
  return aim;
}

}  // namespace

Json SitesJson(const std::vector<Where>& sites) {
  Json json = Json::array();
  for (const Where& site : sites) {
    json.push_back({{"function", site.function},
                    {"file", site.place.file},
                    {"line", site.place.line},
                    {"column", site.place.column},
                    {"anchor", fmt::format("{:#x}", site.anchor)}});
  }
  return json;
}

std::vector<Where> SitesFromUntrusted(const Json& json) {
  std::vector<Where> sites;
  if (!json.is_array()) return sites;
  for (const Json& entry : json) {
    if (!entry.is_object()) continue;
    sites.push_back(
        {.function = TextAt(entry, "function"),
         .place = {.file = TextAt(entry, "file"),
                   .line = static_cast<uint32_t>(NumberAt(entry, "line")),
                   .column = static_cast<uint32_t>(NumberAt(entry, "column"))},
         .anchor = HexAt(entry, "anchor")});
  }
  return sites;
}

Json WitnessJson(const finding::Witness& witness) {
  Json threads = Json::array();
  for (const ThreadState& state : witness.threads) {
    threads.push_back(ThreadJson(state));
  }
  Json sources = Json::array();
  for (const auto& [file, lines] : witness.sources) {
    for (const auto& [line, text] : lines) {
      sources.push_back(
          {{"file", file}, {"line", line}, {"text", Printable(text)}});
    }
  }
  Json json = {{"slice", trace::PrintTrace(witness.slice)},
               {"explanation", Printable(witness.explanation)},
               {"deciding", DecidingJson(witness.deciding)},
               {"threads", threads},
               {"sources", sources},
               {"output", Printable(witness.output)},
               {"error", Printable(witness.error)}};
  if (witness.aim) json["aim"] = AimJson(*witness.aim);
  return json;
}

Result<finding::Witness> WitnessFromUntrusted(const Json& json) {
  finding::Witness witness;
  Result<trace::Trace> slice =
      trace::ParseTraceUntrusted(TextAt(json, "slice"));
  if (!slice) return slice.error();
  witness.slice = *std::move(slice);
  witness.output = FromPrintable(TextAt(json, "output"));
  witness.error = FromPrintable(TextAt(json, "error"));
  witness.explanation = FromPrintable(TextAt(json, "explanation"));
  if (const auto deciding = json.find("deciding"); deciding != json.end()) {
    witness.deciding = DecidingFrom(*deciding);
  }
  if (const auto threads = json.find("threads");
      threads != json.end() && threads->is_array()) {
    for (const Json& entry : *threads) {
      if (entry.is_object()) witness.threads.push_back(ThreadFrom(entry));
    }
  }
  if (const auto sources = json.find("sources");
      sources != json.end() && sources->is_array()) {
    for (const Json& entry : *sources) {
      if (!entry.is_object()) continue;
      const auto line = static_cast<uint32_t>(NumberAt(entry, "line"));
      witness.sources[TextAt(entry, "file")][line] =
          FromPrintable(TextAt(entry, "text"));
    }
  }
  if (const auto aim = json.find("aim"); aim != json.end()) {
    witness.aim = AimFrom(*aim);
  }
  return witness;
}

std::vector<uint64_t> SiteIdsFromUntrusted(const std::string& text) {
  std::vector<uint64_t> ids;
  for (const std::string_view line : Split(text, '\n')) {
    uint64_t id = 0;
    const auto [end, error] =
        std::from_chars(line.data(), line.data() + line.size(), id, 16);
    if (error == std::errc() && end != line.data()) ids.push_back(id);
  }
  return ids;
}

}  // namespace fairlead::store
