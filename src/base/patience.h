// base/patience.h
//
// How long somebody waits for this process: until a deadline (--time), or until
// the user wants it to stop. One for the whole process, since what takes long
// lies deep down, in analyses and loops over events that know nothing of
// commands: each of them asks now and then, leaves what it has, and comes back.
//
//   const Deadline deadline(Clock::now() + budget);
//   for (...) {
//     if (i % 4096 == 0 && ShouldStop()) break;
//     ...
//   }
//
// Threads: one; AskToStop may be called from a signal handler.

#ifndef FAIRLEAD_BASE_PATIENCE_H_
#define FAIRLEAD_BASE_PATIENCE_H_

#include <chrono>
#include <optional>

namespace fairlead {

enum class Enough { kNo, kTime, kUser };

// Whether work should come to its end. The user's wish goes first. Costs a look
// at the clock where there is a deadline.
Enough HadEnough();
inline bool ShouldStop() { return HadEnough() != Enough::kNo; }

// Holds while it exists, unless one that was there before comes earlier.
class Deadline {
 public:
  explicit Deadline(std::optional<std::chrono::steady_clock::time_point> when);
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline();

 private:
  std::optional<std::chrono::steady_clock::time_point> before_;
};

// The moment; none = there is no deadline.
std::optional<std::chrono::steady_clock::time_point> CurrentDeadline();

// `limit`, or the time until the deadline if that is less, but at least a
// millisecond: where none means no limit, nothing must not mean that.
std::optional<std::chrono::nanoseconds> WithinDeadline(
    std::optional<std::chrono::nanoseconds> limit);

// The user wants to stop, by this signal; it is the last word until ForgetStop.
void AskToStop(int signal);
int StopSignal();  // 0 = not asked
void ForgetStop();

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_PATIENCE_H_
