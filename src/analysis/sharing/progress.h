// analysis/sharing/progress.h
//
// Which writes show that a thread gets on with its work. A loop that looks at
// one variable again and again is taken for a spin, and its thread set aside
// (runtime/thread/spin.h), unless it changes something in between. If all that
// it changes is its own, and the sites of those writes are idle, nobody sees
// it: one of them has to stay.

#ifndef FAIRLEAD_ANALYSIS_SHARING_PROGRESS_H_
#define FAIRLEAD_ANALYSIS_SHARING_PROGRESS_H_

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/event.h"

namespace fairlead::analysis {

class Progress {
 public:
  // Repeats after which a loop could be taken for a spin.
  static constexpr uint32_t kRepeats = 5;

  // Consumes the next event of an execution.
  void OnEvent(const trace::Event& event);

  // Sites, by index: a read that a thread repeats, and the write that shows
  // that it does not spin there.
  const std::set<std::pair<uint32_t, uint32_t>>& pairs() const {
    return pairs_;
  }

 private:
  struct Thread {
    uint64_t num_writes = 0;
    uint32_t last_write = 0;  // site
  };
  struct Read {  // of one thread and site
    uint64_t address = 0;
    uint64_t value = 0;
    uint64_t num_writes = 0;  // of its thread, then
    uint32_t repeats = 0;     // with writes in between
  };

  std::vector<Thread> threads_;               // by Tid
  std::unordered_map<uint64_t, Read> reads_;  // by thread and site
  std::set<std::pair<uint32_t, uint32_t>> pairs_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_SHARING_PROGRESS_H_
