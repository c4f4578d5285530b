// base/closest.h
//
// What somebody may have meant who wrote a word that does not exist.

#ifndef FAIRLEAD_BASE_CLOSEST_H_
#define FAIRLEAD_BASE_CLOSEST_H_

#include <span>
#include <string>
#include <string_view>

namespace fairlead {

// The one of `known` that is closest to `word`: one that begins with it, or one
// that differs in few letters, exchanged neighbours counting once. "" = none is
// close. Of equally close ones, the first.
std::string ClosestOf(std::string_view word,
                      std::span<const std::string> known);

// "did you mean 'random'?"; "" = none is close.
std::string DidYouMean(std::string_view word,
                       std::span<const std::string> known);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_CLOSEST_H_
