// From facts to what of requests is not compared with serial orders.

#include "cli/facts.h"

namespace fairlead::cli {
namespace {

using lin::ReplyRule;
using lin::StateRule;

// The words that fact::Checked lets through.
StateRule StateRuleOf(std::string_view word) {
  if (word == "concurrent-within-sequential") {
    return StateRule::kConcurrentWithin;
  }
  if (word == "sequential-within-concurrent") return StateRule::kSerialWithin;
  return word == "ignore" ? StateRule::kIgnore : StateRule::kEqual;
}

ReplyRule ReplyRuleOf(std::string_view word) {
  if (word == "rows") return ReplyRule::kRows;
  return word == "ignore" ? ReplyRule::kText : ReplyRule::kNumbers;
}

}  // namespace

lin::Comparison ComparisonOf(const std::vector<fact::Fact>& facts) {
  std::vector<lin::ComponentRule> components;
  std::vector<lin::RequestRule> requests;
  std::vector<lin::Commutation> commutations;
  for (const fact::Fact& fact : facts) {
    if (!fact::IsInUse(fact)) continue;
    const std::vector<std::string>& subjects = fact.key.subjects;
    if (fact.key.kind == fact::Kind::kComponent) {
      components.push_back({subjects[0], StateRuleOf(subjects[1])});
    } else if (fact.key.kind == fact::Kind::kReply) {
      requests.push_back({subjects[0], ReplyRuleOf(subjects[1])});
    } else if (fact.key.kind == fact::Kind::kCommutes) {
      commutations.push_back({subjects[0], subjects[1]});
    }
  }
  return {std::move(components), std::move(requests), std::move(commutations)};
}

lin::Comparison ComparisonBeside(const std::string& store_path) {
  std::vector<fact::Fact> facts;
  if (const auto written = WrittenFacts("", "", Noise::kQuiet)) {
    facts = *written;
  }
  if (const auto store =
          store::OpenStore(store_path, store::IfMissing::kFail)) {
    if (const auto kept = (*store)->Facts()) {
      facts = fact::Merge(facts, *kept).facts;
    }
  }
  return ComparisonOf(facts);
}

}  // namespace fairlead::cli
