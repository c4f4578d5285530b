#include "base/text.h"
#include "finding/target.h"
#include "finding/target_words.h"
#include "trace/names_text.h"

namespace fairlead::finding {
namespace {

std::string Hex(uint64_t number) { return fmt::format("{:#x}", number); }

Json StepJson(const TargetStep& step) {
  Json json = {{"thread", step.thread}, {"operation", WordOf(step.operation)}};
  if (!step.object.empty()) json["object"] = step.object;
  if (step.anchor != 0) json["anchor"] = Hex(step.anchor);
  if (step.context != 0) json["context"] = Hex(step.context);
  if (!step.unit.empty()) json["unit"] = step.unit;
  if (step.unit_context != 0) json["unit_context"] = Hex(step.unit_context);
  if (step.occurrence != kAnyOccurrence) json["occurrence"] = step.occurrence;
  if (step.value != ValueIs::kAny) json["value"] = WordOf(step.value);
  if (step.phase == Phase::kArrive) json["phase"] = "arrive";
  if (step.hold_at != 0) json["hold_at"] = Hex(step.hold_at);
  if (!step.place.file.empty()) json["place"] = trace::PlaceText(step.place);
  return json;
}

Json EdgeJson(const TargetEdge& edge) {
  Json json = {{"before", edge.before + 1}, {"after", edge.after + 1}};
  if (edge.adjacency != Adjacency::kNone) {
    json["adjacent"] = AdjacencyWord(edge);
  }
  if (!edge.opens.empty()) json["opens"] = edge.opens;
  if (edge.strength == Strength::kSoft) json["soft"] = true;
  if (edge.precondition) json["precondition"] = true;
  return json;
}

Error Wrong(std::string_view what) {
  return Error(ErrorCode::kMalformed).Say("no target in JSON: {}", what);
}

// A text member; "" when it is not there or not text.
std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return "";
  return found->get<std::string>();
}

bool FlagAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

// A number, or text that says one; none when there is something else.
std::optional<uint64_t> NumberAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return 0;
  if (found->is_number_unsigned()) return found->get<uint64_t>();
  if (found->is_string()) return ParseNumber(found->get<std::string>());
  return {};
}

bool ReadStep(const Json& json, TargetStep& step) {
  if (!json.is_object()) return false;
  step.thread = TextAt(json, "thread");
  step.object = TextAt(json, "object");
  step.unit = TextAt(json, "unit");
  const auto operation = FindOperation(TextAt(json, "operation"));
  const auto anchor = NumberAt(json, "anchor");
  const auto context = NumberAt(json, "context");
  const auto unit_context = NumberAt(json, "unit_context");
  const auto hold_at = NumberAt(json, "hold_at");
  const auto occurrence = NumberAt(json, "occurrence");
  if (!operation || !anchor || !context || !unit_context || !hold_at ||
      !occurrence || *occurrence >> 32 != 0) {
    return false;
  }
  step.operation = *operation;
  step.anchor = *anchor;
  step.context = *context;
  step.unit_context = *unit_context;
  step.hold_at = *hold_at;
  step.occurrence = static_cast<uint32_t>(*occurrence);
  if (json.contains("value")) {
    const auto value = FindValueIs(TextAt(json, "value"));
    if (!value) return false;
    step.value = *value;
  }
  if (TextAt(json, "phase") == "arrive") step.phase = Phase::kArrive;
  if (json.contains("place")) {
    const auto place = trace::ParsePlaceUntrusted(TextAt(json, "place"));
    if (!place) return false;
    step.place = *place;
  }
  return true;
}

bool ReadEdge(const Json& json, TargetEdge& edge) {
  if (!json.is_object()) return false;
  const auto before = NumberAt(json, "before");
  const auto after = NumberAt(json, "after");
  if (!before || !after || *before - 1 >= kMaxSteps ||
      *after - 1 >= kMaxSteps) {
    return false;
  }
  edge.before = static_cast<uint32_t>(*before - 1);
  edge.after = static_cast<uint32_t>(*after - 1);
  if (json.contains("adjacent") &&
      !ParseAdjacency(TextAt(json, "adjacent"), edge)) {
    return false;
  }
  if (FlagAt(json, "soft")) edge.strength = Strength::kSoft;
  edge.precondition = FlagAt(json, "precondition");
  if (!json.contains("opens")) return true;
  const Json& opens = json["opens"];
  if (!opens.is_array()) return false;
  for (const Json& lock : opens) {
    if (!lock.is_string()) return false;
    edge.opens.push_back(lock.get<std::string>());
  }
  return true;
}

bool ReadObject(const Json& json, ObjectRole& object) {
  if (!json.is_object()) return false;
  object.name = TextAt(json, "name");
  object.other = TextAt(json, "other");
  const auto relation = FindRelation(TextAt(json, "relation"));
  if (relation) object.relation = *relation;
  return relation.has_value();
}

template <typename T>
bool ReadList(const Json& json, const char* key, std::vector<T>& list,
              bool (*read)(const Json&, T&)) {
  const auto found = json.find(key);
  if (found == json.end()) return true;
  if (!found->is_array()) return false;
  for (const Json& each : *found) {
    if (!read(each, list.emplace_back())) return false;
  }
  return true;
}

}  // namespace

Json TargetJson(const Target& target) {
  Json json = {{"target", kTargetVersion},
               {"identity", Hex(IdentityOf(target))},
               {"kind", target.kind},
               {"objects", Json::array()},
               {"steps", Json::array()},
               {"edges", Json::array()},
               {"success", WordOf(target.success)}};
  for (const ObjectRole& object : target.objects) {
    Json role = {{"name", object.name}};
    if (object.relation != Relation::kItself) {
      role["relation"] = WordOf(object.relation);
    }
    if (!object.other.empty()) role["other"] = object.other;
    json["objects"].push_back(std::move(role));
  }
  for (const TargetStep& step : target.steps) {
    json["steps"].push_back(StepJson(step));
  }
  for (const TargetEdge& edge : target.edges) {
    json["edges"].push_back(EdgeJson(edge));
  }
  return json;
}

Result<Target> TargetFromJsonUntrusted(const Json& json) {
  if (!json.is_object()) return Wrong("it is not an object");
  const auto version = NumberAt(json, "target");
  if (!version || *version == 0) return Wrong("it has no version");
  if (*version > kTargetVersion) {
    return Error(ErrorCode::kTooNew)
        .Say("the target uses format {}; this build reads up to {}", *version,
             kTargetVersion);
  }
  Target target;
  target.kind = TextAt(json, "kind");
  if (!ReadList(json, "objects", target.objects, ReadObject)) {
    return Wrong("an object makes no sense");
  }
  if (!ReadList(json, "steps", target.steps, ReadStep)) {
    return Wrong("a step makes no sense");
  }
  if (!ReadList(json, "edges", target.edges, ReadEdge)) {
    return Wrong("an edge makes no sense");
  }
  const auto success = FindSuccess(TextAt(json, "success"));
  if (!success) return Wrong("it does not say when it is realised");
  target.success = *success;
  if (Status status = CheckTarget(target); !status) return status.error();
  return target;
}

}  // namespace fairlead::finding
