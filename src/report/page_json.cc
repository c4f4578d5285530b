#include <fmt/format.h>

#include "base/printable.h"
#include "base/text.h"
#include "finding/effect.h"
#include "report/page.h"
#include "report/shown.h"
#include "report/text.h"

namespace fairlead::report {
namespace {

// No more of what a program printed is in a page.
constexpr size_t kMostOutput = size_t{256} << 10;

Json Lines(const std::vector<std::string>& lines) {
  Json json = Json::array();
  for (const std::string& line : lines) json.push_back(Printable(line));
  return json;
}

// Its end, which says most.
std::string OutputText(const std::string& output) {
  if (output.size() <= kMostOutput) return Printable(output);
  return fmt::format("… {} bytes more\n",
                     Grouped(output.size() - kMostOutput)) +
         Printable(
             std::string_view(output).substr(output.size() - kMostOutput));
}

Json ThreadsJson(const finding::Witness& witness) {
  Json threads = Json::array();
  for (const finding::ThreadState& state : witness.threads) {
    Json frames = Json::array();
    for (const finding::Where& frame : state.frames) {
      frames.push_back({{"function", Printable(frame.function)},
                        {"file", Printable(frame.place.file)},
                        {"line", frame.place.line}});
    }
    threads.push_back({{"thread", Printable(state.thread)},
                       {"doing", Printable(state.doing)},
                       {"at_fault", state.at_fault},
                       {"frames", std::move(frames)}});
  }
  return threads;
}

// Who waits for what that whom holds: the edges of the wait-for graph. The
// words are those of explore/judge/wait_words.h.
Json WaitsJson(const finding::Witness& witness) {
  constexpr std::string_view kWaits = "waits: ";
  constexpr std::string_view kHeld = ", held by ";
  Json waits = Json::array();
  for (const finding::ThreadState& state : witness.threads) {
    std::string_view doing = state.doing;
    if (!doing.starts_with(kWaits)) continue;
    doing.remove_prefix(kWaits.size());
    const size_t held = doing.find(kHeld);
    const std::string_view holder =
        held == std::string_view::npos ? "" : doing.substr(held + kHeld.size());
    const std::string_view thread = state.thread;
    waits.push_back(
        {{"thread", Printable(thread.substr(0, thread.find(" (")))},
         {"object", Printable(doing.substr(0, held))},
         {"holder", Printable(holder.substr(0, holder.find(" (")))}});
  }
  return waits;
}

Json SourcesJson(const finding::Witness& witness) {
  Json files = Json::object();
  for (const auto& [file, lines] : witness.sources) {
    Json texts = Json::object();
    for (const auto& [number, text] : lines) {
      texts[std::to_string(number)] = Printable(text);
    }
    files[Printable(file)] = std::move(texts);
  }
  return files;
}

Json CountOf(const finding::Count& count) {
  if (!count.possible) return nullptr;
  return {{"failed", count.failed}, {"tried", count.tried}};
}

Json OrdersJson(const finding::Ordering& ordering) {
  Json edges = Json::array();
  for (size_t i = 0; i < ordering.edges.size(); ++i) {
    edges.push_back({{"text", Printable(finding::EdgeText(ordering, i))},
                     {"released", CountOf(ordering.edges[i].released)},
                     {"reversed", CountOf(ordering.edges[i].reversed)}});
  }
  return {{"all", CountOf(ordering.all)},
          {"none", CountOf(ordering.none)},
          {"edges", std::move(edges)}};
}

Json FindingOf(const PageFinding& each) {
  const KeptFinding& kept = each.kept;
  const finding::Finding& finding = *kept.finding;
  const finding::Witness& witness = finding.witness;
  Json json = {
      {"name", kept.name},
      {"kind", finding::WordOf(finding.kind)},
      {"title", each.title.empty() ? finding::TitleOf(finding.kind)
                                   : std::string_view(each.title)},
      {"effect", finding::WordOf(finding::EffectOf(finding.kind))},
      {"severity", finding::WordOf(finding.severity)},
      {"verdict", finding::WordOf(finding.verdict)},
      {"status", kept.status},
      {"predicted", kept.predicted()},
      {"program", Printable(kept.typed_name)},
      {"command", Printable(ShellCommand(kept.argv))},
      {"message", Printable(finding.message)},
      {"why", Printable(witness.explanation)},
      {"always",
       finding.always ? std::string(MeaningOfAlways(finding.kind)) : ""},
      {"times", kept.times},
      {"campaigns", kept.num_campaigns},
      {"details", Lines(finding.details)},
      {"facts", Lines(kept.facts)},
      {"commands", Lines(kept.commands)},
      {"threads", ThreadsJson(witness)},
      {"waits", WaitsJson(witness)},
      {"sources", SourcesJson(witness)},
      {"output", OutputText(witness.output)},
      {"error", OutputText(witness.error)}};
  if (const finding::Where* where = MainPlace(finding)) {
    json["place"] = Printable(finding::WhereText(*where));
  }
  if (each.ordering) json["orders"] = OrdersJson(*each.ordering);
  return json;
}

Json CampaignOf(const PageCampaign& campaign) {
  Json points = Json::array();
  for (const PageCampaign::Point& point : campaign.points) {
    points.push_back(
        Json::array({point.executions, point.behaviours, point.seconds}));
  }
  return {{"program", Printable(campaign.program)},
          {"build", campaign.build_id},
          {"started", campaign.started},
          {"ending", Printable(campaign.ending)},
          {"command", Printable(ShellCommand(campaign.argv))},
          {"executions", campaign.executions},
          {"failed", campaign.failed},
          {"cut", campaign.cut},
          {"result", campaign.result},
          {"points", std::move(points)}};
}

Json CoverageOf(const Coverage& coverage) {
  Json json = CoverageJson(coverage);
  json["lines"] = LinesJson(coverage)["lines"];
  return json;
}

}  // namespace

Json PageJson(const Page& page) {
  Json json = {{"title", Printable(page.title)},
               {"tool", page.tool},
               {"made", page.made},
               {"live", page.live},
               {"findings", Json::array()},
               {"campaigns", Json::array()},
               {"coverage", Json::array()},
               {"sources", Json::object()}};
  for (const PageFinding& each : page.findings) {
    json["findings"].push_back(FindingOf(each));
  }
  for (const PageCampaign& each : page.campaigns) {
    json["campaigns"].push_back(CampaignOf(each));
  }
  for (const Coverage& each : page.coverage) {
    json["coverage"].push_back(CoverageOf(each));
  }
  for (const auto& [file, lines] : page.sources) {
    json["sources"][Printable(file)] = Lines(lines);
  }
  return json;
}

}  // namespace fairlead::report
