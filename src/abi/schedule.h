// abi/schedule.h
//
// A schedule as it lies in memory: the choices and inputs that, together with
// the program, are an execution. The control page carries one in (to be
// replayed) and one out (as recorded); files wrap the same records in a header
// that says of which program, build, arguments and seed they are.
//
//   choices   only real switches, in order: at its `count`-th coming to the
//             gate, `left` stopped and `next` went on. Between two records the
//             running thread goes on; where it cannot and one thread alone is
//             enabled, that one goes on, and nothing is recorded
//   inputs    in order per thread: the `count`-th input of `thread` is `value`
//             and `payload_bytes` bytes of payload
//
// A choice that is not between threads (fairlead_choose, a spurious wake-up, a
// time-out) has next == left and the option taken, counted from 0; option 0 is
// never recorded. Some of them (whether a timer goes off, whether a thread that
// spins goes on) are no coming to the gate of their own: they stand at the
// count of the last one, ahead of the switch there.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_SCHEDULE_H_
#define FAIRLEAD_ABI_SCHEDULE_H_

#include <stdint.h>

#include "abi/ids.h"

namespace fairlead::abi {

// History of the schedule format (newest first; readers refuse newer ones). Any
// change to where points are placed is a new number too.
//   4  quiet sites; yields forced by time; policies say which time-outs pass
//      early and when signals are delivered. Points: rule 2, as before.
//   3  inputs have meanings (runtime/outside/inputs.h). Points: rule 2.
//   2  choices carry the way of the thread that stopped; 1 is read as before.
//   1  first layout. Points: abi::PointRule 1.
inline constexpr uint32_t kScheduleVersion = 4;

// What makes a point; part of a schedule's identity.
//   3  counted from the beginning of main, unless choices were made ahead of
//   it;
//      signals that are due are delivered before a call returns; the return of
//      main is a point while others live.
//   2  calls on descriptors, too, whoever makes them.
//   1  instrumented accesses and atomics while two or more threads live and
//      the site is not idle, but not in the standard library's own code around
//      std::thread; every synchronisation call; thread begin and end.
inline constexpr uint32_t kPointRule = 3;

struct ChoiceRecord {
  Tid next;         // goes on
  Tid left;         // stopped, or ended; Tid::kNone at the start
  uint32_t count;   // how often `left` had come to the gate, this included
  SiteId anchor;    // where `left` stood; not matched when SiteId::kNone
  uint32_t option;  // when next == left: which option
  // Hash of the anchors at which `left` came to the gate until here, so that a
  // replay notices at once that it took another way. 0 = not known.
  uint32_t way;
};
static_assert(sizeof(ChoiceRecord) == 24);

// `way` after coming to the gate at `anchor`; the upper half is what a
// ChoiceRecord keeps.
constexpr uint64_t NextWay(uint64_t way, SiteId anchor) {
  return (way ^ static_cast<uint64_t>(anchor)) * 0x9e3779b97f4a7c15 + 1;
}

enum class InputKind : uint16_t {
#define FL_INPUT(name, word, asked) name,
#include "abi/inputs.inc"
#undef FL_INPUT
};

struct InputRecord {
  InputKind kind;
  Tid thread;
  uint32_t count;  // inputs of `thread` so far, this included
  uint64_t value;
  uint32_t payload_offset;  // into the payload bytes
  uint32_t payload_bytes;
};
static_assert(sizeof(InputRecord) == 24);

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_SCHEDULE_H_
