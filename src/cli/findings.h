// cli/findings.h
//
// What the commands about findings share: where the store is, how a finding is
// named on the command line, and what can be done with one.

#ifndef FAIRLEAD_CLI_FINDINGS_H_
#define FAIRLEAD_CLI_FINDINGS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "report/finding_list.h"
#include "store/store.h"

namespace fairlead::cli {

// The store of `fairlead test` in the current directory.
inline constexpr char kDefaultStore[] = ".fairlead/store.db";

void AddStoreOption(CLI::App& command, std::string& store);

// "1" or "#1".
Result<store::FindingId> ParseFindingId(const std::string& text);

// "fairlead show 1", with --store where that is not the default.
std::string FindingCommand(std::string_view verb, store::FindingId id,
                           const std::string& store);

// The program as the user wrote it when it was found.
std::string TypedName(const store::StoredFinding& stored);

// For reports; points into `stored`.
report::KeptFinding KeptOf(const store::StoredFinding& stored);

// What is shown of one that was loaded: the smaller execution, where there is
// one. `facts` gets lines about it.
finding::Finding SmallestOf(const store::StoredFinding& stored,
                            std::vector<std::string>& facts);

// "2026-11-16 07:02", local time.
std::string TimeText(uint64_t ms);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_FINDINGS_H_
