#include "runtime/model/shared.h"

#include <errno.h>

#include "runtime/gate/gate.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// Long against an attempt, short against what a person notices.
constexpr timespec kPause = {.tv_sec = 0, .tv_nsec = 200'000};
// Threads of ours that wait for each other's attempts have had their turns by
// then; so it is another process that all of them wait for.
constexpr uint32_t kAttemptsPerPause = 64;

}  // namespace

bool HasPassed(const Until& until) {
  if (until.when == nullptr) return false;
  timespec now = {};
  sys::Call(SYS_clock_gettime, until.clock, sys::Arg(&now));
  if (now.tv_sec != until.when->tv_sec) {
    return now.tv_sec > until.when->tv_sec;
  }
  return now.tv_nsec >= until.when->tv_nsec;
}

void LetOthersRun(Thread& thread, uint32_t attempts) {
  if (gate().enabled().size() == 1 || attempts % kAttemptsPerPause == 0) {
    sys::Call(SYS_nanosleep, sys::Arg(&kPause), 0);
    gate().Progressed(thread);  // for all we know
  }
  gate().Yielded(thread);
}

int AttemptShared(Thread& thread, EventKind op, void* object, Attempt attempt,
                  const Until& until, const Place& place) {
  CountUncontrolled(abi::Uncontrolled::kProcessShared);
  for (uint32_t attempts = 1;; ++attempts) {
    gate().Arrive(thread, {.op = op, .object = object}, place);
    const int result = attempt(object);
    if (result != EBUSY) {
      gate().Progressed(thread);
      return result;
    }
    if (HasPassed(until)) return ETIMEDOUT;
    LetOthersRun(thread, attempts);
  }
}

}  // namespace fairlead::rt
