#include "finding/finding.h"

#include "base/short_name.h"

#include <fmt/core.h>

#include <span>

namespace fairlead::finding {
namespace {

struct KindEntry {
  std::string_view word;
  Severity severity;
  std::string_view title;
};

constexpr KindEntry kKinds[] = {
#define FL_FINDING(name, word, severity, title) \
  {word, Severity::severity, title},
#include "finding/kinds.inc"
#undef FL_FINDING
};

constexpr std::string_view kSeverities[] = {"info", "low", "medium", "high"};
constexpr std::string_view kVerdicts[] = {"predicted", "confirmed", "refuted",
                                          "unknown"};

template <typename T>
std::optional<T> Find(std::span<const std::string_view> words,
                      std::string_view word) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<T>(i);
  }
  return {};
}

}  // namespace

std::string_view WordOf(Kind kind) {
  return kKinds[static_cast<size_t>(kind)].word;
}
std::string_view TitleOf(Kind kind) {
  return kKinds[static_cast<size_t>(kind)].title;
}
Severity SeverityOf(Kind kind) {
  return kKinds[static_cast<size_t>(kind)].severity;
}
std::string_view WordOf(Severity severity) {
  return kSeverities[static_cast<size_t>(severity)];
}
std::string_view WordOf(Verdict verdict) {
  return kVerdicts[static_cast<size_t>(verdict)];
}

std::optional<Kind> FindFindingKind(std::string_view word) {
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    if (kKinds[i].word == word) return static_cast<Kind>(i);
  }
  return {};
}
std::optional<Severity> FindSeverity(std::string_view word) {
  return Find<Severity>(kSeverities, word);
}
std::optional<Verdict> FindVerdict(std::string_view word) {
  return Find<Verdict>(kVerdicts, word);
}

std::string WhereText(const Where& where) {
  const std::string place = trace::PlaceText(
      {.file = where.place.file, .line = where.place.line, .column = 0});
  const std::string function = ShortName(where.function);
  if (function.empty()) return place;
  return place.empty() ? function : fmt::format("{} ({})", place, function);
}

}  // namespace fairlead::finding
