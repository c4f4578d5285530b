#include "explore/target_record.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"

namespace fairlead::explore {
namespace {

// In the order of finding/target_words.inc.
constexpr abi::TargetOperation kOperations[] = {
#define FL_OPERATION(name, word) abi::TargetOperation::name,
#include "finding/target_words.inc"
};

abi::TargetAdjacency AdjacencyOf(finding::Adjacency adjacency) {
  switch (adjacency) {
    case finding::Adjacency::kNobody:
      return abi::TargetAdjacency::kNobody;
    case finding::Adjacency::kNotOwnThread:
      return abi::TargetAdjacency::kNotOwnThread;
    case finding::Adjacency::kNone:
    case finding::Adjacency::kWithin:
      return abi::TargetAdjacency::kNone;
  }
  return abi::TargetAdjacency::kNone;
}

// Numbers for the names of roles, in the order in which they come.
class Roles {
 public:
  uint8_t Of(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    const auto index = static_cast<uint8_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(name);
    return index;
  }

 private:
  std::vector<std::string> names_;
};

// Whether the object of this role can be told by its address.
bool IsComparable(const finding::Target& target, const std::string& role) {
  for (const finding::ObjectRole& object : target.objects) {
    if (object.name == role) {
      return object.relation == finding::Relation::kItself ||
             object.relation == finding::Relation::kLock;
    }
  }
  return true;
}

}  // namespace

abi::TargetRecord RecordOf(const finding::Target& target) {
  FL_CHECK(target.steps.size() <= abi::kMaxTargetSteps);
  abi::TargetRecord record = {};
  Roles threads;
  Roles objects;
  for (const finding::TargetStep& step : target.steps) {
    const bool has_object =
        !step.object.empty() && IsComparable(target, step.object);
    record.steps[record.num_steps++] = {
        .anchor = abi::SiteId{step.anchor},
        .hold_at = abi::SiteId{step.hold_at},
        .occurrence = step.occurrence,
        .operation = kOperations[static_cast<size_t>(step.operation)],
        .thread = threads.Of(step.thread),
        .object = has_object ? objects.Of(step.object) : abi::kNoRole,
        .reserved = 0};
  }
  for (const finding::TargetEdge& edge : target.edges) {
    if (record.num_edges == abi::kMaxTargetEdges) break;
    record.edges[record.num_edges++] = {
        .before = static_cast<uint8_t>(edge.before),
        .after = static_cast<uint8_t>(edge.after),
        .adjacency = AdjacencyOf(edge.adjacency),
        .soft = edge.strength == finding::Strength::kSoft};
  }
  return record;
}

abi::TargetProgress ProgressOf(const ControlMemory& memory) {
  const auto records = memory.Copy<abi::TargetRecord>(abi::RegionId::kTarget);
  return records.empty() ? abi::TargetProgress{} : records[0].progress;
}

}  // namespace fairlead::explore
