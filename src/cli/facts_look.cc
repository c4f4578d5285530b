#include <stdio.h>

#include <memory>

#include "base/closest.h"
#include "cli/facts.h"
#include "cli/facts_verbs.h"
#include "cli/print.h"

namespace fairlead::cli {

using fact::Fact;

Result<fact::Kind> ParseFactKind(const std::string& word) {
  if (const auto kind = fact::FindKind(word)) return *kind;
  // What `fairlead guard` learns is called so in everyday words.
  if (word == "order") return fact::Kind::kPredecessor;
  std::vector<std::string> known;
  std::string list;
  for (const fact::KindEntry& entry : fact::Kinds()) {
    known.emplace_back(entry.word);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", entry.word);
  }
  const std::string meant = DidYouMean(word, known);
  return Error(ErrorCode::kUsage)
      .Say("'{}' is no kind of fact", word)
      .Hint("{}", meant.empty() ? "kinds are " + list : meant);
}

std::vector<Fact> OfKind(std::vector<Fact> facts, const FactsOptions& options) {
  if (options.kind.empty()) return facts;
  std::erase_if(facts, [&](const Fact& fact) {
    return fact::WordOf(fact.key.kind) != options.kind;
  });
  return facts;
}

Result<std::vector<Fact>> FactsInStore(const FactsOptions& options) {
  const Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) {
    if (store.error().code() == ErrorCode::kNotFound) {
      return std::vector<Fact>();
    }
    return store.error();
  }
  return (*store)->Facts();
}

namespace {

// What is known here: of the file and of the store.
Result<std::vector<report::PlacedFact>> KnownFacts(
    const FactsOptions& options) {
  std::vector<Fact> written;
  if (const std::string file = FactsFileOf(options.facts); !file.empty()) {
    const Result<fact::Document> document = ReadFacts(file);
    if (!document) return document.error();
    written = fact::FactsOf(*document);
  }
  Result<std::vector<Fact>> kept = FactsInStore(options);
  if (!kept) return kept.error();
  return PlaceFacts(OfKind(std::move(written), options),
                    OfKind(*std::move(kept), options));
}

}  // namespace

Result<ExitCode> ShowFacts(const FactsOptions& options) {
  const Result<std::vector<report::PlacedFact>> known = KnownFacts(options);
  if (!known) return known.error();
  if (options.json) {
    PrintJson(stdout, report::FactsJson("facts show", *known));
  } else {
    Print(stdout, report::FactsText(*known));
  }
  return ExitCode::kNothingFound;
}

Result<ExitCode> DiffFacts(const FactsOptions& options) {
  const Result<fact::Document> first = ReadFacts(options.files[0]);
  if (!first) return first.error();
  std::vector<Fact> after;
  if (options.files.size() == 2) {
    const Result<fact::Document> second = ReadFacts(options.files[1]);
    if (!second) return second.error();
    after = OfKind(fact::FactsOf(*second), options);
  } else {
    const Result<std::vector<report::PlacedFact>> known = KnownFacts(options);
    if (!known) return known.error();
    for (const report::PlacedFact& each : *known) after.push_back(each.fact);
  }
  const std::vector<fact::Difference> differences =
      fact::Diff(OfKind(fact::FactsOf(*first), options), after);
  if (options.json) {
    PrintJson(stdout, report::DifferencesJson(differences));
  } else {
    Print(stdout, report::DifferencesText(differences));
  }
  return differences.empty() ? ExitCode::kNothingFound : ExitCode::kFindings;
}

}  // namespace fairlead::cli
