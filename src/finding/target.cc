#include "finding/target.h"

#include <algorithm>
#include <map>

#include "base/digest.h"
#include "finding/thread_path.h"

namespace fairlead::finding {
namespace {

constexpr std::string_view kOperations[] = {
#define FL_OPERATION(name, word) word,
#include "finding/target_words.inc"
};
constexpr std::string_view kRelations[] = {
#define FL_RELATION(name, word) word,
#include "finding/target_words.inc"
};
constexpr std::string_view kAdjacencies[] = {
#define FL_ADJACENCY(name, word) word,
#include "finding/target_words.inc"
};
constexpr std::string_view kSuccesses[] = {
#define FL_SUCCESS(name, word) word,
#include "finding/target_words.inc"
};

template <typename... Args>
Error Wrong(fmt::format_string<Args...> format, Args&&... args) {
  return Error(ErrorCode::kMalformed)
      .Say("{}", fmt::format(format, std::forward<Args>(args)...));
}

const ObjectRole* FindObject(const Target& target, std::string_view name) {
  const auto found = std::ranges::find(target.objects, name, &ObjectRole::name);
  return found == target.objects.end() ? nullptr : &*found;
}

// Roles are words that no other part of a line can be taken for.
bool IsRole(std::string_view text) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";
  return !text.empty() &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

Status CheckObjects(const Target& target) {
  for (size_t i = 0; i < target.objects.size(); ++i) {
    const ObjectRole& object = target.objects[i];
    if (!IsRole(object.name)) {
      return Wrong("'{}' is no name for an object", object.name);
    }
    if (FindObject(target, object.name) != &object) {
      return Wrong("two objects are called '{}'", object.name);
    }
    const bool alone = object.relation == Relation::kItself ||
                       object.relation == Relation::kLock;
    if (alone != object.other.empty()) {
      return Wrong("object '{}' needs {}", object.name,
                   alone ? "no other object" : "another object");
    }
    const ObjectRole* other = FindObject(target, object.other);
    if (!alone && (other == nullptr || other >= &object)) {
      return Wrong("object '{}' is related to '{}', which is not declared yet",
                   object.name, object.other);
    }
  }
  return {};
}

Status CheckSteps(const Target& target) {
  if (target.steps.empty()) return Wrong("a target without steps");
  if (target.steps.size() > kMaxSteps) {
    return Wrong("{} steps; at most {} fit", target.steps.size(), kMaxSteps);
  }
  for (size_t i = 0; i < target.steps.size(); ++i) {
    const TargetStep& step = target.steps[i];
    if (!IsRole(step.thread)) {
      return Wrong("step {}: '{}' is no name for a thread", i + 1, step.thread);
    }
    if (!step.unit.empty() && !IsRole(step.unit)) {
      return Wrong("step {}: '{}' is no name for a unit", i + 1, step.unit);
    }
    if (!step.object.empty() && FindObject(target, step.object) == nullptr) {
      return Wrong("step {} is about '{}', which is no object", i + 1,
                   step.object);
    }
    if (step.object.empty() && step.anchor == 0 && step.place.file.empty()) {
      return Wrong("step {} has neither an object nor an anchor nor a place",
                   i + 1);
    }
  }
  return {};
}

Status CheckEdge(const Target& target, const TargetEdge& edge) {
  const size_t n = target.steps.size();
  if (edge.before >= n || edge.after >= n) {
    return Wrong("an edge {} -> {}, but there are {} steps", edge.before + 1,
                 edge.after + 1, n);
  }
  if ((edge.adjacency == Adjacency::kWithin) != (edge.within != 0)) {
    return Wrong("edge {} -> {}: a distance goes with 'within', and only there",
                 edge.before + 1, edge.after + 1);
  }
  for (const std::string& lock : edge.opens) {
    const ObjectRole* object = FindObject(target, lock);
    if (object == nullptr || object->relation != Relation::kLock) {
      return Wrong("edge {} -> {}: '{}' is no lock", edge.before + 1,
                   edge.after + 1, lock);
    }
  }
  return {};
}

// Steps that can be ordered one after the other are taken away until none is
// left; what remains is a cycle.
Status CheckOrder(const Target& target) {
  std::vector<bool> taken(target.steps.size());
  for (size_t round = 0; round < target.steps.size(); ++round) {
    size_t next = 0;
    const auto waits = [&](size_t step) {
      return std::ranges::any_of(target.edges, [&](const TargetEdge& edge) {
        return edge.after == step && !taken[edge.before];
      });
    };
    while (next < taken.size() && (taken[next] || waits(next))) ++next;
    if (next == taken.size()) return Wrong("the edges form a cycle");
    taken[next] = true;
  }
  return {};
}

// Of a step, all but its roles: what survives renaming.
uint64_t StepDigest(const TargetStep& step, const Target& target) {
  Digester digest;
  digest.Add(step.anchor);
  digest.Add(step.context);
  if (step.unit_context != 0) digest.Add(step.unit_context);
  digest.Add(step.hold_at);
  digest.Add(step.occurrence);
  if (const auto path = ThreadPathOf(step.thread)) digest.Add(*path);
  digest.Add(static_cast<uint8_t>(step.operation));
  digest.Add(static_cast<uint8_t>(step.value));
  digest.Add(static_cast<uint8_t>(step.phase));
  const ObjectRole* object = FindObject(target, step.object);
  digest.Add(static_cast<uint8_t>(
      object == nullptr ? 0xff : static_cast<uint8_t>(object->relation)));
  return digest.Value();
}

// Numbers roles in the order in which they are asked for.
class Numbering {
 public:
  uint32_t Of(const std::string& role) {
    if (role.empty()) return 0;
    return numbers_.try_emplace(role, numbers_.size() + 1).first->second;
  }

 private:
  std::map<std::string, uint32_t> numbers_;
};

}  // namespace

std::string_view WordOf(Operation operation) {
  return kOperations[static_cast<size_t>(operation)];
}
std::string_view WordOf(Relation relation) {
  return kRelations[static_cast<size_t>(relation)];
}
std::string_view WordOf(Adjacency adjacency) {
  return kAdjacencies[static_cast<size_t>(adjacency)];
}
std::string_view WordOf(Success success) {
  return kSuccesses[static_cast<size_t>(success)];
}

Status CheckTarget(const Target& target) {
  if (!target.kind.empty() && !IsRole(target.kind)) {
    return Wrong("'{}' is no kind of target", target.kind);
  }
  if (Status status = CheckObjects(target); !status) return status;
  if (Status status = CheckSteps(target); !status) return status;
  for (const TargetEdge& edge : target.edges) {
    if (Status status = CheckEdge(target, edge); !status) return status;
  }
  return CheckOrder(target);
}

uint64_t IdentityOf(const Target& target) {
  // Steps in an order that does not depend on their numbers.
  std::vector<std::pair<uint64_t, uint32_t>> order;
  for (uint32_t i = 0; i < target.steps.size(); ++i) {
    order.emplace_back(StepDigest(target.steps[i], target), i);
  }
  std::ranges::sort(order);
  std::vector<uint32_t> rank(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i].second] = i;

  Digester digest;
  digest.Add(static_cast<uint8_t>(target.success));
  Numbering threads;
  Numbering units;
  Numbering objects;
  for (const auto& [step_digest, index] : order) {
    const TargetStep& step = target.steps[index];
    digest.Add(step_digest);
    digest.Add(threads.Of(step.thread));
    digest.Add(units.Of(step.unit));
    digest.Add(objects.Of(step.object));
  }
  std::vector<std::vector<uint32_t>> edges;
  for (const TargetEdge& edge : target.edges) {
    if (edge.before >= rank.size() || edge.after >= rank.size()) continue;
    edges.push_back({rank[edge.before], rank[edge.after],
                     static_cast<uint32_t>(edge.adjacency), edge.within,
                     static_cast<uint32_t>(edge.strength),
                     static_cast<uint32_t>(edge.precondition),
                     static_cast<uint32_t>(edge.opens.size())});
  }
  std::ranges::sort(edges);
  for (const std::vector<uint32_t>& edge : edges) {
    digest.Add(std::as_bytes(std::span(edge)));
  }
  return std::max<uint64_t>(digest.Value(), 1);
}

}  // namespace fairlead::finding
