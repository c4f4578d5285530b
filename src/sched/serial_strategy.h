// sched/serial_strategy.h
//
// Requests one at a time: a thread runs until it must wait, and a request
// begins only when no other thread can move, so that what the request before it
// left in the background is done. Which request may begin at all is the
// runtime's to say (runtime/model/requests.h): the others wait.
//
// Unsound: threads that never come to rest would keep requests out for ever;
// they get kPatience choices, then the request begins beside them.
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_SERIAL_STRATEGY_H_
#define FAIRLEAD_SCHED_SERIAL_STRATEGY_H_

#include "sched/record.h"
#include "sched/strategy.h"

namespace fairlead::sched {

class SerialStrategy final : public Strategy {
 public:
  // The paper's bound for a whole execution (PIKE, EuroSys 2011, section 3.3).
  static constexpr uint64_t kPatience = 50'000;

  void Begin(const ExecutionPlan&) noexcept override { kept_out_ = 0; }

  size_t Pick(const Point& point) noexcept override {
    if (IsOption(point)) return 0;
    const size_t begins = FirstThat(point, Begins::kYes);
    const size_t moves = Moving(point);
    if (moves == kNotEnabled) return Let(begins);
    if (begins == kNotEnabled) return moves;
    return ++kept_out_ > kPatience ? Let(begins) : moves;
  }

 private:
  enum class Begins : bool { kNo, kYes };

  static bool IsBegin(const Candidate& candidate) {
    return candidate.next == Op::kRequestBegin;
  }
  static size_t FirstThat(const Point& point, Begins begins) {
    for (size_t i = 0; i < point.enabled.size(); ++i) {
      if (IsBegin(point.enabled[i]) == (begins == Begins::kYes)) return i;
    }
    return kNotEnabled;
  }
  // The running thread, unless it is about to begin a request; else the oldest.
  static size_t Moving(const Point& point) {
    const size_t running = Find(point, point.running);
    if (running != kNotEnabled && !IsBegin(point.enabled[running])) {
      return running;
    }
    return FirstThat(point, Begins::kNo);
  }
  size_t Let(size_t begins) {
    kept_out_ = 0;
    return begins;
  }

  uint64_t kept_out_ = 0;  // choices while a request could have begun
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_SERIAL_STRATEGY_H_
