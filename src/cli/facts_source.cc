#include <unistd.h>

#include <set>

#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "cli/facts.h"

namespace fairlead::cli {

using fact::Fact;
using report::PlacedFact;

void AddFactsOption(CLI::App& command, std::string& facts) {
  command.add_option("--facts", facts,
                     "The file of facts to go by; default: fairlead.facts in "
                     "this directory");
}

std::string FactsFileOf(const std::string& option) {
  if (!option.empty()) return option;
  return access(kFactsFile, F_OK) == 0 ? kFactsFile : "";
}

Result<fact::Document> ReadFacts(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kMaxTextBytes);
  if (!text) return text.error();
  Result<fact::Document> document = fact::ParseUntrusted(*text);
  if (!document) return document.error().In(path);
  return document;
}

std::vector<PlacedFact> PlaceFacts(const std::vector<Fact>& in_file,
                                   const std::vector<Fact>& in_store) {
  std::set<fact::Key> file_keys;
  std::set<fact::Key> store_keys;
  for (const Fact& fact : in_file) file_keys.insert(fact.key);
  for (const Fact& fact : in_store) store_keys.insert(fact.key);
  std::vector<PlacedFact> placed;
  for (Fact& fact : fact::Merge(in_file, in_store).facts) {
    const bool file = file_keys.contains(fact.key);
    const bool store = store_keys.contains(fact.key);
    placed.push_back({std::move(fact), file, store});
  }
  return placed;
}

finding::Suppressions SuppressionsOf(const std::vector<Fact>& facts) {
  finding::Suppressions suppressions;
  for (const Fact& fact : facts) {
    if (fact.key.kind != fact::Kind::kSuppression || !fact::IsInUse(fact)) {
      continue;
    }
    suppressions.Add(fact.key.subjects[0], fact.key.subjects[1],
                     fact::PrintFact(fact));
  }
  return suppressions;
}

analysis::Declared DeclaredBy(const std::vector<Fact>& facts) {
  analysis::Declared declared;
  for (const Fact& fact : facts) {
    if (fact.state == fact::State::kProposed) continue;
    const bool is = fact.state == fact::State::kAccepted;
    const std::vector<std::string>& subjects = fact.key.subjects;
    if (fact.key.kind == fact::Kind::kAtomicSet) {
      (is ? declared.sets : declared.not_sets)
          .emplace_back(subjects.begin(), subjects.end());
    } else if (fact.key.kind == fact::Kind::kUnit) {
      (is ? declared.units : declared.not_units).insert(subjects[0]);
    }
  }
  return declared;
}

Result<std::vector<Fact>> ReadSuppressions(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kMaxTextBytes);
  if (!text) return text.error();
  const Result<finding::Suppressions> parsed =
      finding::Suppressions::ParseUntrusted(*text);
  if (!parsed) return parsed.error().In(path);
  std::vector<Fact> facts;
  for (const finding::Suppressions::Rule& rule : parsed->rules()) {
    Result<Fact> fact = fact::Checked(
        {.key = {fact::Kind::kSuppression, {rule.kind, rule.pattern}}});
    if (!fact) return fact.error().In(path);
    facts.push_back(*std::move(fact));
  }
  return facts;
}

Result<std::vector<Fact>> WrittenFacts(const std::string& option,
                                       const std::string& path, Noise noise) {
  std::vector<Fact> old;
  if (!path.empty()) {
    Result<std::vector<Fact>> read = ReadSuppressions(path);
    if (!read) return read.error();
    old = *std::move(read);
  }
  const std::string file = FactsFileOf(option);
  if (file.empty()) return fact::Merge({}, old).facts;
  const Result<fact::Document> document = ReadFacts(file);
  if (!document) return document.error();
  const std::vector<Fact> facts = fact::FactsOf(*document);
  const std::string unused = report::UnusedText(facts);
  if (!unused.empty() && noise == Noise::kNotes) {
    Note("{}: no technique goes by these facts yet: {}", PrintableLine(file),
         unused);
  }
  return fact::Merge(facts, old).facts;
}

}  // namespace fairlead::cli
