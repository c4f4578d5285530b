// fact/merge.h
//
// Facts of two people, of a file and a store, or of two campaigns made one; and
// what differs between two lots.

#ifndef FAIRLEAD_FACT_MERGE_H_
#define FAIRLEAD_FACT_MERGE_H_

#include <span>
#include <string>
#include <vector>

#include "fact/text.h"

namespace fairlead::fact {

// One accepts what the other rejects.
struct Conflict {
  Fact ours;
  Fact theirs;
};

struct Merged {
  std::vector<Fact> facts;  // by key
  std::vector<Conflict> conflicts;
};

// All facts of both. Of one that both have: a decision (accepted, rejected)
// outweighs a proposal, and so decides reason and origin, too; of two equal
// states, the origin that weighs more decides, and a reason outweighs none;
// runs are united. Contrary decisions are a conflict, in which ours stays. No
// key stands twice in either.
Merged Merge(std::span<const Fact> ours, std::span<const Fact> theirs);

// The same for files: comments of both stay, ours first.
struct MergedDocument {
  Document document;
  std::vector<Conflict> conflicts;
};
MergedDocument Merge(const Document& ours, const Document& theirs);

// A fact that only one has, or that is different in the other.
struct Difference {
  std::optional<Fact> before;
  std::optional<Fact> after;
};

// By key; empty = the same facts.
std::vector<Difference> Diff(std::span<const Fact> before,
                             std::span<const Fact> after);

}  // namespace fairlead::fact

#endif  // FAIRLEAD_FACT_MERGE_H_
