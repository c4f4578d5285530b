#include "lin/history_file.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "lin/edn.h"

namespace fairlead::lin {
namespace {

constexpr std::string_view kBlank = " \t\r\n\f,";

std::string_view WithoutColon(std::string_view word) {
  return word.starts_with(':') ? word.substr(1) : word;
}

std::optional<EventType> TypeOf(std::string_view word) {
  word = WithoutColon(word);
  if (word == "invoke") return EventType::kInvoke;
  if (word == "ok") return EventType::kOk;
  if (word == "fail") return EventType::kFail;
  if (word == "info") return EventType::kInfo;
  return std::nullopt;
}

Error Wrong(size_t line, std::string_view what) {
  return Error(ErrorCode::kMalformed).Say("line {}: {}", line, what);
}

// Jepsen's own process, which breaks things and calls nothing.
constexpr std::string_view kNemesis = "nemesis";

// Whose event it is; none: it is no client's.
Result<std::optional<std::string>> ProcessOf(const Json& map, size_t line) {
  const auto process = map.find("process");
  if (process == map.end()) return Wrong(line, "an event without a process");
  if (process->is_null()) return std::optional<std::string>();
  if (!process->is_number() && !process->is_string()) {
    return Wrong(line, "a process should be a number or a name");
  }
  const std::string whole =
      process->is_string() ? process->get<std::string>() : process->dump();
  const std::string_view name = WithoutColon(whole);
  if (name == kNemesis) return std::optional<std::string>();
  if (name.empty()) return Wrong(line, "a process without a name");
  return std::optional(std::string(name));
}

// JSON's numbers are read as floating-point numbers where they have a fraction
// or are too large, and then different ones may be the same.
bool IsInexact(const Json& value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (value.is_number_float()) return std::abs(value.get<double>()) >= kExact;
  return value.is_structured() && std::ranges::any_of(value, IsInexact);
}

// One event from a map; none: of nobody who calls operations.
Result<std::optional<Event>> EventOf(const Json& map, size_t line) {
  if (!map.is_object()) {
    return Wrong(line, "an event should be a map ({:process …, :type …})");
  }
  Result<std::optional<std::string>> process = ProcessOf(map, line);
  if (!process) return process.error();
  if (!process->has_value()) return std::optional<Event>();
  const auto type = map.find("type");
  const std::optional<EventType> known = type != map.end() && type->is_string()
                                             ? TypeOf(type->get<std::string>())
                                             : std::nullopt;
  if (!known) {
    return Wrong(line, "an event's type should be invoke, ok, fail or info");
  }
  const auto call = map.find("f");
  if (call == map.end() || !call->is_string()) {
    return Wrong(line, "an event without f, the operation's name");
  }
  Event event{.process = *std::move(*process),
              .type = *known,
              .call = std::string(WithoutColon(call->get<std::string>())),
              .value = map.value("value", Json()),
              .line = line};
  if (const auto key = map.find("key"); key != map.end() && !key->is_null()) {
    event.key = *key;
  }
  if (IsInexact(event.value) || (event.key && IsInexact(*event.key))) {
    return Wrong(line,
                 "a number that is too large to be compared exactly; write it "
                 "as a string");
  }
  event.has_error = map.contains("error");
  return std::optional(std::move(event));
}

Status Keep(const Json& map, size_t line, EventFile& file) {
  Result<std::optional<Event>> event = EventOf(map, line);
  if (!event) return event.error();
  if (event->has_value()) file.events.push_back(std::move(**event));
  return {};
}

Result<EventFile> ReadEdn(std::string_view text) {
  EdnReader reader(text);
  EventFile file;
  for (;;) {
    const Result<std::optional<Json>> form = reader.Next();
    if (!form) return form.error();
    if (!form->has_value()) return file;
    if (Status kept = Keep(**form, reader.line(), file); !kept) {
      return kept.error();
    }
  }
}

Result<EventFile> ReadJson(std::string_view text) {
  EventFile file;
  if (text[text.find_first_not_of(kBlank)] == '[') {
    const Result<Json> all = ParseJson(text);
    if (!all) return all.error();
    size_t number = 0;
    for (const Json& map : *all) {
      if (Status kept = Keep(map, ++number, file); !kept) return kept.error();
    }
    return file;
  }
  size_t line = 0;
  for (const std::string_view row : Split(text, '\n')) {
    ++line;
    if (Trim(row).empty()) continue;
    const Result<Json> map = ParseJson(row);
    if (!map) return map.error().In(fmt::format("line {}", line));
    if (Status kept = Keep(*map, line, file); !kept) return kept.error();
  }
  return file;
}

// A line of a log: …  PROCESS  :TYPE  :F  VALUE. None: another line.
Result<std::optional<Event>> ReadLogLine(std::string_view row, size_t line) {
  const std::vector<std::string_view> words = Words(row);
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const std::optional<EventType> type = TypeOf(words[i]);
    if (!type || !words[i].starts_with(':')) continue;
    const std::string_view process = WithoutColon(words[i - 1]);
    if (process == kNemesis) return std::optional<Event>();
    Event event{.process = std::string(process),
                .type = *type,
                .call = std::string(WithoutColon(words[i + 1])),
                .line = line};
    const char* const rest = words[i + 1].data() + words[i + 1].size();
    // A vector is the value, not what is around several.
    const std::string_view value =
        Trim(std::string_view(rest, static_cast<size_t>(row.end() - rest)));
    if (value.empty()) return std::optional(std::move(event));
    const std::string wrapped = fmt::format("({}\n)", value);
    EdnReader forms{wrapped};
    const Result<std::optional<Json>> form = forms.Next();
    if (!form) return Wrong(line, form.error().sentence());
    if (form->has_value()) event.value = **form;
    return std::optional(std::move(event));
  }
  return std::optional<Event>();
}

Result<EventFile> ReadLog(std::string_view text) {
  EventFile file{.events = {}, .is_log = true};
  size_t line = 0;
  for (const std::string_view row : Split(text, '\n')) {
    Result<std::optional<Event>> event = ReadLogLine(row, ++line);
    if (!event) return event.error();
    if (event->has_value()) file.events.push_back(std::move(**event));
  }
  return file;
}

// By how it begins.
Result<EventFile> ReadAny(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  const char begin = text[first];
  if (std::string_view("[({#;").find(begin) == std::string_view::npos) {
    return ReadLog(text);
  }
  // JSON and EDN differ in what a map begins with.
  const size_t brace = text.find('{', first);
  const size_t inside = brace == std::string_view::npos
                            ? brace
                            : text.find_first_not_of(kBlank, brace + 1);
  const bool is_json = begin != '#' && begin != ';' && begin != '(' &&
                       inside != std::string_view::npos && text[inside] == '"';
  return is_json ? ReadJson(text) : ReadEdn(text);
}

}  // namespace

Result<EventFile> ParseEventsUntrusted(std::string_view text) {
  if (text.find_first_not_of(kBlank) == std::string_view::npos) {
    return Error(ErrorCode::kMalformed).Say("the file is empty");
  }
  Result<EventFile> file = ReadAny(text);
  if (file && file->events.empty()) {
    return Error(ErrorCode::kMalformed)
        .Say("no event of a history in it")
        .Hint(
            "histories are EDN maps, JSON objects or lines of Jepsen's log: "
            "process, type (invoke, ok, fail, info), f, value");
  }
  return file;
}

}  // namespace fairlead::lin
