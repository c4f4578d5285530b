#include "base/patience.h"

#include <signal.h>

#include <algorithm>

namespace fairlead {
namespace {

using Clock = std::chrono::steady_clock;

volatile sig_atomic_t asked = 0;
std::optional<Clock::time_point> deadline;

}  // namespace

Enough HadEnough() {
  if (asked != 0) return Enough::kUser;
  if (deadline && Clock::now() >= *deadline) return Enough::kTime;
  return Enough::kNo;
}

Deadline::Deadline(std::optional<Clock::time_point> when) : before_(deadline) {
  if (when && (!deadline || *when < *deadline)) deadline = when;
}

Deadline::~Deadline() { deadline = before_; }

std::optional<Clock::time_point> CurrentDeadline() { return deadline; }

std::optional<std::chrono::nanoseconds> WithinDeadline(
    std::optional<std::chrono::nanoseconds> limit) {
  if (!deadline) return limit;
  const std::chrono::nanoseconds left = std::max<std::chrono::nanoseconds>(
      *deadline - Clock::now(), std::chrono::milliseconds(1));
  return limit ? std::min(*limit, left) : left;
}

void AskToStop(int signal) { asked = signal; }
int StopSignal() { return asked; }
void ForgetStop() { asked = 0; }

}  // namespace fairlead
