#include "runtime/intercept/sanitizer.h"

#include <string.h>

#include "runtime/alloc/heap.h"
#include "runtime/company/report.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/hook.h"
#include "runtime/gate/outcome.h"
#include "runtime/model/mappings.h"
#include "runtime/model/objects.h"
#include "runtime/sys/own_process.h"
#include "runtime/sys/page.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {
namespace {

bool summed_up = false;  // a report has had its summary

bool InControlledProcess() {
  return control_page() != nullptr && InOwnProcess();
}

// Keeps the sentence of a report for the outcome; the last one of the first
// report counts.
void Describe(Thread* thread, const char* line) {
  Text text = OutcomeText();
  text.Put("sanitizer: ");
  if (thread != nullptr) {
    PutThreadName(text, *thread);
    text.Put(": ");
  }
  text.Put(line);
}

// Called with every piece that a sanitizer prints.
void OnPrint(const char* printed) {
  if (!InControlledProcess() || printed == nullptr) return;
  char line[512];
  const Heard heard = HearPrinted(printed, line, sizeof(line));
  if (heard == Heard::kNothing) return;
  Thread* thread = tls_self;
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.status != abi::Status::kRunning) return;
  const bool first = outcome.misuse == abi::Misuse::kNone;
  if (heard == Heard::kReport && thread != nullptr) {
    emitter().Emit(*thread, EventKind::kMisuse, 0, nullptr,
                   static_cast<uint64_t>(abi::Misuse::kSanitizer));
  }
  if (heard == Heard::kReport && first) {
    outcome.misuse = abi::Misuse::kSanitizer;
    Describe(thread, line);
    TellDebugger(outcome.text);
  }
  // UndefinedBehaviorSanitizer's summary says less than its first line.
  if (heard == Heard::kSummary && !summed_up &&
      strstr(line, "UndefinedBehaviorSanitizer") == nullptr) {
    summed_up = true;
    Describe(thread, line);
  }
}

// A sanitizer is about to end the process, past libc's ways out.
void OnDeath() {
  if (!InControlledProcess()) return;
  Thread* thread = tls_self;
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.status != abi::Status::kRunning) return;
  if (outcome.misuse == abi::Misuse::kNone) {
    outcome.misuse = abi::Misuse::kSanitizer;
    Describe(thread, "a sanitizer ended the program; its words are above");
  }
  RecordOutcome(abi::Status::kMisuse, thread);
  if (thread != nullptr) thread->slot.inside = 1;
}

Place PlaceInProgram(Thread& thread) {
  SettleContext(thread);
  return thread.slot.node != 0 ? PlaceOfCall(thread, nullptr) : Place{};
}

void EmitBlock(Thread& thread, EventKind kind, const void* address,
               size_t bytes, uint64_t number) {
  thread.place = PlaceInProgram(thread);
  emitter().Emit(thread, kind, 0, address, bytes,
                 {.kind = EventKind::kExtBlock,
                  .address = 0,
                  .value = number,
                  .site = static_cast<uint32_t>(abi::BlockClass::kHeap),
                  .node = 0});
}

void OnMalloc(const volatile void* address, size_t bytes) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled() || address == nullptr) return;
  EmitBlock(hook.thread(), EventKind::kAlloc, const_cast<void*>(address), bytes,
            NumberBlock());
}

// Which number the block had is not kept: readers find it by its address.
void OnFree(const volatile void* address) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled() || address == nullptr) return;
  void* block = const_cast<void*>(address);
  const size_t bytes = SizeOfBlock(block);
  ForgetWrite(hook.thread());
  EndObjectsIn(block, bytes);
  EmitBlock(hook.thread(), EventKind::kFree, block, bytes, 0);
}

}  // namespace

constinit const SanitizerHooks sanitizer_hooks = {.on_print = OnPrint,
                                                  .on_death = OnDeath,
                                                  .on_malloc = OnMalloc,
                                                  .on_free = OnFree};

}  // namespace fairlead::rt

// Asked by LeakSanitizer before it looks for leaks at the end. It stops every
// thread with ptrace, which containers and debuggers forbid, and takes a fiber
// that waits for memory that nobody refers to. Whoever wants it all the same
// says so: ASAN_OPTIONS=detect_leaks=1.
extern "C" FL_HOOK int __lsan_is_turned_off() {
  return fairlead::rt::control_page() != nullptr && !fairlead::rt::WantsLeaks();
}
