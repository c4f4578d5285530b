#include "finding/suppressions.h"

#include <fnmatch.h>

#include "base/text.h"

namespace fairlead::finding {
namespace {

bool Matches(const std::string& pattern, const std::string& text) {
  return !text.empty() && fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

bool Suppressions::IsKind(std::string_view word) {
  return word == "*" || FindFindingKind(word);
}

void Suppressions::Add(std::string kind, std::string pattern,
                       std::string line) {
  rules_.push_back({std::move(kind), std::move(pattern), std::move(line)});
}

Result<Suppressions> Suppressions::ParseUntrusted(std::string_view text) {
  Suppressions suppressions;
  size_t number = 0;
  for (const std::string_view raw : Split(text, '\n')) {
    ++number;
    const std::string_view line = Trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string_view word = Words(line)[0];
    Rule rule = {.kind = std::string(word),
                 .pattern = std::string(Trim(line.substr(word.size()))),
                 .line = std::string(line)};
    if (!IsKind(word)) {
      return Error(ErrorCode::kMalformed)
          .Say("{}:1: '{}' is no kind of finding", number, word)
          .Hint("begin the line with a kind, such as deadlock, or with *");
    }
    if (rule.pattern.empty()) {
      return Error(ErrorCode::kMalformed)
          .Say("{}:{}: no pattern behind '{}'", number, word.size() + 1, word)
          .Hint("write a function, a file or a message; * stands for anything");
    }
    suppressions.rules_.push_back(std::move(rule));
  }
  return suppressions;
}

std::optional<std::string> Suppressions::Match(const Finding& finding) const {
  return Match(WordOf(finding.kind), finding.sites, finding.message);
}

std::optional<std::string> Suppressions::Match(
    std::string_view kind, const std::vector<Where>& sites,
    const std::string& message) const {
  for (const Rule& rule : rules_) {
    if (rule.kind != "*" && rule.kind != kind) continue;
    if (Matches(rule.pattern, message)) return rule.line;
    for (const Where& site : sites) {
      if (Matches(rule.pattern, site.function) ||
          Matches(rule.pattern, site.place.file)) {
        return rule.line;
      }
    }
  }
  return {};
}

}  // namespace fairlead::finding
