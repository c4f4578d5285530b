// cli/facts.h
//
// Where commands get facts from: the file that people commit (--facts, or
// fairlead.facts in the working directory) and the store. What the file says
// outweighs the store.

#ifndef FAIRLEAD_CLI_FACTS_H_
#define FAIRLEAD_CLI_FACTS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "analysis/declared.h"
#include "base/result.h"
#include "fact/merge.h"
#include "finding/suppressions.h"
#include "lin/comparison.h"
#include "report/facts.h"
#include "store/store.h"

namespace fairlead::cli {

// Used if it is there and no other is named.
inline constexpr char kFactsFile[] = "fairlead.facts";

void AddFactsOption(CLI::App& command, std::string& facts);

// The path of the file to read: `option`, or the one of the working directory;
// "" = there is none.
std::string FactsFileOf(const std::string& option);

// Errors have the file's name.
Result<fact::Document> ReadFacts(const std::string& path);

// The facts of both, by key; either may be empty.
std::vector<report::PlacedFact> PlaceFacts(
    const std::vector<fact::Fact>& in_file,
    const std::vector<fact::Fact>& in_store);

// The accepted ones that are suppressions.
finding::Suppressions SuppressionsOf(const std::vector<fact::Fact>& facts);
// Those about the program's data.
analysis::Declared DeclaredBy(const std::vector<fact::Fact>& facts);

// The accepted ones that say what of requests is not compared.
lin::Comparison ComparisonOf(const std::vector<fact::Fact>& facts);
// The same of the facts that a repetition goes by: those of fairlead.facts, if
// it is there, and of the store. What cannot be read is left out.
lin::Comparison ComparisonBeside(const std::string& store);

// The suppressions in an old file of nothing else, as facts.
Result<std::vector<fact::Fact>> ReadSuppressions(const std::string& path);

// Facts that are written somewhere: in the file that `option` names, and in the
// old file of suppressions `path` ("" = none). Notes which of them nothing goes
// by yet, unless it is to be quiet.
enum class Noise { kQuiet, kNotes };
Result<std::vector<fact::Fact>> WrittenFacts(const std::string& option,
                                             const std::string& path,
                                             Noise noise);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_FACTS_H_
