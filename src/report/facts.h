// report/facts.h
//
// Facts as people and machines read them: what `fairlead facts` prints.

#ifndef FAIRLEAD_REPORT_FACTS_H_
#define FAIRLEAD_REPORT_FACTS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "fact/merge.h"

namespace fairlead::report {

// A fact, and where it stands.
struct PlacedFact {
  fact::Fact fact;
  bool in_file = false;
  bool in_store = false;
};

// By kind, each with its title; says which kinds nothing goes by yet.
std::string FactsText(std::span<const PlacedFact> facts);
Json FactsJson(std::string_view command, std::span<const PlacedFact> facts);

// Lines that begin with - (before) and + (after).
std::string DifferencesText(std::span<const fact::Difference> differences);
Json DifferencesJson(std::span<const fact::Difference> differences);

// "unit f: accepted here, rejected in theirs.facts; kept as accepted".
std::string ConflictText(const fact::Conflict& conflict,
                         std::string_view theirs);

// "atomic-set (2), unit (1)": accepted facts of kinds that nothing goes by
// yet; "" = there are none.
std::string UnusedText(std::span<const fact::Fact> facts);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_FACTS_H_
