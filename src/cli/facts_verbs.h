// cli/facts_verbs.h
//
// What each verb of `fairlead facts` does.

#ifndef FAIRLEAD_CLI_FACTS_VERBS_H_
#define FAIRLEAD_CLI_FACTS_VERBS_H_

#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/result.h"
#include "fact/fact.h"
#include "trace/site_table.h"

namespace fairlead::cli {

struct FactsOptions {
  std::string store;
  std::string facts;               // file; "" = fairlead.facts, if it is there
  std::string kind;                // "" = all
  std::vector<std::string> names;  // ids or kinds
  std::vector<std::string> files;
  std::string suppressions;          // an old file of these; "" = none
  std::string out;                   // file; "" = standard output
  std::vector<std::string> program;  // to suggest sets for; empty = none
  bool all = false;                  // also proposals
  bool json = false;
};

Result<fact::Kind> ParseFactKind(const std::string& word);

// Those of the kind that the user asked for.
std::vector<fact::Fact> OfKind(std::vector<fact::Fact> facts,
                               const FactsOptions& options);

// In facts_look.cc.
Result<ExitCode> ShowFacts(const FactsOptions& options);
Result<ExitCode> DiffFacts(const FactsOptions& options);

// In facts_decide.cc.
Result<ExitCode> SuggestFacts(const FactsOptions& options);
Result<ExitCode> AcceptFacts(const FactsOptions& options);
Result<ExitCode> RejectFacts(const FactsOptions& options);
Result<ExitCode> ForgetFacts(const FactsOptions& options);

// In facts_sets.cc.
Result<ExitCode> SuggestSets(const FactsOptions& options);
// What the tables of a program suggest: atomic sets and units.
std::vector<fact::Fact> SetsSuggestedBy(const trace::SiteTable& table);

// In facts_exchange.cc.
Result<ExitCode> ImportFacts(const FactsOptions& options);
Result<ExitCode> ExportFacts(const FactsOptions& options);
Result<ExitCode> MergeFactFiles(const FactsOptions& options);

// What the store has; nothing if there is no store.
Result<std::vector<fact::Fact>> FactsInStore(const FactsOptions& options);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_FACTS_VERBS_H_
