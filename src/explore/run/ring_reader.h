// explore/run/ring_reader.h
//
// The reader's end of the event ring (abi/control.h). The program waits while
// the ring is full, so whoever reads must keep reading until the program is
// gone, whatever becomes of what it read.

#ifndef FAIRLEAD_EXPLORE_RUN_RING_READER_H_
#define FAIRLEAD_EXPLORE_RUN_RING_READER_H_

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "abi/control.h"
#include "explore/run/control_memory.h"

namespace fairlead::explore {

class RingReader {
 public:
  explicit RingReader(const ControlMemory& memory);

  // Records that can be read now, in order; not all of them at once. Copies:
  // whatever the program does to its own, these stay as they are until the next
  // call. Empty if there are none.
  std::span<const abi::Event> Peek();

  // Gives the room of the first `number` records back to the program.
  void Release(size_t number);

  // Waits until there may be records, a signal arrives, or `limit` has passed.
  void Wait(std::chrono::milliseconds limit);

  // The same in two steps, for those who wait for other things as well: between
  // `BeginWait` and `EndWait` the program wakes who sleeps on `word` (futex)
  // while it is `value`. `ready`: there are records already.
  struct Bell {
    const void* word;
    uint32_t value;
    bool ready;
  };
  Bell BeginWait();
  void EndWait();

  uint64_t num_read() const { return tail_; }
  // More records than there is room for have been announced, or one names a
  // site or context that there is not: that was not the runtime. Nothing is
  // read any more.
  bool broken() const { return broken_; }

 private:
  // Numbers that records may name are below these.
  struct Limits {
    uint64_t sites = 0;
    uint64_t callers = 0;
    uint64_t nodes = 0;
  };
  bool Fits(const abi::Event& record);

  const ControlMemory& memory_;
  abi::RingCursors& cursors_;
  const abi::Event* records_;
  uint64_t capacity_;
  std::vector<abi::Event> copies_;
  Limits limits_;  // as when last looked at: they only grow
  uint64_t tail_ = 0;
  bool broken_ = false;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_RING_READER_H_
