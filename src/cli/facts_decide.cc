#include <stdio.h>

#include <memory>

#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/facts.h"
#include "cli/facts_verbs.h"
#include "cli/findings.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

using fact::Fact;
using StorePointer = std::unique_ptr<store::Store>;

// Shorter beginnings of ids name too much.
constexpr size_t kLeastDigits = 4;

// Of the facts of a kind that is named as a whole.
enum class Which { kProposals, kAll };

// Facts that one word of the user's names.
Result<std::vector<Fact>> Named(const std::vector<Fact>& facts,
                                const std::string& word, Which which) {
  std::vector<Fact> named;
  if (const Result<fact::Kind> kind = ParseFactKind(word)) {
    for (const Fact& fact : facts) {
      if (fact.key.kind == *kind &&
          (which == Which::kAll || fact.state == fact::State::kProposed)) {
        named.push_back(fact);
      }
    }
    return named;
  }
  for (const Fact& fact : facts) {
    if (fact::IdOf(fact.key).starts_with(word)) named.push_back(fact);
  }
  if (word.size() < kLeastDigits || named.size() > 1) {
    return Error(ErrorCode::kUsage)
        .Say("'{}' could be more than one fact", word)
        .Hint("give more digits of its id; fairlead facts show has them");
  }
  if (named.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("the store has no fact '{}'", word)
        .Hint(
            "give an id of fairlead facts show, or a kind; one that stands "
            "only in a file is changed there");
  }
  return named;
}

// Does `change` to each fact that the user has named, and says so.
template <typename Change>
Result<ExitCode> ForEachNamed(const FactsOptions& options,
                              std::string_view what, Which which,
                              Change change) {
  Result<StorePointer> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  for (const std::string& word : options.names) {
    const Result<std::vector<Fact>> facts = (*store)->Facts();
    if (!facts) return facts.error();
    const Result<std::vector<Fact>> named = Named(*facts, word, which);
    if (!named) return named.error();
    if (named->empty()) {
      Note("no {} is {}", word, which == Which::kAll ? "kept" : "proposed");
    }
    for (const Fact& fact : *named) {
      if (Status done = change(**store, fact); !done) return done.error();
      Note("{}: {}", what, PrintableLine(fact::PrintKey(fact.key)));
    }
  }
  return ExitCode::kNothingFound;
}

Result<ExitCode> SetState(const FactsOptions& options, fact::State state) {
  return ForEachNamed(options, fact::WordOf(state), Which::kProposals,
                      [state](store::Store& store, Fact fact) {
                        fact.state = state;
                        return store.PutFact(fact);
                      });
}

// `text` as a pattern that matches nothing else.
std::string Literally(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("*?[]\\").contains(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// By the first place that is known, or by what was said.
Fact SuppressionOf(const store::StoredFinding& stored) {
  const finding::Finding& finding = stored.finding;
  std::string pattern = Literally(finding.message);
  for (const finding::Where& site : finding.sites) {
    const std::string& name =
        site.function.empty() ? site.place.file : site.function;
    if (name.empty()) continue;
    pattern = Literally(name);
    break;
  }
  return {.key = {fact::Kind::kSuppression,
                  {std::string(finding::WordOf(finding.kind)), pattern}},
          .state = fact::State::kProposed,
          .origin = fact::Origin::kLearnt,
          .runs = {fmt::format("finding-{}", static_cast<uint64_t>(stored.id))},
          .reason = fmt::format("ignored: {}", finding.message)};
}

// A finding that somebody ignores is one that others may want to suppress.
Result<std::vector<Fact>> SuggestSuppressions(store::Store& store) {
  const Result<std::vector<store::StoredFinding>> findings = store.Findings({});
  if (!findings) return findings.error();
  std::vector<Fact> facts;
  for (const store::StoredFinding& stored : *findings) {
    if (stored.status != store::FindingStatus::kIgnored) continue;
    Result<Fact> fact = fact::Checked(SuppressionOf(stored));
    if (fact) facts.push_back(*std::move(fact));
  }
  return facts;
}

}  // namespace

Result<ExitCode> AcceptFacts(const FactsOptions& options) {
  return SetState(options, fact::State::kAccepted);
}

Result<ExitCode> RejectFacts(const FactsOptions& options) {
  return SetState(options, fact::State::kRejected);
}

Result<ExitCode> ForgetFacts(const FactsOptions& options) {
  return ForEachNamed(options, "forgotten", Which::kAll,
                      [](store::Store& store, const Fact& fact) {
                        return store.ForgetFacts(std::span(&fact.key, 1));
                      });
}

Result<ExitCode> SuggestFacts(const FactsOptions& options) {
  if (!options.program.empty()) return SuggestSets(options);
  Result<StorePointer> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  if (const auto kind = fact::FindKind(options.kind);
      kind && *kind != fact::Kind::kSuppression) {
    Note("nothing suggests facts of kind {} yet; write them into {}",
         options.kind, kFactsFile);
  } else {
    const Result<std::vector<Fact>> suggested = SuggestSuppressions(**store);
    if (!suggested) return suggested.error();
    // What is decided already stays as it is.
    if (const auto merged = (*store)->MergeFacts(*suggested); !merged) {
      return merged.error();
    }
  }
  const Result<std::vector<Fact>> kept = (*store)->Facts();
  if (!kept) return kept.error();
  std::vector<Fact> written;
  if (const std::string file = FactsFileOf(options.facts); !file.empty()) {
    const Result<fact::Document> document = ReadFacts(file);
    if (!document) return document.error();
    written = fact::FactsOf(*document);
  }
  std::vector<report::PlacedFact> proposed =
      PlaceFacts(OfKind(std::move(written), options), OfKind(*kept, options));
  std::erase_if(proposed, [](const report::PlacedFact& each) {
    return each.fact.state != fact::State::kProposed;
  });
  if (options.json) {
    PrintJson(stdout, report::FactsJson("facts suggest", proposed));
    return ExitCode::kNothingFound;
  }
  Print(stdout, proposed.empty() ? "nothing is proposed\n"
                                 : report::FactsText(proposed));
  return ExitCode::kNothingFound;
}

}  // namespace fairlead::cli
