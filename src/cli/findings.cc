#include "cli/findings.h"

#include <time.h>

#include "base/printable.h"
#include "base/text.h"

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
  return PrintableLine(known ? argv->front().get<std::string>()
                             : stored.build.program);
}

Json FindingJson(const store::StoredFinding& stored) {
  const finding::Finding& finding = stored.finding;
  Json sites = Json::array();
  for (const finding::Where& site : finding.sites) {
    sites.push_back({{"function", site.function},
                     {"file", site.place.file},
                     {"line", site.place.line}});
  }
  Json json = {{"id", static_cast<int64_t>(stored.id)},
               {"name", store::NameOf(stored.id)},
               {"uuid", stored.uuid},
               {"program", stored.build.program},
               {"kind", finding::WordOf(finding.kind)},
               {"severity", finding::WordOf(finding.severity)},
               {"verdict", finding::WordOf(finding.verdict)},
               {"status", store::WordOf(stored.status)},
               {"always", finding.always},
               {"message", finding.message},
               {"details", finding.details},
               {"sites", sites},
               {"fingerprint", fmt::format("{:#x}", finding.fingerprint)},
               {"first_build", stored.first_build_id},
               {"last_build", stored.build.build_id},
               {"first_execution", stored.first_execution},
               {"times", stored.times},
               {"campaigns", stored.num_campaigns}};
  if (const std::optional<finding::Aim>& aim = finding.witness.aim) {
    json["target"] = finding::TargetJson(aim->target);
    json["attempts"] = aim->attempts;
    json["tried"] = aim->tried;
  }
  return json;
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
