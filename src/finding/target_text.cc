// The text form of targets; the grammar is in docs/design/target.md.

#include "base/text.h"
#include "finding/target.h"
#include "finding/target_words.h"
#include "trace/line_parser.h"
#include "trace/names_text.h"

namespace fairlead::finding {
namespace {

using trace::LineParser;

constexpr std::string_view kHeader = "fairlead target";

std::string StepLine(const TargetStep& step, size_t number) {
  std::string line = fmt::format("step {} {}: {}", number, Escape(step.thread),
                                 WordOf(step.operation));
  if (!step.object.empty()) line += " " + Escape(step.object);
  if (step.anchor != 0) line += fmt::format(" anchor={:#x}", step.anchor);
  if (step.context != 0) line += fmt::format(" context={:#x}", step.context);
  if (!step.unit.empty()) line += " unit=" + Escape(step.unit);
  if (step.unit_context != 0) {
    line += fmt::format(" unit-context={:#x}", step.unit_context);
  }
  if (step.occurrence != kAnyOccurrence) {
    line += " occurrence=" + OccurrenceWord(step.occurrence);
  }
  if (step.value != ValueIs::kAny) {
    line += fmt::format(" value={}", WordOf(step.value));
  }
  if (step.phase == Phase::kArrive) line += " phase=arrive";
  if (step.hold_at != 0) line += fmt::format(" hold-at={:#x}", step.hold_at);
  if (!step.place.file.empty()) line += " @" + trace::PlaceText(step.place);
  return line + "\n";
}

std::string EdgeLine(const TargetEdge& edge) {
  std::string line =
      fmt::format("{} {} -> {}", edge.precondition ? "need" : "edge",
                  edge.before + 1, edge.after + 1);
  if (edge.adjacency != Adjacency::kNone) {
    line += " adjacent=" + AdjacencyWord(edge);
  }
  for (size_t i = 0; i < edge.opens.size(); ++i) {
    line += (i == 0 ? " opens=" : ",") + Escape(edge.opens[i]);
  }
  if (edge.strength == Strength::kSoft) line += " soft";
  return line + "\n";
}

class TargetParser {
 public:
  Status Line(std::string_view text, size_t number) {
    LineParser line(text, number);
    if (line.AtEnd()) return {};
    if (!header_) return Header(line);
    const std::string_view word = line.Take();
    if (word == "kind:") return KindLine(line);
    if (word == "object") return Object(line);
    if (word == "step") return Step(line);
    if (word == "edge") return Edge(line, false);
    if (word == "need") return Edge(line, true);
    if (word == "success") return SuccessLine(line);
    return line.Wrong("no line of a target begins with '{}'", word);
  }

  Result<Target> Finish() {
    if (!header_) {
      return Error(ErrorCode::kMalformed)
          .Say("no target: it begins with '{} {}'", kHeader, kTargetVersion);
    }
    if (Status status = CheckTarget(target_); !status) return status.error();
    return std::move(target_);
  }

 private:
  Status Header(LineParser& line) {
    for (const std::string_view word : Words(kHeader)) {
      if (Status status = line.Expect(word); !status) return status;
    }
    const Result<uint64_t> version = line.Number("a version");
    if (!version) return version.error();
    if (*version > kTargetVersion) {
      return Error(ErrorCode::kTooNew)
          .Say("the target uses format {}; this build reads up to {}", *version,
               kTargetVersion);
    }
    header_ = true;
    return line.End();
  }

  Status KindLine(LineParser& line) {
    Result<std::string> kind = line.Escaped("a kind");
    if (!kind) return kind.error();
    target_.kind = *std::move(kind);
    return line.End();
  }

  Status Object(LineParser& line) {
    ObjectRole object;
    Result<std::string> name = line.Escaped("a name");
    if (!name) return name.error();
    object.name = *std::move(name);
    if (!line.AtEnd()) {
      const std::string_view word = line.Take();
      const std::optional<Relation> relation = FindRelation(word);
      if (!relation) return line.Wrong("no relation of objects: '{}'", word);
      object.relation = *relation;
    }
    if (!line.AtEnd()) {
      Result<std::string> other = line.Escaped("an object");
      if (!other) return other.error();
      object.other = *std::move(other);
    }
    target_.objects.push_back(std::move(object));
    return line.End();
  }

  Status Step(LineParser& line) {
    const Result<uint64_t> number = line.Number("the number of the step");
    if (!number) return number.error();
    if (*number != target_.steps.size() + 1 || *number > kMaxSteps) {
      return line.Wrong("step {} where {} would be next, of at most {}",
                        *number, target_.steps.size() + 1, kMaxSteps);
    }
    TargetStep step;
    const Result<std::string_view> thread = line.Word("a thread");
    if (!thread) return thread.error();
    std::optional<std::string> role;
    if (thread->ends_with(':')) {
      role = Unescape(thread->substr(0, thread->size() - 1));
    }
    if (!role || role->empty()) {
      return line.Wrong("'{}' is no role of a thread with a colon", *thread);
    }
    step.thread = *std::move(role);
    const Result<std::string_view> word = line.Word("an operation");
    if (!word) return word.error();
    const std::optional<Operation> operation = FindOperation(*word);
    if (!operation) return line.Wrong("no operation: '{}'", *word);
    step.operation = *operation;
    while (!line.AtEnd()) {
      const std::string_view next = line.Take();
      if (!StepWord(next, step)) {
        return line.Wrong("'{}' means nothing in a step", next);
      }
    }
    target_.steps.push_back(std::move(step));
    return {};
  }

  static bool StepWord(std::string_view word, TargetStep& step) {
    if (word.starts_with('@')) {
      const auto place = trace::ParsePlaceUntrusted(word.substr(1));
      if (place) step.place = *place;
      return place.has_value();
    }
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      const std::optional<std::string> object = Unescape(word);
      if (!object || object->empty() || !step.object.empty()) return false;
      step.object = *object;
      return true;
    }
    return StepKey(word.substr(0, equals), word.substr(equals + 1), step);
  }

  static bool StepKey(std::string_view key, std::string_view value,
                      TargetStep& step) {
    if (key == "unit") {
      const std::optional<std::string> unit = Unescape(value);
      if (unit) step.unit = *unit;
      return unit && !unit->empty();
    }
    if (key == "occurrence") {
      const std::optional<uint32_t> occurrence = FindOccurrence(value);
      if (occurrence) step.occurrence = *occurrence;
      return occurrence.has_value();
    }
    if (key == "value") {
      const std::optional<ValueIs> is = FindValueIs(value);
      if (is) step.value = *is;
      return is.has_value();
    }
    if (key == "phase") {
      step.phase = value == "arrive" ? Phase::kArrive : Phase::kComplete;
      return value == "arrive" || value == "complete";
    }
    const std::optional<uint64_t> number = ParseNumber(value);
    if (!number) return false;
    if (key == "anchor") {
      step.anchor = *number;
    } else if (key == "context") {
      step.context = *number;
    } else if (key == "unit-context") {
      step.unit_context = *number;
    } else if (key == "hold-at") {
      step.hold_at = *number;
    } else {
      return false;
    }
    return true;
  }

  Status Edge(LineParser& line, bool precondition) {
    TargetEdge edge;
    edge.precondition = precondition;
    for (uint32_t* end : {&edge.before, &edge.after}) {
      if (end == &edge.after) {
        if (Status status = line.Expect("->"); !status) return status;
      }
      const Result<uint64_t> number =
          line.NumberBelow(kMaxSteps + 1, "the number of a step");
      if (!number) return number.error();
      if (*number == 0) return line.Wrong("steps count from 1");
      *end = static_cast<uint32_t>(*number - 1);
    }
    while (!line.AtEnd()) {
      const std::string_view word = line.Take();
      if (!EdgeWord(word, edge)) {
        return line.Wrong("'{}' means nothing in an edge", word);
      }
    }
    target_.edges.push_back(std::move(edge));
    return {};
  }

  static bool EdgeWord(std::string_view word, TargetEdge& edge) {
    if (word == "soft") {
      edge.strength = Strength::kSoft;
      return true;
    }
    constexpr std::string_view kAdjacent = "adjacent=";
    if (word.starts_with(kAdjacent)) {
      return ParseAdjacency(word.substr(kAdjacent.size()), edge);
    }
    constexpr std::string_view kOpens = "opens=";
    if (!word.starts_with(kOpens)) return false;
    for (const std::string_view part : Split(word.substr(kOpens.size()), ',')) {
      const std::optional<std::string> lock = Unescape(part);
      if (!lock || lock->empty()) return false;
      edge.opens.push_back(*lock);
    }
    return true;
  }

  Status SuccessLine(LineParser& line) {
    const Result<std::string_view> word = line.Word("when it is realised");
    if (!word) return word.error();
    const std::optional<Success> success = FindSuccess(*word);
    if (!success) return line.Wrong("no success: '{}'", *word);
    target_.success = *success;
    return line.End();
  }

  bool header_ = false;
  Target target_;
};

}  // namespace

std::string PrintTarget(const Target& target) {
  std::string text = fmt::format("{} {}\n", kHeader, kTargetVersion);
  if (!target.kind.empty()) text += "kind: " + Escape(target.kind) + "\n";
  for (const ObjectRole& object : target.objects) {
    text += "object " + Escape(object.name);
    if (object.relation != Relation::kItself) {
      text += fmt::format(" {}", WordOf(object.relation));
    }
    if (!object.other.empty()) text += " " + Escape(object.other);
    text += "\n";
  }
  for (size_t i = 0; i < target.steps.size(); ++i) {
    text += StepLine(target.steps[i], i + 1);
  }
  for (const TargetEdge& edge : target.edges) text += EdgeLine(edge);
  return text + fmt::format("success {}\n", WordOf(target.success));
}

Result<Target> ParseTargetUntrusted(std::string_view text) {
  TargetParser parser;
  size_t number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    if (Status status = parser.Line(line, ++number); !status) {
      return status.error();
    }
  }
  return parser.Finish();
}

}  // namespace fairlead::finding
