#include "finding/target_words.h"

#include "base/text.h"

namespace fairlead::finding {
namespace {

constexpr std::string_view kWithin = "within:";

}  // namespace

std::optional<Operation> FindOperation(std::string_view word) {
#define FL_OPERATION(name, text) \
  if (word == text) return Operation::name;
#include "finding/target_words.inc"
  return {};
}

std::optional<Relation> FindRelation(std::string_view word) {
#define FL_RELATION(name, text) \
  if (word == text) return Relation::name;
#include "finding/target_words.inc"
  return {};
}

std::optional<Success> FindSuccess(std::string_view word) {
#define FL_SUCCESS(name, text) \
  if (word == text) return Success::name;
#include "finding/target_words.inc"
  return {};
}

std::optional<uint32_t> FindOccurrence(std::string_view word) {
  if (word == "any") return kAnyOccurrence;
  if (word == "first") return 1;
  const std::optional<uint64_t> number = ParseNumber(word);
  if (!number || *number == 0 || *number >> 32 != 0) return {};
  return static_cast<uint32_t>(*number);
}

std::string OccurrenceWord(uint32_t occurrence) {
  if (occurrence == kAnyOccurrence) return "any";
  return occurrence == 1 ? "first" : fmt::format("{}", occurrence);
}

bool ParseAdjacency(std::string_view word, TargetEdge& edge) {
  if (word.starts_with(kWithin)) {
    const auto number = ParseNumber(word.substr(kWithin.size()));
    if (!number || *number == 0 || *number >> 32 != 0) return false;
    edge.adjacency = Adjacency::kWithin;
    edge.within = static_cast<uint32_t>(*number);
    return true;
  }
#define FL_ADJACENCY(name, text)                               \
  if (word == text && Adjacency::name != Adjacency::kWithin) { \
    edge.adjacency = Adjacency::name;                          \
    return true;                                               \
  }
#include "finding/target_words.inc"
  return false;
}

std::string AdjacencyWord(const TargetEdge& edge) {
  if (edge.adjacency == Adjacency::kWithin) {
    return fmt::format("{}{}", kWithin, edge.within);
  }
  return std::string(WordOf(edge.adjacency));
}

std::optional<ValueIs> FindValueIs(std::string_view word) {
  if (word == "any") return ValueIs::kAny;
  if (word == "zero") return ValueIs::kZero;
  if (word == "nonzero") return ValueIs::kNonzero;
  return {};
}

std::string_view WordOf(ValueIs value) {
  switch (value) {
    case ValueIs::kAny:
      return "any";
    case ValueIs::kZero:
      return "zero";
    case ValueIs::kNonzero:
      return "nonzero";
  }
  return "any";
}

}  // namespace fairlead::finding
