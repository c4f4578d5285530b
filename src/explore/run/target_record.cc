#include "explore/run/target_record.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "finding/thread_path.h"

namespace fairlead::explore {
namespace {

// In the order of finding/target_words.inc.
constexpr abi::TargetOperation kOperations[] = {
#define FL_OPERATION(name, word) abi::TargetOperation::name,
#include "finding/target_words.inc"
};

abi::TargetAdjacency AdjacencyOf(finding::Adjacency adjacency) {
  switch (adjacency) {
    case finding::Adjacency::kNone:
      return abi::TargetAdjacency::kNone;
    case finding::Adjacency::kNobody:
      return abi::TargetAdjacency::kNobody;
    case finding::Adjacency::kNotOwnThread:
      return abi::TargetAdjacency::kNotOwnThread;
    case finding::Adjacency::kWithin:
      return abi::TargetAdjacency::kWithin;
  }
  return abi::TargetAdjacency::kNone;
}

abi::TargetRelation RelationOf(finding::Relation relation) {
  switch (relation) {
    case finding::Relation::kItself:
    case finding::Relation::kLock:
      return abi::TargetRelation::kItself;
    case finding::Relation::kOverlaps:
      return abi::TargetRelation::kOverlaps;
    case finding::Relation::kInsideFreed:
      return abi::TargetRelation::kInsideFreed;
    case finding::Relation::kOtherField:
      return abi::TargetRelation::kOtherField;
  }
  return abi::TargetRelation::kItself;
}

abi::TargetValue ValueOf(finding::ValueIs value) {
  switch (value) {
    case finding::ValueIs::kAny:
      return abi::TargetValue::kAny;
    case finding::ValueIs::kZero:
      return abi::TargetValue::kZero;
    case finding::ValueIs::kNonzero:
      return abi::TargetValue::kNonzero;
  }
  return abi::TargetValue::kAny;
}

// Numbers for the names of roles, in the order in which they come.
class Roles {
 public:
  uint8_t Of(const std::string& name) {
    if (name.empty()) return abi::kNoRole;
    const auto found = std::ranges::find(names_, name);
    const auto index = static_cast<uint8_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(name);
    return index;
  }
  bool Has(const std::string& name) const {
    return std::ranges::find(names_, name) != names_.end();
  }
  size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
};

// The objects of steps, and those that they are related to.
Roles ObjectsOf(const finding::Target& target) {
  Roles objects;
  for (const finding::TargetStep& step : target.steps) objects.Of(step.object);
  // A relation is to an object that was declared before.
  for (const finding::ObjectRole& object : target.objects) {
    const bool used = objects.Has(object.name);
    if (used) objects.Of(object.other);
  }
  return objects;
}

// Whether a step only leads there: all its edges are soft preconditions.
bool IsOptional(const finding::Target& target, size_t step) {
  bool any = false;
  for (const finding::TargetEdge& edge : target.edges) {
    if (edge.before != step && edge.after != step) continue;
    if (!edge.precondition || edge.strength != finding::Strength::kSoft) {
      return false;
    }
    any = true;
  }
  return any;
}

bool HasValue(finding::Operation operation) {
  return operation == finding::Operation::kRead ||
         operation == finding::Operation::kWrite ||
         operation == finding::Operation::kRmw;
}

template <typename... Args>
Error Cannot(fmt::format_string<Args...> format, Args&&... args) {
  return Error(ErrorCode::kMalformed)
      .Say("the target cannot be forced: {}",
           fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace

Status CheckForcible(const finding::Target& target) {
  for (size_t i = 0; i < target.steps.size(); ++i) {
    const finding::TargetStep& step = target.steps[i];
    if (step.value != finding::ValueIs::kAny && !HasValue(step.operation)) {
      return Cannot("step {}: a {} has no value that could be zero", i + 1,
                    finding::WordOf(step.operation));
    }
  }
  if (target.edges.size() > abi::kMaxTargetEdges) {
    return Cannot("{} edges; at most {} fit", target.edges.size(),
                  abi::kMaxTargetEdges);
  }
  if (ObjectsOf(target).size() > abi::kMaxTargetObjects) {
    return Cannot("more than {} objects", abi::kMaxTargetObjects);
  }
  return {};
}

abi::TargetRecord RecordOf(const finding::Target& target) {
  FL_CHECK(target.steps.size() <= abi::kMaxTargetSteps);
  FL_CHECK(target.edges.size() <= abi::kMaxTargetEdges);
  abi::TargetRecord record = {};
  Roles threads;
  Roles units;
  Roles objects = ObjectsOf(target);
  FL_CHECK(objects.size() <= abi::kMaxTargetObjects);
  for (const finding::TargetStep& step : target.steps) {
    abi::TargetStepRecord& into = record.steps[record.num_steps];
    into.anchor = abi::SiteId{step.anchor};
    into.hold_at = abi::SiteId{step.hold_at};
    into.context = step.context;
    into.unit_context = step.unit_context;
    into.path = finding::ThreadPathOf(step.thread).value_or(0);
    into.occurrence = step.occurrence;
    into.operation = kOperations[static_cast<size_t>(step.operation)];
    into.thread = threads.Of(step.thread);
    into.object = objects.Of(step.object);
    into.unit = units.Of(step.unit);
    into.value = ValueOf(step.value);
    into.arrives = step.phase == finding::Phase::kArrive;
    into.optional = IsOptional(target, record.num_steps++);
  }
  for (const finding::ObjectRole& object : target.objects) {
    if (!objects.Has(object.name)) continue;
    abi::TargetObjectRecord& into = record.objects[objects.Of(object.name)];
    into.relation = RelationOf(object.relation);
    // One that no step is about, nor related to one, is never bound.
    into.other =
        objects.Has(object.other) ? objects.Of(object.other) : abi::kNoRole;
  }
  for (const finding::TargetEdge& edge : target.edges) {
    record.edges[record.num_edges++] = {
        .before = static_cast<uint8_t>(edge.before),
        .after = static_cast<uint8_t>(edge.after),
        .adjacency = AdjacencyOf(edge.adjacency),
        .soft = edge.strength == finding::Strength::kSoft,
        .within = edge.within};
  }
  return record;
}

uint64_t PlanFlagsFor(const finding::Target& target) {
  const auto has = [&](finding::Operation operation) {
    return std::ranges::find(target.steps, operation,
                             &finding::TargetStep::operation) !=
           target.steps.end();
  };
  uint64_t flags = 0;
  if (has(finding::Operation::kFree)) flags |= abi::kPlanFreePoints;
  if (has(finding::Operation::kClose)) flags |= abi::kPlanClosedUse;
  if (target.kind == "uninit") flags |= abi::kPlanFill;
  return flags;
}

abi::TargetProgress ProgressOf(const ControlMemory& memory) {
  const auto records = memory.Copy<abi::TargetRecord>(abi::RegionId::kTarget);
  return records.empty() ? abi::TargetProgress{} : records[0].progress;
}

}  // namespace fairlead::explore
