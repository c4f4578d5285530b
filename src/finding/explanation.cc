#include "finding/explanation.h"

#include <fmt/format.h>

#include "base/text.h"
#include "trace/place.h"

namespace fairlead::finding {
namespace {

constexpr std::string_view kOperationVerbs[] = {
    "reads",   "writes", "updates",  "locks",    "unlocks",
    "frees",   "closes", "destroys", "waits on", "signals",
    "creates", "joins",  "cancels",  "calls"};

std::string VerbOf(Operation operation) {
  const auto index = static_cast<size_t>(operation);
  return std::string(index < std::size(kOperationVerbs) ? kOperationVerbs[index]
                                                        : WordOf(operation));
}

std::string PlaceOfStep(const Ordering& ordering, size_t step) {
  const TargetStep& target = ordering.target.steps[step];
  std::string text;
  if (!target.place.file.empty()) {
    text = fmt::format("{}:{}", target.place.file, target.place.line);
  }
  const std::string& function = ordering.names[step].function;
  if (!function.empty()) {
    text += text.empty() ? function : fmt::format(" ({})", function);
  }
  return text.empty() ? "an unknown place" : text;
}

// "main/1 (Consume)"; main is main.
std::string ThreadText(const std::string& role, const std::string& start) {
  const bool known = start.empty() || start == role;
  return known ? role : fmt::format("{} ({})", role, start);
}

std::string StepText(const Ordering& ordering, size_t step) {
  const TargetStep& target = ordering.target.steps[step];
  const StepName& name = ordering.names[step];
  std::string text =
      fmt::format("thread {} {}", ThreadText(target.thread, name.thread),
                  VerbOf(target.operation));
  if (!name.object.empty()) text += " " + name.object;
  text += " at " + PlaceOfStep(ordering, step);
  if (name.passes > 1 && target.occurrence != kAnyOccurrence) {
    text += fmt::format(", pass {} of {}", name.pass, name.passes);
  }
  return text;
}

std::string CountText(const Count& count) {
  if (!count.possible) return "not possible";
  if (count.tried == 0) return "not tried";
  return fmt::format("{} of {} fail", count.failed, count.tried);
}

std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

uint64_t NumberAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned()
             ? found->get<uint64_t>()
             : 0;
}

Json AnchorsJson(const std::vector<uint64_t>& anchors) {
  Json json = Json::array();
  for (const uint64_t anchor : anchors) {
    json.push_back(fmt::format("{:#x}", anchor));
  }
  return json;
}

std::vector<uint64_t> AnchorsAt(const Json& json, const char* key) {
  std::vector<uint64_t> anchors;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return anchors;
  for (const Json& entry : *found) {
    if (!entry.is_string()) continue;
    anchors.push_back(ParseNumber(entry.get<std::string>()).value_or(0));
  }
  return anchors;
}

Json NameJson(const StepName& name) {
  return {{"function", name.function},
          {"line", name.line},
          {"kind", name.kind},
          {"field", name.field},
          {"object", name.object},
          {"thread", name.thread},
          {"calls", name.calls},
          {"same_field", AnchorsJson(name.same_field)},
          {"same_kind", AnchorsJson(name.same_kind)},
          {"pass", name.pass},
          {"passes", name.passes}};
}

StepName NameFrom(const Json& json) {
  return {.function = TextAt(json, "function"),
          .line = TextAt(json, "line"),
          .kind = TextAt(json, "kind"),
          .field = TextAt(json, "field"),
          .object = TextAt(json, "object"),
          .thread = TextAt(json, "thread"),
          .calls = TextAt(json, "calls"),
          .same_field = AnchorsAt(json, "same_field"),
          .same_kind = AnchorsAt(json, "same_kind"),
          .pass = static_cast<uint32_t>(NumberAt(json, "pass")),
          .passes = static_cast<uint32_t>(NumberAt(json, "passes"))};
}

Json Part(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? Json() : *found;
}

Error Wrong(std::string_view what) {
  return Error(ErrorCode::kMalformed).Say("ordering: {}", what);
}

}  // namespace

std::string SizeText(const ScheduleSize& size) {
  return fmt::format("{} and {}", Counted(size.preemptions, "preemption"),
                     size.switches == 1
                         ? "1 switch"
                         : fmt::format("{} switches", Grouped(size.switches)));
}

std::string PairText(const Ordering& ordering, StepPair pair) {
  return fmt::format("{} before {}", StepText(ordering, pair.before),
                     StepText(ordering, pair.after));
}

std::string EdgeText(const Ordering& ordering, size_t edge) {
  const TargetEdge& of = ordering.target.edges[edge];
  return PairText(ordering, {of.before, of.after});
}

std::vector<std::string> OrderingLines(const Ordering& ordering) {
  std::vector<std::string> lines;
  const size_t number = ordering.target.edges.size();
  if (number == 0) return lines;
  const std::string_view claim =
      !ordering.sufficient() ? "these make it fail more often, but not always"
      : number == 1          ? "this order is enough to make it fail"
                             : "these orders are enough to make it fail";
  lines.push_back(
      fmt::format("{}; forced alone: {}; the same seeds without: {}", claim,
                  CountText(ordering.all), CountText(ordering.none)));
  for (size_t i = 0; i < number; ++i) {
    lines.push_back(fmt::format("  {}. {}", i + 1, EdgeText(ordering, i)));
    if (i >= ordering.edges.size()) continue;
    lines.push_back(fmt::format("     released: {}; reversed: {}",
                                CountText(ordering.edges[i].released),
                                CountText(ordering.edges[i].reversed)));
  }
  return lines;
}

Json SizeJson(const ScheduleSize& size) {
  return {{"preemptions", size.preemptions},
          {"switches", size.switches},
          {"threads", size.threads},
          {"steps", size.steps}};
}

ScheduleSize SizeFromUntrusted(const Json& json) {
  if (!json.is_object()) return {};
  return {.preemptions = NumberAt(json, "preemptions"),
          .switches = NumberAt(json, "switches"),
          .threads = NumberAt(json, "threads"),
          .steps = NumberAt(json, "steps")};
}

Json CountJson(const Count& count) {
  return {{"failed", count.failed},
          {"tried", count.tried},
          {"possible", count.possible}};
}

Count CountFromUntrusted(const Json& json) {
  if (!json.is_object()) return {};
  const Json possible = Part(json, "possible");
  return {.failed = NumberAt(json, "failed"),
          .tried = NumberAt(json, "tried"),
          .possible = !possible.is_boolean() || possible.get<bool>()};
}

Json OrderingJson(const Ordering& ordering) {
  Json steps = Json::array();
  for (const StepName& name : ordering.names) steps.push_back(NameJson(name));
  Json edges = Json::array();
  for (const EdgeEvidence& edge : ordering.edges) {
    edges.push_back({{"released", CountJson(edge.released)},
                     {"reversed", CountJson(edge.reversed)}});
  }
  Json common = Json::array();
  for (const StepPair& pair : ordering.common) {
    common.push_back({{"before", pair.before + 1},
                      {"after", pair.after + 1},
                      {"needed", pair.needed}});
  }
  return {{"target", TargetJson(ordering.target)},
          {"steps", steps},
          {"forced", CountJson(ordering.all)},
          {"control", CountJson(ordering.none)},
          {"edges", edges},
          {"common", common}};
}

Result<Ordering> OrderingFromJsonUntrusted(const Json& json) {
  if (!json.is_object()) return Wrong("it is no object");
  Result<Target> target = TargetFromJsonUntrusted(Part(json, "target"));
  if (!target) return target.error().In("ordering");
  Ordering ordering = {.target = *std::move(target)};
  const Json steps = Part(json, "steps");
  if (!steps.is_array() || steps.size() != ordering.target.steps.size()) {
    return Wrong("'steps' must name each step of the target");
  }
  for (const Json& step : steps) {
    if (!step.is_object()) return Wrong("a step is no object");
    ordering.names.push_back(NameFrom(step));
  }
  ordering.all = CountFromUntrusted(Part(json, "forced"));
  ordering.none = CountFromUntrusted(Part(json, "control"));
  const Json edges = Part(json, "edges");
  if (edges.is_array()) {
    for (const Json& edge : edges) {
      if (!edge.is_object()) return Wrong("an edge is no object");
      ordering.edges.push_back(
          {.released = CountFromUntrusted(Part(edge, "released")),
           .reversed = CountFromUntrusted(Part(edge, "reversed"))});
    }
  }
  if (ordering.edges.size() > ordering.target.edges.size()) {
    return Wrong("'edges' has more entries than the target");
  }
  const Json common = Part(json, "common");
  constexpr size_t kMostCommon = 256;
  if (common.size() > kMostCommon)
    return Wrong("'common' has too many entries");
  for (const Json& pair : common.is_array() ? common : Json::array()) {
    if (!pair.is_object()) return Wrong("an entry of 'common' is no object");
    const uint64_t before = NumberAt(pair, "before");
    const uint64_t after = NumberAt(pair, "after");
    const uint64_t steps_end = ordering.target.steps.size();
    if (before - 1 >= steps_end || after - 1 >= steps_end) {
      return Wrong("'common' is about a step that is not there");
    }
    ordering.common.push_back({.before = static_cast<uint32_t>(before - 1),
                               .after = static_cast<uint32_t>(after - 1),
                               .needed = Part(pair, "needed") == Json(true)});
  }
  return ordering;
}

}  // namespace fairlead::finding
