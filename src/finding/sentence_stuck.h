// finding/sentence_stuck.h
//
// Why nobody goes on, as a sentence: who holds what and wants what.

#ifndef FAIRLEAD_FINDING_SENTENCE_STUCK_H_
#define FAIRLEAD_FINDING_SENTENCE_STUCK_H_

#include <span>
#include <string>

#include "finding/finding.h"
#include "finding/sentence_words.h"
#include "finding/story.h"

namespace fairlead::finding {

// Who holds what others want; "" where nobody does.
std::string StuckSentence(Kind kind, const SentenceWords& words,
                          std::span<const Stuck> stuck);

// Which signal a thread waits for that did not come to it; "" where nobody
// knows. What the thread had tested before says more.
std::string WakeUpSentence(Kind kind, const SentenceWords& words,
                           std::span<const Stuck> stuck);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SENTENCE_STUCK_H_
