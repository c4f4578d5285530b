// finding/story.h
//
// What decided a failure, in roles: which two steps of one thread, and which
// step of another between them. finding/slice_for.h finds it,
// finding/sentence.h says it. Positions are indices into the trace that it was
// found in.

#ifndef FAIRLEAD_FINDING_STORY_H_
#define FAIRLEAD_FINDING_STORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "finding/finding.h"

namespace fairlead::finding {

enum class Plot : uint8_t {
  kNone,
  kLostUpdate,   // `first` reads, `other` writes, `second` overwrites it
  kInterrupted,  // `other` comes between two accesses to one place
  kOvertaken,    // `first` looks, `other` changes it, `second` acts on the look
  kAba,          // the same, and the value has come back
  kSplit,        // `first` reads one thing, `other` changes it, and something
                 // else, which `second` reads as it is then
  kHalf,         // `first` and `second` write two things, of which `other` sees
                 // one as it is and the other as it was
  kTooEarly,     // `first` reads what `other` writes only later
  kMissed,       // `first` looks, `other` changes it, `second` waits for that
  kFreed,        // `other` frees what `second` uses; `first` got the pointer
};

struct Story {
  Plot plot = Plot::kNone;
  std::optional<size_t> first, other, second;
  // Of a missed change: the signal that told of it. Of a value that came back:
  // where the thread read what it writes.
  std::optional<size_t> aside;
  // Of what is read too early: where it is written if all goes well.
  trace::Place missing = {};
  // Not proven, but it was forced when it failed, or loses what was written.
  bool likely = false;
  // What failed follows from it by values that were read. Else it is only
  // something suspicious in the same execution, and nobody should be told that
  // it is the cause.
  bool sure = false;
};

// A step of what was forced when it failed.
struct Forced {
  bool writes = false;
  trace::Place place = {};
};

// A thread that waits when nobody can go on.
struct Stuck {
  trace::Tid thread = trace::Tid::kMain;
  trace::Tid holder = trace::Tid::kNone;  // who would have to act, if known
  trace::EventKind operation = trace::EventKind::kLock;
  uint64_t object = 0;
  bool in_cycle = false;
  Where where = {};
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_STORY_H_
