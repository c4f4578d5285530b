#include "report/facts.h"

#include <map>
#include <optional>

#include "base/text.h"

namespace fairlead::report {
namespace {

using fact::Fact;

std::string_view WhereText(const PlacedFact& placed) {
  if (placed.in_file) return placed.in_store ? "file, store" : "file";
  return "store";
}

std::string OriginText(const Fact& fact) {
  std::string text(fact::WordOf(fact.origin));
  for (size_t i = 0; i < fact.runs.size(); ++i) {
    text += (i == 0 ? " from " : " ") + fact.runs[i];
  }
  return text;
}

std::string SubjectsText(const Fact& fact) {
  return fact::PrintKey(fact.key).substr(fact::WordOf(fact.key.kind).size() +
                                         1);
}

std::string HeadingOf(fact::Kind kind) {
  const fact::KindEntry& entry = fact::EntryOf(kind);
  return fmt::format("{}: {}{}\n", entry.word, entry.title,
                     entry.use == fact::Use::kUnused
                         ? " (kept; no technique goes by them yet)"
                         : "");
}

Json OneJson(const Fact& fact) {
  return {{"id", fact::IdOf(fact.key)},
          {"kind", fact::WordOf(fact.key.kind)},
          {"subjects", fact.key.subjects},
          {"state", fact::WordOf(fact.state)},
          {"origin", fact::WordOf(fact.origin)},
          {"runs", fact.runs},
          {"reason", fact.reason},
          {"in_use", fact::IsInUse(fact)}};
}

}  // namespace

std::string FactsText(std::span<const PlacedFact> facts) {
  std::string text;
  std::optional<fact::Kind> kind;
  for (const PlacedFact& placed : facts) {
    const Fact& fact = placed.fact;
    if (kind != fact.key.kind) {
      if (kind) text += "\n";
      kind = fact.key.kind;
      text += HeadingOf(*kind);
    }
    text += fmt::format("  {}  {:<8}  {}\n", fact::IdOf(fact.key),
                        fact::WordOf(fact.state), SubjectsText(fact));
    text += fmt::format("            {} ({}){}\n", OriginText(fact),
                        WhereText(placed),
                        fact.reason.empty() ? "" : ": " + fact.reason);
  }
  return text.empty() ? "no facts\n" : text;
}

Json FactsJson(std::string_view command, std::span<const PlacedFact> facts) {
  Json list = Json::array();
  for (const PlacedFact& placed : facts) {
    Json json = OneJson(placed.fact);
    json["in_file"] = placed.in_file;
    json["in_store"] = placed.in_store;
    list.push_back(std::move(json));
  }
  return {{"command", command}, {"facts", list}};
}

std::string DifferencesText(std::span<const fact::Difference> differences) {
  std::string text;
  for (const fact::Difference& each : differences) {
    if (each.before) text += "- " + fact::PrintFact(*each.before) + "\n";
    if (each.after) text += "+ " + fact::PrintFact(*each.after) + "\n";
  }
  return text;
}

Json DifferencesJson(std::span<const fact::Difference> differences) {
  Json list = Json::array();
  for (const fact::Difference& each : differences) {
    list.push_back(
        {{"before", each.before ? OneJson(*each.before) : Json(nullptr)},
         {"after", each.after ? OneJson(*each.after) : Json(nullptr)}});
  }
  return {{"command", "facts diff"}, {"differences", list}};
}

std::string ConflictText(const fact::Conflict& conflict,
                         std::string_view theirs) {
  return fmt::format(
      "{}: {} here, {} in {}; kept as {}", fact::PrintKey(conflict.ours.key),
      fact::WordOf(conflict.ours.state), fact::WordOf(conflict.theirs.state),
      theirs, fact::WordOf(conflict.ours.state));
}

std::string UnusedText(std::span<const fact::Fact> facts) {
  std::map<fact::Kind, uint64_t> numbers;
  for (const Fact& fact : facts) {
    if (fact.state == fact::State::kAccepted && !fact::IsInUse(fact)) {
      ++numbers[fact.key.kind];
    }
  }
  std::string text;
  for (const auto& [kind, number] : numbers) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ",
                        fact::WordOf(kind), number);
  }
  return text;
}

}  // namespace fairlead::report
