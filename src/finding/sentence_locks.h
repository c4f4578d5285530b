// finding/sentence_locks.h
//
// What the locks around three steps say about why one came between the other
// two: a lock is missing, is the wrong one, is given up in between.

#ifndef FAIRLEAD_FINDING_SENTENCE_LOCKS_H_
#define FAIRLEAD_FINDING_SENTENCE_LOCKS_H_

#include <string>

#include "finding/sentence_words.h"

namespace fairlead::finding {

struct LockVerdict {
  std::string kind = {};    // "lock missing", …; "" = they contradict it
  bool of_parts = false;    // a lock is held at one of the two steps only
  std::string advice = {};  // what holds what, and what would forbid it
};

// `first` and `second` are of one thread, `other` comes between; positions in
// the slice.
LockVerdict LocksAround(const Sliced& sliced, size_t first, size_t other,
                        size_t second, const SentenceWords& words);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SENTENCE_LOCKS_H_
