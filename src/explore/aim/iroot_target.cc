#include "explore/aim/iroot_target.h"

#include <fmt/format.h>

namespace fairlead::explore {
namespace {

namespace iroot = analysis::iroot;
using Facts = std::map<uint64_t, SiteFacts>;
using finding::Adjacency;
using finding::Target;
using iroot::IRoot;

// Letters of the steps, in an order that keeps each thread's own.
std::string_view OrderOf(const IRoot& root) {
  switch (root.idiom) {
    case 1:
      return "AB";
    case 2:
      return "ABC";
    case 5:
      return "ACBD";
    case 6:
      return "ACBD";
    default:
      return "ABCD";
  }
}

const SiteFacts* FactsOf(uint64_t anchor, const Facts& facts) {
  const auto found = facts.find(anchor);
  return found == facts.end() ? nullptr : &found->second;
}

finding::Operation OperationOf(const iroot::Step& step, const SiteFacts* fact) {
  switch (step.operation) {
    case iroot::Operation::kLock:
      return finding::Operation::kLock;
    case iroot::Operation::kUnlock:
      return finding::Operation::kUnlock;
    case iroot::Operation::kRead:
    case iroot::Operation::kWrite:
      break;
  }
  if (fact != nullptr && fact->update) return finding::Operation::kRmw;
  return step.operation == iroot::Operation::kRead ? finding::Operation::kRead
                                                   : finding::Operation::kWrite;
}

bool IsLockStep(const iroot::Step& step) {
  return step.operation == iroot::Operation::kLock ||
         step.operation == iroot::Operation::kUnlock;
}

class Builder {
 public:
  Builder(const IRoot& root, const Facts& facts,
          const iroot::Candidate& candidate)
      : root_(root), facts_(facts), candidate_(candidate) {}

  Target Build() {
    target_.kind = fmt::format("iroot-{}", root_.idiom);
    const bool two = root_.idiom >= 4;
    AddObject("x", root_.steps[0]);
    if (two) AddObject("y", root_.steps[2]);
    for (const char letter : OrderOf(root_)) AddStep(letter, two);
    if (root_.is_deadlock()) {
      Deadlock();
    } else {
      AddEdges();
    }
    return std::move(target_);
  }

 private:
  void AddObject(const char* name, const iroot::Step& step) {
    target_.objects.push_back({name,
                               IsLockStep(step) ? finding::Relation::kLock
                                                : finding::Relation::kItself,
                               ""});
  }
  void AddStep(char letter, bool two) {
    const auto index = static_cast<size_t>(letter - 'A');
    const iroot::Step& step = root_.steps[index];
    const SiteFacts* fact = FactsOf(step.place, facts_);
    finding::TargetStep made;
    made.thread = iroot::ThreadOfStep(root_.idiom, index) == 0 ? "a" : "b";
    made.operation = OperationOf(step, fact);
    made.object = two && index >= 2 ? "y" : "x";
    made.anchor = step.place;
    // What comes first decides about the location; the others have to follow.
    if (letter == 'A') made.occurrence = candidate_.occurrences[index];
    if (fact != nullptr) made.place = fact->place;
    index_of_[index] = static_cast<uint32_t>(target_.steps.size());
    target_.steps.push_back(std::move(made));
  }
  void Edge(char before, char after, Adjacency adjacency) {
    target_.edges.push_back(
        {.before = index_of_[static_cast<size_t>(before - 'A')],
         .after = index_of_[static_cast<size_t>(after - 'A')],
         .adjacency = adjacency});
    if (adjacency == Adjacency::kWithin) {
      target_.edges.back().within = static_cast<uint32_t>(iroot::kWindow);
    }
  }

  void AddEdges() {
    constexpr Adjacency kImmediate = Adjacency::kNobody;
    Edge('A', 'B', kImmediate);
    switch (root_.idiom) {
      case 1:
        return;
      case 2:
        Edge('B', 'C', kImmediate);
        Edge('A', 'C', Adjacency::kWithin);
        return;
      case 3:
      case 4:
        Edge('C', 'D', kImmediate);
        Edge('A', 'D', Adjacency::kNotOwnThread);
        Edge('B', 'C', Adjacency::kWithin);
        return;
      case 5:
        Edge('C', 'D', kImmediate);
        Edge('A', 'D', Adjacency::kWithin);
        Edge('C', 'B', Adjacency::kWithin);
        return;
      default:
        Edge('C', 'D', kImmediate);
        Edge('A', 'C', Adjacency::kWithin);
        Edge('B', 'D', Adjacency::kWithin);
        return;
    }
  }

  // Both locks are taken before either thread asks for its second one.
  void Deadlock() {
    target_.success = finding::Success::kDeadlock;
    for (const char letter : {'B', 'D'}) {
      const uint32_t asks = index_of_[static_cast<size_t>(letter - 'A')];
      target_.steps[asks].phase = finding::Phase::kArrive;
      Edge('A', letter, Adjacency::kNone);
      Edge('C', letter, Adjacency::kNone);
    }
  }

  const IRoot& root_;
  const Facts& facts_;
  const iroot::Candidate& candidate_;
  Target target_;
  uint32_t index_of_[iroot::kMaxSteps] = {};
};

std::string StepText(const iroot::Step& step, const Facts& facts) {
  std::string text(iroot::WordOf(step.operation));
  const SiteFacts* fact = FactsOf(step.place, facts);
  if (fact == nullptr) return text + fmt::format(" at {:#x}", step.place);
  const std::string place =
      fact->place.file.empty()
          ? fmt::format("{:#x}", step.place)
          : fmt::format("{}:{}", fact->place.file, fact->place.line);
  text += " at " + place;
  if (!fact->function.empty()) text += " (" + fact->function + ")";
  return text;
}

}  // namespace

Target TargetOf(const IRoot& root, const Facts& facts,
                const iroot::Candidate& candidate) {
  return Builder(root, facts, candidate).Build();
}

std::string SentenceOf(const IRoot& root, const Facts& facts) {
  std::string text;
  const auto steps = root.used();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i != 0) text += steps.size() == 4 && i == 2 ? "; and " : ", then ";
    text += StepText(steps[i], facts);
  }
  return text;
}

}  // namespace fairlead::explore
