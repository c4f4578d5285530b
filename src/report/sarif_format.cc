// report/sarif_format.cc
//
// SARIF 2.1.0, for code scanning and editors: a result for each finding, whose
// code flow is the interleaving: a thread flow per thread, and the order of all
// steps together as their execution order.

#include <fmt/format.h>

#include <set>

#include "base/printable.h"
#include "base/text.h"
#include "report/format.h"
#include "report/markup.h"
#include "report/shown.h"

namespace fairlead::report {
namespace {

constexpr std::string_view kRoot = "SRCROOT";

// Messages may hold links ("[text](address)") and placeholders ("{0}"), and
// text of the program has neither.
Json Message(std::string_view text) {
  std::string plain;
  for (const char c : Printable(text)) {
    if (c == '(' && plain.ends_with(']')) plain += ' ';
    plain += c;
    if (c == '{' || c == '}') plain += c;
  }
  return {{"text", plain}};
}

std::string_view LevelOf(const ShownFinding& shown) {
  if (shown.predicted()) return "note";
  switch (shown.finding->severity) {
    case finding::Severity::kHigh:
      return "error";
    case finding::Severity::kMedium:
      return "warning";
    case finding::Severity::kLow:
    case finding::Severity::kInfo:
      return "note";
  }
  return "note";
}

Json Location(const trace::Place& place, const std::string& function,
              const View& view) {
  Json location = Json::object();
  if (!place.file.empty()) {
    const std::string_view file = BelowRoot(place.file, view.root);
    Json artifact = {{"uri", UriOf(file)}};
    if (!file.starts_with('/')) artifact["uriBaseId"] = kRoot;
    Json physical = {{"artifactLocation", std::move(artifact)}};
    if (place.line != 0) {
      physical["region"] = {{"startLine", place.line}};
      if (place.column != 0) physical["region"]["startColumn"] = place.column;
    }
    location["physicalLocation"] = std::move(physical);
  }
  if (!function.empty()) {
    location["logicalLocations"] = Json::array(
        {{{"fullyQualifiedName", Printable(function)}, {"kind", "function"}}});
  }
  return location;
}

Json Step(const Row& row, size_t order, const View& view) {
  Json location = Location(row.place, row.function, view);
  std::string text = row.text;
  if (!row.note.empty()) text += fmt::format(" ({})", row.note);
  location["message"] = Message(text);
  Json step = {
      {"location", std::move(location)},
      {"executionOrder", order},
      {"importance", row.failed || row.conflicts ? "essential" : "important"}};
  if (row.step) step["properties"] = {{"step", *row.step}};
  return step;
}

// Empty where there are no steps.
Json CodeFlows(const finding::Finding& finding, const View& view) {
  const Interleaving table =
      InterleavingOf(finding, view.full ? Rows::kAll : Rows::kDeciding);
  if (table.rows.empty()) return Json::array();
  std::vector<Json> steps(table.threads.size(), Json::array());
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    steps[row.column].push_back(Step(row, i + 1, view));
  }
  Json flows = Json::array();
  for (size_t i = 0; i < table.threads.size(); ++i) {
    if (steps[i].empty()) continue;
    const std::string thread = PrintableLine(table.threads[i]);
    flows.push_back({{"id", thread},
                     {"message", Message(thread)},
                     {"locations", std::move(steps[i])}});
  }
  return Json::array({{{"threadFlows", std::move(flows)}}});
}

// A stack for each thread at the end.
Json Stacks(const finding::Finding& finding, const View& view) {
  Json stacks = Json::array();
  for (const finding::ThreadState& thread : finding.witness.threads) {
    Json frames = Json::array();
    for (const finding::Where& frame : thread.frames) {
      Json location = Location(frame.place, frame.function, view);
      if (!location.empty()) {
        frames.push_back({{"location", std::move(location)}});
      }
    }
    if (frames.empty()) continue;
    std::string words = thread.thread;
    if (!thread.doing.empty()) words += ", " + thread.doing;
    stacks.push_back(
        {{"message", Message(words)}, {"frames", std::move(frames)}});
  }
  return stacks;
}

std::string WholeMessage(const ShownFinding& shown) {
  const finding::Finding& finding = *shown.finding;
  std::string text = finding.message;
  if (!finding.witness.explanation.empty()) {
    text += ". Why: " + finding.witness.explanation;
  }
  if (!shown.commands.empty()) {
    text += fmt::format(" ({})", shown.commands.front());
  }
  return text;
}

Json Properties(const ShownFinding& shown) {
  const finding::Finding& finding = *shown.finding;
  Json properties = {{"severity", finding::WordOf(finding.severity)},
                     {"verdict", finding::WordOf(finding.verdict)},
                     {"always", finding.always}};
  if (!shown.name.empty()) properties["finding"] = shown.name;
  if (!shown.novelty.empty()) properties["novelty"] = shown.novelty;
  properties["commands"] = Json::array();
  for (const std::string& command : shown.commands) {
    properties["commands"].push_back(Printable(command));
  }
  return properties;
}

// SARIF's words for what the store made of it; "" = nothing is known.
std::string_view BaselineOf(const ShownFinding& shown) {
  if (shown.cleared) return "absent";
  if (shown.novelty == "new" || shown.novelty == "back again") return "new";
  return shown.novelty == "known" ? "unchanged" : "";
}

Json ResultOf(const ShownFinding& shown, const View& view) {
  const finding::Finding& finding = *shown.finding;
  Json result = {{"ruleId", finding::WordOf(finding.kind)},
                 {"level", LevelOf(shown)},
                 {"message", Message(WholeMessage(shown))}};
  if (const finding::Where* where = MainPlace(finding)) {
    result["locations"] =
        Json::array({Location(where->place, where->function, view)});
  }
  result["partialFingerprints"] = {
      {"fairlead/v1", fmt::format("{:016x}", finding.fingerprint)}};
  if (Json flows = CodeFlows(finding, view); !flows.empty()) {
    result["codeFlows"] = std::move(flows);
  }
  if (Json stacks = Stacks(finding, view); !stacks.empty()) {
    result["stacks"] = std::move(stacks);
  }
  if (const auto word = BaselineOf(shown); !word.empty()) {
    result["baselineState"] = word;
  }
  result["suppressions"] = Json::array();
  if (!shown.silenced.empty()) {
    result["suppressions"].push_back(
        {{"kind", "external"},
         {"status", "accepted"},
         {"justification", Printable(shown.silenced)}});
  }
  result["properties"] = Properties(shown);
  return result;
}

Json Rules(const Shown& shown) {
  std::set<finding::Kind> kinds;
  for (const ShownFinding& each : shown.findings) {
    kinds.insert(each.finding->kind);
  }
  Json rules = Json::array();
  for (const finding::Kind kind : kinds) {
    rules.push_back({{"id", finding::WordOf(kind)},
                     {"shortDescription", {{"text", finding::TitleOf(kind)}}}});
  }
  return rules;
}

Json InvocationOf(const Shown& shown) {
  Json invocation = {
      {"executionSuccessful",
       shown.why_unknown.empty() || shown.exit == ExitCode::kFindings},
      {"exitCode", static_cast<int>(shown.exit)}};
  if (!shown.argv.empty()) {
    invocation["properties"] = {
        {"program", Printable(ShellCommand(shown.argv))}};
  }
  if (!shown.why_unknown.empty()) {
    invocation["toolExecutionNotifications"] = Json::array(
        {{{"level", "warning"}, {"message", Message(shown.why_unknown)}}});
  }
  return invocation;
}

std::string Sarif(const Shown& shown, const View& view) {
  Json results = Json::array();
  for (const ShownFinding& each : shown.findings) {
    results.push_back(ResultOf(each, view));
  }
  Json driver = {{"name", "Fairlead"}, {"rules", Rules(shown)}};
  if (!view.tool.empty()) driver["version"] = view.tool;
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"invocations", Json::array({InvocationOf(shown)})},
              {"columnKind", "utf16CodeUnits"}};
  if (!view.root.empty()) {
    run["originalUriBaseIds"] = {
        {std::string(kRoot),
         {{"uri", UriOf(view.root) + (view.root.ends_with('/') ? "" : "/")}}}};
  }
  run["results"] = std::move(results);
  return PrintableJson(
      JsonText({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Json::array({std::move(run)})}}));
}

std::string CampaignReport(const Campaign& campaign, const View& view) {
  return Sarif(ShownOf(campaign), view);
}

std::string FindingsReport(const FindingList& list, const View& view) {
  return Sarif(ShownOf(list, view.all ? Listed::kAll : Listed::kOpen), view);
}

std::string OneFinding(const KeptFinding& kept, const View& view) {
  return Sarif(ShownOf(kept), view);
}

}  // namespace

const Format kSarifFormat = {.name = "sarif",
                             .help = "SARIF 2.1.0",
                             .campaign = CampaignReport,
                             .findings = FindingsReport,
                             .finding = OneFinding,
                             .wants_witness = true};

}  // namespace fairlead::report
