// runtime/emit/schedule_writer.h
//
// Writes down the schedule as it happens: real switches, options taken, inputs,
// into the control page, and a digest of all of them. What finds no room is
// counted, still enters the digest, and makes the schedule unfit for replay.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EMIT_SCHEDULE_WRITER_H_
#define FAIRLEAD_RUNTIME_EMIT_SCHEDULE_WRITER_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "abi/control.h"
#include "abi/schedule.h"
#include "runtime/thread/thread.h"
#include "sched/strategy.h"

namespace fairlead::rt {

class ScheduleWriter {
 public:
  void Begin(abi::ControlPage& page);

  // As another plan asks from here on: for a child of the fork server. Inputs
  // and the digest so far stay.
  void Renew(abi::ControlPage& page);

  void Chose(const abi::ChoiceRecord& choice);

  // A choice with all its candidates, for a search that wants to make another
  // one next time. Only while keeps_points(). A choice that finds no room, and
  // all behind it, are not kept, nor counted as lost: the search stops there.
  bool keeps_points() const { return max_seen_ != 0; }
  void Saw(const sched::Point& point, size_t picked, bool aside);

  // The `count`-th input of `tid`: `value`, and a payload in parts.
  void Input(Tid tid, uint32_t count, abi::InputKind kind, uint64_t value,
             const iovec* parts, size_t num_parts);

  // Something could not be written down: the schedule cannot be followed.
  void Lost() { ++lost_; }

  uint64_t digest() const { return digest_; }
  uint64_t lost() const { return lost_; }

 private:
  abi::ControlPage* page_ = nullptr;
  abi::ChoiceRecord* choices_ = nullptr;
  uint64_t num_choices_ = 0;
  uint64_t max_choices_ = 0;  // 0 = the plan asks for no record
  uint64_t digest_ = 0;
  uint64_t lost_ = 0;
  uint64_t num_seen_ = 0;
  uint64_t max_seen_ = 0;  // 0 = the plan asks for none
};

ScheduleWriter& schedule_writer();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_SCHEDULE_WRITER_H_
