#include "cli/findings.h"

#include <time.h>

#include "base/printable.h"
#include "base/text.h"
#include "cli/explain.h"

namespace fairlead::cli {

void AddStoreOption(CLI::App& command, std::string& store) {
  store = kDefaultStore;
  command.add_option("--store", store, "Where findings are kept")
      ->capture_default_str();
}

Result<store::FindingId> ParseFindingId(const std::string& text) {
  const bool predicted = text.starts_with('P') || text.starts_with('p');
  const std::string_view digits = predicted || text.starts_with('#')
                                      ? std::string_view(text).substr(1)
                                      : text;
  const auto number = ParseNumber(digits);
  if (!number || *number == 0) {
    return Error(ErrorCode::kUsage)
        .Say("'{}' is no number of a finding", text)
        .Hint("fairlead bugs lists them");
  }
  return store::FindingId{predicted ? -*number : *number};
}

std::string FindingCommand(std::string_view verb, store::FindingId id,
                           const std::string& store) {
  std::string command = "fairlead";
  if (verb == "clear") {
    command += " bugs --clear";
  } else {
    command += fmt::format(" {}", verb);
  }
  command += " " + store::NameOf(id);
  if (store != kDefaultStore) {
    command += fmt::format(" --store {}", ShellQuote(store));
  }
  return command;
}

std::string TypedName(const store::StoredFinding& stored) {
  const auto argv = stored.setting.find("argv");
  const bool known = argv != stored.setting.end() && argv->is_array() &&
                     !argv->empty() && argv->front().is_string();
  std::string name = PrintableLine(known ? argv->front().get<std::string>()
                                         : stored.build.program);
  const auto test = stored.setting.find("test");
  if (test != stored.setting.end() && test->is_string() && *test != "") {
    name += ", " + PrintableLine(test->get<std::string>());
  }
  return name;
}

report::KeptFinding KeptOf(const store::StoredFinding& stored) {
  std::vector<std::string> argv;
  if (stored.setting.contains("argv") && stored.setting["argv"].is_array()) {
    for (const Json& word : stored.setting["argv"]) {
      if (word.is_string()) argv.push_back(word);
    }
  }
  return {.finding = &stored.finding,
          .id = static_cast<int64_t>(stored.id),
          .name = store::NameOf(stored.id),
          .uuid = stored.uuid,
          .program = stored.build.program,
          .typed_name = TypedName(stored),
          .status = std::string(store::WordOf(stored.status)),
          .open = stored.status == store::FindingStatus::kOpen,
          .first_build = stored.first_build_id,
          .last_build = stored.build.build_id,
          .first_execution = stored.first_execution,
          .times = stored.times,
          .num_campaigns = stored.num_campaigns,
          .argv = std::move(argv)};
}

finding::Finding SmallestOf(const store::StoredFinding& stored,
                            std::vector<std::string>& facts) {
  finding::Finding shown = stored.finding;
  const std::optional<finding::Explanation>& explanation = stored.explanation;
  if (!explanation) return shown;
  const std::optional<finding::Aim> aim = std::move(shown.witness.aim);
  // Unless only the first one says why.
  if (shown.witness.explanation.empty() ||
      !explanation->witness.explanation.empty()) {
    shown.witness = explanation->witness;
  }
  shown.witness.aim = aim;
  facts.push_back(SmallerText(*explanation));
  if (explanation->ordering) {
    for (std::string& line : finding::OrderingLines(*explanation->ordering)) {
      facts.push_back(std::move(line));
    }
  }
  return shown;
}

std::string TimeText(uint64_t ms) {
  const auto seconds = static_cast<time_t>(ms / 1000);
  struct tm local = {};
  localtime_r(&seconds, &local);
  char text[32];
  strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &local);
  return text;
}

}  // namespace fairlead::cli
