#include "runtime/model/sleep.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/deadline.h"

namespace fairlead::rt {
namespace {

bool Never(const Thread&) { return false; }

uint64_t Sleep(Thread& thread, uint64_t deadline_ns, uint64_t value,
               const Place& place) {
  const Intent intent = {.op = EventKind::kSleep,
                         .object = nullptr,
                         .ready = Never,
                         .deadline_ns = deadline_ns,
                         .in_earnest = thread.detached,
                         .interruption = Interruption::kAlways};
  // Those who are to wake up earlier do. A detached thread that sleeps is a
  // watchdog or does something from time to time: others need not fear that
  // its hour passes before they have had their minute.
  const bool in_order =
      thread.detached || gate().earliest_deadline_ns() < deadline_ns;
  const Wake wake = in_order ? ArriveCancelable(thread, intent, place)
                             : AwaitCancelable(thread, intent, place);
  if (wake == Wake::kCanceled) CancelSelf(thread);
  emitter().Emit(thread, EventKind::kSleep, abi::kFlagPoint, nullptr, value);
  if (wake != Wake::kInterrupted) return 0;
  const uint64_t now = gate().now_ns();
  // Not 0, which would be no interruption.
  return deadline_ns > now ? deadline_ns - now : 1;
}

}  // namespace

uint64_t SleepFor(Thread& thread, uint64_t ns, const Place& place) {
  // A century, lest the sum overflow.
  constexpr uint64_t kLongest = uint64_t{100} * 365 * 86'400 * 1'000'000'000;
  const uint64_t bounded = ns < kLongest ? ns : kLongest;
  return Sleep(thread, gate().now_ns() + bounded, ns, place);
}

uint64_t SleepUntil(Thread& thread, uint64_t deadline_ns, const Place& place) {
  // How long it is depends on the real clock: not a fact of the execution.
  return Sleep(thread, deadline_ns, 0, place);
}

void Yield(Thread& thread, const Place& place) {
  gate().Yielded(thread);
  gate().Arrive(thread, {.op = EventKind::kYield, .object = nullptr}, place);
  emitter().Emit(thread, EventKind::kYield, abi::kFlagPoint, nullptr, 0);
}

}  // namespace fairlead::rt
