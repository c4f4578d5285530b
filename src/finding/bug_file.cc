#include "finding/bug_file.h"

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "finding/fingerprint.h"

namespace fairlead::finding {
namespace {

constexpr const char* kMagic = "fairlead_bug";

template <typename... Args>
Error Wrong(fmt::format_string<Args...> format, Args&&... args) {
  return Error(ErrorCode::kMalformed)
      .Say("no bug file: {}", fmt::format(format, std::forward<Args>(args)...));
}

Json WhereJson(const Where& where) {
  return {{"function", where.function},
          {"file", where.place.file},
          {"line", where.place.line},
          {"column", where.place.column},
          {"anchor", fmt::format("{:#x}", where.anchor)}};
}

// Fields of an object; the first that is wrong is kept.
class Reader {
 public:
  Reader(const Json& json, std::string name)
      : json_(json), name_(std::move(name)) {
    if (!json_.is_object()) Refuse("is no object");
  }

  std::string Text(const char* key) {
    const Json* value = Find(key);
    if (value == nullptr) return "";
    if (!value->is_string()) {
      Refuse(fmt::format("'{}' is no text", key));
      return "";
    }
    return value->get<std::string>();
  }
  uint64_t Number(const char* key) {
    const Json* value = Find(key);
    if (value == nullptr) return 0;
    if (!value->is_number_unsigned()) {
      Refuse(fmt::format("'{}' is no number", key));
      return 0;
    }
    return value->get<uint64_t>();
  }
  double Seconds(const char* key) {
    const Json* value = Find(key);
    if (value == nullptr) return 0;
    const double seconds = value->is_number() ? value->get<double>() : -1;
    if (!(seconds >= 0) || seconds > 1e9) {
      Refuse(fmt::format("'{}' is no time", key));
      return 0;
    }
    return seconds;
  }
  bool Flag(const char* key) {
    const Json* value = Find(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) {
      Refuse(fmt::format("'{}' is neither true nor false", key));
      return false;
    }
    return value->get<bool>();
  }
  // The entries of an array.
  std::vector<Json> List(const char* key) {
    const Json* value = Find(key);
    if (value == nullptr) return {};
    if (!value->is_array()) {
      Refuse(fmt::format("'{}' is no array", key));
      return {};
    }
    return {value->begin(), value->end()};
  }
  std::vector<std::string> Texts(const char* key) {
    std::vector<std::string> texts;
    for (const Json& entry : List(key)) {
      if (!entry.is_string()) {
        Refuse(fmt::format("'{}' has an entry that is no text", key));
        return {};
      }
      texts.push_back(entry.get<std::string>());
    }
    return texts;
  }
  const Json* Find(const char* key) const {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  void Refuse(std::string what) {
    if (wrong_.empty()) wrong_ = name_ + ": " + std::move(what);
  }
  Status status() const {
    if (wrong_.empty()) return {};
    return Wrong("{}", wrong_);
  }

 private:
  const Json& json_;
  std::string name_;
  std::string wrong_;
};

Where WhereFrom(Reader& reader) {
  return {.function = reader.Text("function"),
          .place = {.file = reader.Text("file"),
                    .line = static_cast<uint32_t>(reader.Number("line")),
                    .column = static_cast<uint32_t>(reader.Number("column"))},
          .anchor = ParseNumber(reader.Text("anchor")).value_or(0)};
}

Status ReadFinding(const Json& json, Finding& finding) {
  Reader reader(json, "finding");
  const std::string kind = reader.Text("kind");
  const std::string severity = reader.Text("severity");
  finding.message = reader.Text("message");
  finding.details = reader.Texts("details");
  finding.fingerprint = ParseNumber(reader.Text("fingerprint")).value_or(0);
  for (const Json& entry : reader.List("sites")) {
    Reader site(entry, "finding: a site");
    finding.sites.push_back(WhereFrom(site));
    if (Status status = site.status(); !status) return status;
  }
  const std::string output = reader.Text("output");
  finding.witness.output = Unescape(output).value_or(output);
  if (Status status = reader.status(); !status) return status;
  const std::optional<Kind> known = FindFindingKind(kind);
  if (!known) return Wrong("finding: '{}' is no kind of finding", kind);
  finding.kind = *known;
  finding.severity = FindSeverity(severity).value_or(SeverityOf(*known));
  finding.verdict = Verdict::kConfirmed;
  return {};
}

Status ReadCommand(const Json& json, BugCommand& command) {
  Reader reader(json, "command");
  command.argv = reader.Texts("argv");
  command.directory = reader.Text("directory");
  command.input = reader.Text("stdin");
  command.before = reader.Text("before");
  command.judge = reader.Text("judge");
  command.fresh_directory = reader.Flag("fresh_dir");
  command.timeout = reader.Seconds("timeout");
  for (const Json& code : reader.List("ok_exits")) {
    if (!code.is_number_integer() || code < 0 || code > 255) {
      reader.Refuse("'ok_exits' has an entry that is no exit code");
      break;
    }
    command.ok_exits.push_back(code.get<int>());
  }
  if (Status status = reader.status(); !status) return status;
  if (command.argv.empty()) return Wrong("command: 'argv' is empty");
  return {};
}

Json CommandJson(const BugCommand& command) {
  return {
      {"argv", command.argv},         {"directory", command.directory},
      {"stdin", command.input},       {"before", command.before},
      {"judge", command.judge},       {"fresh_dir", command.fresh_directory},
      {"ok_exits", command.ok_exits}, {"timeout", command.timeout}};
}

Json PartOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? Json() : *found;
}

std::set<std::string> FunctionsOf(const Finding& finding) {
  std::set<std::string> functions;
  for (const Where& site : finding.sites) {
    if (!site.function.empty()) functions.insert(site.function);
  }
  return functions;
}

}  // namespace

Json BugFileJson(const BugFile& bug) {
  const Finding& finding = bug.finding;
  Json sites = Json::array();
  for (const Where& site : finding.sites) sites.push_back(WhereJson(site));
  Json json = {
      {kMagic, kBugFileVersion},
      {"tool", bug.tool},
      {"finding",
       {{"kind", WordOf(finding.kind)},
        {"severity", WordOf(finding.severity)},
        {"message", finding.message},
        {"details", finding.details},
        {"fingerprint", fmt::format("{:#x}", finding.fingerprint)},
        {"sites", sites},
        {"output",
         finding.kind == Kind::kOutput ? Escape(finding.witness.output) : ""}}},
      {"command", CommandJson(bug.command)},
      {"schedule", finding.witness.schedule
                       ? trace::PrintSchedule(*finding.witness.schedule, {})
                       : ""},
      {"ordering", Json()}};
  if (bug.ordering) json["ordering"] = OrderingJson(*bug.ordering);
  return json;
}

Result<BugFile> ParseBugFileUntrusted(std::string_view text) {
  const Result<Json> json = ParseJson(text);
  if (!json) return json.error();
  if (!json->is_object() || !json->contains(kMagic)) {
    return Wrong("it has no '{}'", kMagic);
  }
  const Json version = PartOf(*json, kMagic);
  if (!version.is_number_unsigned() || version == 0) {
    return Wrong("'{}' is no version", kMagic);
  }
  if (version > kBugFileVersion) {
    return Error(ErrorCode::kTooNew)
        .Say("the bug file is of version {}; this build reads up to {}",
             version.get<uint64_t>(), kBugFileVersion)
        .Hint("use the version of fairlead that wrote it");
  }
  BugFile bug;
  Reader reader(*json, "the file");
  bug.tool = reader.Text("tool");
  const std::string schedule = reader.Text("schedule");
  if (Status status = reader.status(); !status) return status.error();
  if (Status read = ReadFinding(PartOf(*json, "finding"), bug.finding); !read) {
    return read.error();
  }
  if (Status read = ReadCommand(PartOf(*json, "command"), bug.command); !read) {
    return read.error();
  }
  if (!schedule.empty()) {
    Result<trace::Schedule> parsed = trace::ParseScheduleUntrusted(schedule);
    if (!parsed) return parsed.error().In("schedule");
    bug.finding.witness.schedule = *std::move(parsed);
  }
  const Json ordering = PartOf(*json, "ordering");
  if (!ordering.is_null()) {
    Result<Ordering> parsed = OrderingFromJsonUntrusted(ordering);
    if (!parsed) return parsed.error();
    bug.ordering = *std::move(parsed);
  }
  return bug;
}

Result<BugFile> LoadBugFile(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kMaxBugFileBytes);
  if (!text) return text.error();
  Result<BugFile> bug = ParseBugFileUntrusted(*text);
  if (!bug) return bug.error().In(path);
  return bug;
}

bool IsSameBug(const Finding& one, const Finding& other) {
  if (one.kind != other.kind) return false;
  if (one.fingerprint == other.fingerprint) return true;
  const std::set<std::string> functions = FunctionsOf(one);
  if (functions != FunctionsOf(other)) return false;
  return !functions.empty() ||
         WithoutNumbers(one.message) == WithoutNumbers(other.message);
}

}  // namespace fairlead::finding
