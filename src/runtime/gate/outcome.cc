#include "runtime/gate/outcome.h"

#include "runtime/company/openmp.h"
#include "runtime/emit/emitter.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stack_writer.h"
#include "runtime/sites/features.h"
#include "runtime/sys/check.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

// Where `fairlead run --gdb` has its breakpoint: `words` say what has failed,
// in the thread that calls.
extern "C" __attribute__((visibility("default"), noinline)) void __fl_failure(
    const char* words) {
  asm volatile("" : : "r"(words) : "memory");
}

namespace fairlead::rt {
namespace {

abi::ThreadEnd EndOf(const Thread& thread) {
  switch (thread.state) {
    case ThreadState::kEnabled:
      return abi::ThreadEnd::kCouldRun;
    case ThreadState::kWaiting:
      return abi::ThreadEnd::kWaited;
    case ThreadState::kEnded:
      return abi::ThreadEnd::kOver;
  }
  return abi::ThreadEnd::kUnknown;
}

bool IsFailure(abi::Status status) {
  return status == abi::Status::kSignaled || status == abi::Status::kDeadlock ||
         status == abi::Status::kLivelock || status == abi::Status::kMisuse;
}

// How every thread stands.
void RecordThreads() {
  auto* entries =
      control_page()->entries<abi::ThreadEntry>(abi::RegionId::kThreads);
  for (size_t i = 0; i < gate().num_threads(); ++i) {
    if (i >= control_page()->region(abi::RegionId::kThreads).capacity) break;
    const Thread& thread = gate().thread(i);
    abi::ThreadEntry& entry = entries[i];
    entry.points = thread.count;
    entry.object = reinterpret_cast<uint64_t>(thread.intent.object);
    entry.site = thread.place.site;
    entry.node = thread.slot.node;
    entry.site_flags = thread.place.flags;
    entry.op = thread.intent.op;
    entry.end = EndOf(thread);
  }
}

// An end that is nobody's failure.
bool IsOrdinary(abi::Status status) {
  return status == abi::Status::kEnded || status == abi::Status::kReplaced;
}

}  // namespace

void TellDebugger(const char* words) { __fl_failure(words); }

void RecordOutcome(abi::Status status, const Thread* thread) {
  abi::ControlPage* page = control_page();
  if (page == nullptr || page->outcome.status != abi::Status::kRunning) return;
  abi::Outcome& outcome = page->outcome;
  outcome.thread = thread == nullptr ? Tid::kNone : thread->tid;
  if (thread != nullptr) {
    outcome.site = thread->place.site;
    outcome.site_flags = thread->place.flags;
    outcome.node = thread->slot.node;
  }
  outcome.num_threads = static_cast<uint16_t>(gate().num_threads());
  outcome.steps = gate().steps();
  outcome.points = gate().points();
  outcome.events = emitter().num_events();
  outcome.event_digest = emitter().digest();
  outcome.schedule_digest = schedule_writer().digest();
  outcome.schedule_lost = schedule_writer().lost();
  RecordThreads();
  if (thread != nullptr && IsFailure(status)) KeepStacks(*thread, nullptr);
  features().Finish(*page, gate().num_threads());
  emitter().Publish();
  if (!gate().FollowedToTheEnd() && status != abi::Status::kDivergence &&
      status != abi::Status::kInternal) {
    OutcomeText()
        .Put("divergence: the execution ended before the schedule: choice ")
        .Decimal(gate().following().followed + 1)
        .Put(" was never reached");
    outcome.divergence.choice = gate().following().followed;
    outcome.divergence.event = outcome.events;
    status = abi::Status::kDivergence;
  }
  // Pairs with the tool's acquire load: the outcome is whole.
  __atomic_store_n(reinterpret_cast<uint32_t*>(&outcome.status),
                   static_cast<uint32_t>(status), __ATOMIC_RELEASE);
  if (IsOrdinary(status)) return;
  ForgetOpenMpFile();
  TellDebugger(outcome.text);
}

void StopProcess() {
  const abi::Outcome& outcome = control_page()->outcome;
  Log(outcome.text);
  sys::ExitGroup(outcome.status == abi::Status::kInternal
                     ? abi::kInternalExitCode
                     : abi::kStoppedExitCode);
}

}  // namespace fairlead::rt
