// finding/target_words.h
//
// From the words of targets to what they mean; shared by the text form and
// JSON. None for a word that means nothing.

#ifndef FAIRLEAD_FINDING_TARGET_WORDS_H_
#define FAIRLEAD_FINDING_TARGET_WORDS_H_

#include <optional>
#include <string_view>

#include "finding/target.h"

namespace fairlead::finding {

std::optional<Operation> FindOperation(std::string_view word);
std::optional<Relation> FindRelation(std::string_view word);
std::optional<Success> FindSuccess(std::string_view word);

// "first", "any" or a number above 0.
std::optional<uint32_t> FindOccurrence(std::string_view word);
std::string OccurrenceWord(uint32_t occurrence);

// "object", "own-thread", "within:40", "none".
bool ParseAdjacency(std::string_view word, TargetEdge& edge);
std::string AdjacencyWord(const TargetEdge& edge);

std::optional<ValueIs> FindValueIs(std::string_view word);
std::string_view WordOf(ValueIs value);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_TARGET_WORDS_H_
