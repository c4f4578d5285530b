// cli/guard_facts.h
//
// Belonging sets as facts, and as the file of rules that a guard reads.
//
// One fact is one pair: a site and an allowed predecessor, both by anchor. The
// set of a site is the union of its accepted facts, so what two people have
// learnt can be merged line by line. A fact that was learnt from runs of a
// program holds for programs of that name; one that somebody has declared holds
// for all.

#ifndef FAIRLEAD_CLI_GUARD_FACTS_H_
#define FAIRLEAD_CLI_GUARD_FACTS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/invariant/belonging_sets.h"
#include "fact/fact.h"

namespace fairlead::cli {

// Where an execution that sets were learnt from came from.
inline constexpr std::string_view kNativeSource = "native";

// The place of an anchor in words ("put() at cache.c:91"), or "".
using PlaceWords = std::function<std::string(uint64_t anchor)>;

std::vector<fact::Fact> FactsOfSets(const analysis::BelongingSets& sets,
                                    fact::State state,
                                    const std::string& program,
                                    std::string_view source,
                                    const PlaceWords& words);

// The accepted pairs for a program. What is no pair of anchors is left out. A
// predecessor without a history stands for all of them.
analysis::BelongingSets SetsOfFacts(const std::vector<fact::Fact>& facts,
                                    const std::string& program);

// The file of rules (abi/guard_rules.h). `before`: the anchors of an earlier
// file, which keep their numbers. Without `told` histories every predecessor is
// allowed with any history.
std::string RulesOf(const analysis::BelongingSets& sets,
                    const std::string& program, bool with_histories,
                    const std::vector<uint64_t>& before = {});

// The anchors of a file of rules, in their order; empty if it is none.
std::vector<uint64_t> AnchorsOfRulesUntrusted(std::string_view file);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_GUARD_FACTS_H_
