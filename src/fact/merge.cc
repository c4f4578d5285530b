#include "fact/merge.h"

#include <algorithm>
#include <map>
#include <set>

namespace fairlead::fact {
namespace {

using ByKey = std::map<Key, Fact>;

ByKey Index(std::span<const Fact> facts) {
  ByKey index;
  for (const Fact& fact : facts) index.insert_or_assign(fact.key, fact);
  return index;
}

bool IsDecided(const Fact& fact) { return fact.state != State::kProposed; }

// Which of two facts with one key says how it is.
const Fact& Stronger(const Fact& ours, const Fact& theirs) {
  if (IsDecided(ours) != IsDecided(theirs)) {
    return IsDecided(ours) ? ours : theirs;
  }
  if (ours.state != theirs.state) return ours;  // a conflict
  return theirs.origin > ours.origin ? theirs : ours;
}

Fact MergeOne(const Fact& ours, const Fact& theirs) {
  const Fact& stronger = Stronger(ours, theirs);
  const Fact& weaker = &stronger == &ours ? theirs : ours;
  Fact merged = stronger;
  if (merged.reason.empty() && merged.state == weaker.state) {
    merged.reason = weaker.reason;
  }
  if (merged.origin == Origin::kLearnt) {
    merged.runs.insert(merged.runs.end(), weaker.runs.begin(),
                       weaker.runs.end());
    std::ranges::sort(merged.runs);
    merged.runs.erase(std::ranges::unique(merged.runs).begin(),
                      merged.runs.end());
  }
  return merged;
}

// Those of `more` that `lines` has not.
void AddLines(std::vector<std::string>& lines,
              std::span<const std::string> more) {
  for (const std::string& line : more) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
}

}  // namespace

Merged Merge(std::span<const Fact> ours, std::span<const Fact> theirs) {
  ByKey index = Index(ours);
  Merged merged;
  for (const auto& [key, fact] : Index(theirs)) {
    const auto [at, is_new] = index.emplace(key, fact);
    if (is_new) continue;
    if (IsDecided(at->second) && IsDecided(fact) &&
        at->second.state != fact.state) {
      merged.conflicts.push_back({at->second, fact});
    }
    at->second = MergeOne(at->second, fact);
  }
  for (auto& [key, fact] : index) merged.facts.push_back(std::move(fact));
  return merged;
}

MergedDocument Merge(const Document& ours, const Document& theirs) {
  Merged facts = Merge(FactsOf(ours), FactsOf(theirs));
  std::map<Key, std::vector<std::string>> comments;
  for (const Document* each : {&ours, &theirs}) {
    for (const Entry& entry : each->entries) {
      AddLines(comments[entry.fact.key], entry.comments);
    }
  }
  MergedDocument merged = {.document = {.header = ours.header,
                                        .entries = {},
                                        .trailing = ours.trailing},
                           .conflicts = std::move(facts.conflicts)};
  AddLines(merged.document.header, theirs.header);
  AddLines(merged.document.trailing, theirs.trailing);
  for (Fact& fact : facts.facts) {
    std::vector<std::string> lines = std::move(comments[fact.key]);
    merged.document.entries.push_back({std::move(lines), std::move(fact)});
  }
  return merged;
}

std::vector<Difference> Diff(std::span<const Fact> before,
                             std::span<const Fact> after) {
  const ByKey old_facts = Index(before);
  const ByKey new_facts = Index(after);
  std::set<Key> keys;
  for (const auto& [key, fact] : old_facts) keys.insert(key);
  for (const auto& [key, fact] : new_facts) keys.insert(key);
  std::vector<Difference> differences;
  for (const Key& key : keys) {
    const auto was = old_facts.find(key);
    const auto is = new_facts.find(key);
    Difference difference;
    if (was != old_facts.end()) difference.before = was->second;
    if (is != new_facts.end()) difference.after = is->second;
    if (difference.before != difference.after) {
      differences.push_back(std::move(difference));
    }
  }
  return differences;
}

}  // namespace fairlead::fact
