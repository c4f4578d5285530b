// finding/sentence.h
//
// A story (finding/story.h) as one sentence for people: what kind of mistake it
// is, on which variable, by whom, where, and what would forbid it.
//
// Says less rather than something wrong: "" where the story is not sure, or the
// locks around its steps contradict it.

#ifndef FAIRLEAD_FINDING_SENTENCE_H_
#define FAIRLEAD_FINDING_SENTENCE_H_

#include <span>
#include <string>

#include "finding/finding.h"
#include "finding/slice_for.h"

namespace fairlead::finding {

// `sliced`: with the objects of its names as they are shown, locks too;
// `whole`: what it is a slice of.
std::string SentenceOf(Kind kind, const Sliced& sliced,
                       const trace::Trace& whole, std::span<const Stuck> stuck);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SENTENCE_H_
