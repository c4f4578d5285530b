#include "lin/histories.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fairlead::lin {
namespace {

Error Wrong(size_t line, std::string what) {
  return Error(ErrorCode::kMalformed).Say("line {}: {}", line, what);
}

// A call under way: what was asked.
struct Asked {
  const Event* event = nullptr;
  uint64_t when = 0;
};

bool IsPair(const Json& value) { return value.is_array() && value.size() == 2; }

// Whether values are pairs of a key and a value, as Jepsen's independent tests
// have them: all are, and some ask for what they do not know.
bool HasKeysInValues(const EventFile& file, const ModelKind& kind) {
  if (kind.parts == ModelKind::Parts::kWhole) return false;
  bool asks = false;
  for (const Event& event : file.events) {
    if (event.key) return false;
    if (event.type != EventType::kInvoke) continue;
    if (!IsPair(event.value)) return false;
    asks |= event.value[1].is_null() || event.value[1].is_array();
  }
  return asks;
}

class Maker {
 public:
  Maker(const EventFile& file, const ModelKind& kind, FailedCas failed_cas,
        ValueTable& values)
      : file_(file),
        kind_(kind),
        failed_cas_(failed_cas),
        values_(values),
        pairs_(HasKeysInValues(file, kind)) {}

  Result<Histories> Run() {
    uint64_t when = 0;
    for (const Event& event : file_.events) {
      if (Status taken = Take(event, ++when); !taken) return taken.error();
    }
    std::vector<Asked> left;
    for (const auto& [process, asked] : under_way_) left.push_back(asked);
    std::ranges::sort(left, {}, &Asked::when);
    for (const Asked& asked : left) {
      if (Status put = Put(asked, nullptr, kNever); !put) return put.error();
    }
    return std::move(made_);
  }

 private:
  Status Take(const Event& event, uint64_t when) {
    const auto at = under_way_.find(event.process);
    if (event.type == EventType::kInvoke) {
      if (at != under_way_.end()) {
        return Wrong(
            event.line,
            fmt::format("process {} begins '{}' while its '{}' of "
                        "line {} is under way",
                        event.process, event.call, at->second.event->call,
                        at->second.event->line));
      }
      under_way_[event.process] = {&event, when};
      return {};
    }
    if (at == under_way_.end()) {
      // Of something that is no operation.
      if (event.type == EventType::kInfo) return {};
      return Wrong(event.line,
                   fmt::format("process {} ends '{}', which it has not begun",
                               event.process, event.call));
    }
    const Asked asked = at->second;
    under_way_.erase(at);
    if (asked.event->call != event.call) {
      return Wrong(event.line,
                   fmt::format("process {} ends '{}', and began '{}'",
                               event.process, event.call, asked.event->call));
    }
    if (event.type == EventType::kInfo) return Put(asked, nullptr, kNever);
    return Put(asked, &event, when);
  }

  // What is about the object, without its key.
  const Json& Bare(const Json& value) const {
    return pairs_ && IsPair(value) ? value[1] : value;
  }
  std::string KeyOf(const Event& event) const {
    const auto text = [](const Json& key) {
      return key.is_string()
                 ? key.get<std::string>()
                 : key.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (event.key) return text(*event.key);
    return pairs_ ? text(event.value[0]) : "";
  }

  bool FailureAnswers(const Event& event) const {
    switch (failed_cas_) {
      case FailedCas::kAnswer:
        return true;
      case FailedCas::kNothing:
        return false;
      case FailedCas::kByForm:
        return file_.is_log && !event.has_error;
    }
    return false;
  }

  // `answer` is null for what was never answered.
  Status Put(const Asked& asked, const Event* answer, uint64_t when) {
    const std::optional<Call> call = CallOf(kind_, asked.event->call);
    if (!call) {
      return Wrong(asked.event->line,
                   fmt::format("model '{}' has no operation '{}'", kind_.name,
                               asked.event->call));
    }
    const bool failed = answer != nullptr && answer->type == EventType::kFail;
    if (failed && (*call != Call::kCas || !FailureAnswers(*answer))) return {};
    Operation operation{.call = *call,
                        .begin = asked.when,
                        .end = when,
                        .number = static_cast<uint32_t>(made_.origins.size())};
    if (Status filled = Fill(*asked.event, answer, operation); !filled) {
      return filled;
    }
    if (failed) operation.result = ValueId::kFalse;
    made_.origins.push_back({.process = asked.event->process,
                             .call = asked.event->call,
                             .begin_line = asked.event->line,
                             .end_line = answer == nullptr ? 0 : answer->line});
    if (answer == nullptr) ++made_.num_pending;
    // What only looks and was never answered says nothing.
    if (answer == nullptr &&
        (*call == Call::kRead || *call == Call::kContains)) {
      return {};
    }
    ObjectOf(KeyOf(*asked.event)).push_back(operation);
    return {};
  }

  Status Fill(const Event& asked, const Event* answer, Operation& operation) {
    const Json& argument = Bare(asked.value);
    operation.result = ValueId::kUnknown;
    switch (operation.call) {
      case Call::kRead:
      case Call::kPop:
        if (answer != nullptr) {
          operation.result = values_.Add(Bare(answer->value));
        }
        return {};
      case Call::kCas:
        if (!IsPair(argument)) {
          return Wrong(asked.line, "cas wants [expected new]");
        }
        operation.argument = values_.Add(argument[0]);
        operation.second = values_.Add(argument[1]);
        if (answer != nullptr) operation.result = YesOrNo(*answer, true);
        return {};
      case Call::kContains:
        operation.argument = values_.Add(argument);
        if (answer == nullptr) return {};
        operation.result = YesOrNo(*answer, std::nullopt);
        if (operation.result == ValueId::kUnknown) {
          return Wrong(answer->line, "contains is answered by true or false");
        }
        return {};
      case Call::kAdd:
      case Call::kRemove:
      case Call::kAcquire:
        operation.argument = values_.Add(argument);
        if (answer != nullptr)
          operation.result = YesOrNo(*answer, std::nullopt);
        return {};
      case Call::kIncrease:
        operation.argument = values_.Add(Amount(asked.call, argument));
        return {};
      case Call::kAppend:
        if (!argument.is_string()) {
          return Wrong(asked.line, "append wants a string");
        }
        operation.argument = values_.Add(argument);
        return {};
      case Call::kWrite:
      case Call::kDelete:
      case Call::kPush:
      case Call::kRelease:
        operation.argument = values_.Add(argument);
        return {};
    }
    return {};
  }

  static Json Amount(const std::string& call, const Json& argument) {
    const bool down = call.starts_with("dec") || call.starts_with("sub");
    const int64_t by =
        argument.is_number_integer() ? argument.get<int64_t>() : 1;
    return down ? Json(-by) : Json(by);
  }

  // The truth value that an answer has, by itself or behind what was asked.
  ValueId YesOrNo(const Event& answer, std::optional<bool> otherwise) const {
    const Json* value = &Bare(answer.value);
    if (IsPair(*value) && (*value)[1].is_boolean()) value = &(*value)[1];
    if (value->is_boolean()) otherwise = value->get<bool>();
    if (!otherwise) return ValueId::kUnknown;
    return *otherwise ? ValueId::kTrue : ValueId::kFalse;
  }

  History& ObjectOf(const std::string& key) {
    const auto [at, is_new] = objects_.try_emplace(key, made_.objects.size());
    if (is_new) made_.objects.push_back({.key = key, .operations = {}});
    return made_.objects[at->second].operations;
  }

  const EventFile& file_;
  const ModelKind& kind_;
  const FailedCas failed_cas_;
  ValueTable& values_;
  const bool pairs_;
  std::map<std::string, Asked, std::less<>> under_way_;  // by process
  std::unordered_map<std::string, size_t> objects_;
  Histories made_;
};

// Elements of a set are objects of their own unless all of it is read.
void SplitByElement(Histories& histories, const ValueTable& values) {
  std::vector<ObjectHistory> split;
  for (ObjectHistory& object : histories.objects) {
    const bool reads = std::ranges::any_of(
        object.operations,
        [](const Operation& each) { return each.call == Call::kRead; });
    if (reads) {
      split.push_back(std::move(object));
      continue;
    }
    std::map<ValueId, size_t> at;
    for (const Operation& each : object.operations) {
      const auto [place, is_new] = at.try_emplace(each.argument, split.size());
      if (is_new) {
        split.push_back({.key = object.key + (object.key.empty() ? "" : " ") +
                                values.TextOf(each.argument),
                         .operations = {}});
      }
      split[place->second].operations.push_back(each);
    }
  }
  histories.objects = std::move(split);
}

}  // namespace

Result<Histories> MakeHistories(const EventFile& file, const ModelKind& kind,
                                const HistoryOptions& options,
                                ValueTable& values) {
  Result<Histories> made = Maker(file, kind, options.failed_cas, values).Run();
  if (made && kind.parts == ModelKind::Parts::kByElement) {
    SplitByElement(*made, values);
  }
  return made;
}

}  // namespace fairlead::lin
