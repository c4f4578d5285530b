#include "cli/page_model.h"

#include <time.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/findings.h"
#include "cli/memo_store.h"
#include "explore/plan/coverage.h"
#include "trace/file_reader.h"

namespace fairlead::cli {
namespace {

// As many points as a drawing is wide.
constexpr size_t kMostPoints = 400;

report::Page EmptyPage(std::string title) {
  return {.title = std::move(title),
          .tool = Version(),
          .made = TimeText(static_cast<uint64_t>(time(nullptr)) * 1000)};
}

bool IsWanted(const store::StoredFinding& stored, const PageWishes& wishes) {
  if (!wishes.findings.empty()) return true;
  if (wishes.all) return true;
  return stored.status == store::FindingStatus::kOpen &&
         stored.finding.verdict != finding::Verdict::kRefuted &&
         !(store::IsPrediction(stored.id) &&
           stored.finding.severity == finding::Severity::kInfo);
}

Status AddFinding(store::Store& store, store::FindingId id,
                  const PageWishes& wishes, PageModel& model) {
  const Result<store::StoredFinding> stored = store.Load(id);
  if (!stored) return stored.error();
  report::PageFinding each = {.kept = KeptOf(*stored)};
  model.shown.push_back(SmallestOf(*stored, each.kept.facts));
  each.kept.finding = &model.shown.back();
  if (stored->explanation && stored->explanation->ordering) {
    each.ordering = stored->explanation->ordering;
    each.kept.facts.resize(1);  // the page has a table of the orders
  }
  if (stored->finding.witness.schedule) {
    for (const char* verb : {"show", "replay", "minimize", "export"}) {
      each.kept.commands.push_back(
          FindingCommand(verb, stored->id, wishes.store));
    }
  }
  model.page.findings.push_back(std::move(each));
  return {};
}

Status AddFindings(store::Store& store, const PageWishes& wishes,
                   PageModel& model) {
  for (const std::string& name : wishes.findings) {
    const Result<store::FindingId> id = ParseFindingId(name);
    if (!id) return id.error();
    if (Status added = AddFinding(store, *id, wishes, model); !added) {
      return added;
    }
  }
  if (!wishes.findings.empty()) return {};
  Result<std::vector<store::StoredFinding>> all = store.Findings({});
  if (!all) return all.error();
  report::FindingList list;
  for (const store::StoredFinding& stored : *all) {
    if (IsWanted(stored, wishes)) list.findings.push_back(KeptOf(stored));
  }
  report::Rank(list);
  for (const report::KeptFinding& kept : list.findings) {
    if (Status added =
            AddFinding(store, store::FindingId{static_cast<uint64_t>(kept.id)},
                       wishes, model);
        !added) {
      return added;
    }
  }
  return {};
}

std::vector<report::PageCampaign::Point> PointsOf(
    const std::vector<store::Batch>& batches) {
  std::vector<report::PageCampaign::Point> points;
  report::PageCampaign::Point sum;
  const size_t apart = batches.size() / kMostPoints + 1;
  for (size_t i = 0; i < batches.size(); ++i) {
    sum.executions += batches[i].executions;
    sum.behaviours += batches[i].behaviours;
    sum.seconds += static_cast<double>(batches[i].nanoseconds) / 1e9;
    if (i % apart == 0 || i + 1 == batches.size()) points.push_back(sum);
  }
  return points;
}

Status AddCampaigns(store::Store& store, uint64_t most, PageModel& model) {
  Result<std::vector<store::StoredCampaign>> campaigns = store.Campaigns(most);
  if (!campaigns) return campaigns.error();
  for (store::StoredCampaign& each : *campaigns) {
    report::PageCampaign campaign = {.program = each.build.program,
                                     .build_id = each.build.build_id,
                                     .started = TimeText(each.started_ms),
                                     .ending = each.ending,
                                     .executions = each.executions,
                                     .failed = each.failed,
                                     .cut = each.cut,
                                     .result = std::move(each.result),
                                     .points = PointsOf(each.batches)};
    const auto argv = each.setting.find("argv");
    if (argv != each.setting.end() && argv->is_array()) {
      for (const Json& word : *argv) {
        if (word.is_string()) campaign.argv.push_back(word);
      }
    }
    model.page.campaigns.push_back(std::move(campaign));
  }
  return {};
}

// Of a file, as it is now: from here, or from a directory above the program,
// since sites name files from the root of their project.
std::vector<std::string> LinesOf(const std::string& file,
                                 const std::string& program) {
  std::error_code error;
  std::vector<std::filesystem::path> places = {file};
  auto directory = std::filesystem::path(program).parent_path();
  while (!directory.empty() && !std::filesystem::path(file).is_absolute()) {
    places.push_back(directory / file);
    if (directory == directory.parent_path()) break;
    directory = directory.parent_path();
  }
  for (const std::filesystem::path& path : places) {
    if (!std::filesystem::is_regular_file(path, error)) continue;
    const Result<std::string> text = ReadFile(path.string(), kMaxTextBytes);
    if (!text) continue;
    std::vector<std::string> lines;
    for (const std::string_view line : Split(*text, '\n')) {
      lines.emplace_back(line);
    }
    return lines;
  }
  return {};
}

Status AddCoverage(store::Store& store, const PageWishes& wishes,
                   PageModel& model) {
  const Result<std::vector<std::string>> programs =
      store.ProgramsWithMemo(kIRootMemo);
  if (!programs) return programs.error();
  for (const std::string& program : *programs) {
    const Result<explore::Memo> memo = LoadLastMemo(store, program);
    if (!memo) return memo.error();
    model.page.coverage.push_back(
        {.program = program,
         .num_executions = memo->num_executions(),
         .counts = explore::CoverageOf(*memo, true),
         .growth = memo->growth(),
         .estimate = explore::EstimateOf(*memo, report::kMoreSeconds)});
    for (const finding::LineCoverage& line :
         model.page.coverage.back().counts.lines) {
      auto& lines = model.page.sources[line.file];
      if (lines.empty()) {
        lines = LinesOf(line.file, store::ProgramPath(program, wishes.store));
      }
    }
  }
  return {};
}

// The lines that events name, where their files are still there.
void AddSources(finding::Witness& witness) {
  for (const trace::Event& event : witness.slice.events) {
    const trace::Place* place = witness.slice.names.ShownPlaceOf(event);
    if (place != nullptr && !place->file.empty()) {
      witness.sources[place->file][place->line];
    }
  }
  std::string program;
  for (const auto& [number, module] : witness.slice.names.modules) {
    if (module.program) program = module.path;
  }
  for (auto& [file, wanted] : witness.sources) {
    const std::vector<std::string> lines = LinesOf(file, program);
    for (auto& [number, text] : wanted) {
      if (number != 0 && number <= lines.size()) text = lines[number - 1];
    }
  }
}

}  // namespace

Result<PageModel> PageOfStore(store::Store& store, const PageWishes& wishes) {
  PageModel model = {.page = EmptyPage("Fairlead report")};
  if (Status added = AddFindings(store, wishes, model); !added) {
    return added.error();
  }
  if (!wishes.findings.empty()) return model;
  if (Status added = AddCampaigns(store, wishes.most_campaigns, model);
      !added) {
    return added.error();
  }
  if (Status added = AddCoverage(store, wishes, model); !added) {
    return added.error();
  }
  return model;
}

Result<PageModel> PageOfTrace(const std::string& file) {
  Result<trace::FileReader> reader =
      trace::FileReader::OpenUntrusted(file, trace::Damage::kRefuse);
  if (!reader) return reader.error();
  PageModel model = {.page = EmptyPage("Fairlead trace")};
  finding::Finding& whole = model.shown.emplace_back();
  whole.severity = finding::Severity::kInfo;
  whole.message = file;
  trace::Event event;
  while (true) {
    const Result<bool> got = reader->Next(event);
    if (!got) return got.error();
    if (!*got) break;
    whole.witness.slice.events.push_back(event);
  }
  whole.witness.slice.names = reader->names();
  AddSources(whole.witness);
  model.page.findings.push_back({.kept = {.finding = &whole,
                                          .name = "trace",
                                          .typed_name = file,
                                          .status = "recorded"},
                                 .title = "execution"});
  return model;
}

}  // namespace fairlead::cli
