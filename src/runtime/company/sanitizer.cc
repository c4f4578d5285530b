#include "runtime/company/sanitizer.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/alloc/heap.h"
#include "runtime/company/code_range.h"
#include "runtime/company/patch.h"
#include "runtime/company/report.h"
#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/stall.h"
#include "runtime/intercept/fork.h"
#include "runtime/intercept/hook.h"
#include "runtime/model/mappings.h"
#include "runtime/model/objects.h"
#include "runtime/sys/environment.h"

namespace fairlead::rt {
namespace {

using MallocHook = void (*)(const volatile void*, size_t);
using FreeHook = void (*)(const volatile void*);

// Functions of the sanitizers, as <sanitizer/common_interface_defs.h> and
// <sanitizer/allocator_interface.h> declare them; null = not in the process.
struct Interface {
  void (*set_death_callback)(void (*)());
  int (*install_hooks)(MallocHook, FreeHook);
  int (*ownership)(const volatile void* block);
  size_t (*allocated_size)(const volatile void*);
  void (*start_switch)(void** saved, const void* bottom, size_t bytes);
  void (*finish_switch)(void* saved, const void** bottom, size_t* bytes);
};
Interface interface;
bool has_address = false;
bool wants_leaks = false;
bool summed_up = false;  // a report has had its summary
CodeRange own_code;

template <typename Function>
void Find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

bool IsOfSanitizer(const char* name) {
  static constexpr const char* kPrefixes[] = {
      "__asan_", "__sanitizer_",   "__ubsan_",
      "__lsan_", "__interceptor_", "___interceptor_"};
  for (const char* prefix : kPrefixes) {
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

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

// The size of a block; 0 = not known. Of what is none, or none any more, it
// must not be asked: that would be a report about us, ahead of the one about
// the program.
size_t SizeOfBlock(const volatile void* block) {
  if (interface.ownership == nullptr || interface.allocated_size == nullptr) {
    return 0;
  }
  return interface.ownership(block) == 0 ? 0 : interface.allocated_size(block);
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

void MeetSanitizers(char** environment) {
  Find(interface.set_death_callback, "__sanitizer_set_death_callback");
  if (interface.set_death_callback == nullptr) return;
  void* address_begin = dlsym(RTLD_DEFAULT, "__asan_init");
  has_address = address_begin != nullptr;
  interface.set_death_callback(OnDeath);
  ReplaceEmptyFunction(dlsym(RTLD_DEFAULT, "__sanitizer_on_print"),
                       reinterpret_cast<void (*)()>(OnPrint));
  own_code = RangeOfFunctions(
      reinterpret_cast<void*>(interface.set_death_callback), IsOfSanitizer);
  if (!has_address) return;
  Find(interface.start_switch, "__sanitizer_start_switch_fiber");
  Find(interface.finish_switch, "__sanitizer_finish_switch_fiber");
  Find(interface.ownership, "__sanitizer_get_ownership");
  Find(interface.allocated_size, "__sanitizer_get_allocated_size");
  Find(interface.install_hooks, "__sanitizer_install_malloc_and_free_hooks");
  if (interface.install_hooks != nullptr) {
    interface.install_hooks(OnMalloc, OnFree);
  }
  const char* options = FindVariable(environment, "ASAN_OPTIONS");
  wants_leaks =
      options != nullptr && strstr(options, "detect_leaks=1") != nullptr;
}

bool HasAddressSanitizer() { return has_address; }
bool InSanitizer(const void* pc) { return own_code.Holds(pc); }

StackMove::StackMove(const char* begin, size_t bytes) {
  if (interface.start_switch == nullptr) return;
  interface.start_switch(&saved_, begin, bytes);
}

void StackMove::Arrived() {
  if (interface.finish_switch == nullptr) return;
  interface.finish_switch(nullptr, &old_begin_, &old_bytes_);
}

void StackMove::Leaving() {
  if (interface.start_switch == nullptr) return;
  interface.start_switch(nullptr, old_begin_, old_bytes_);
}

StackMove::~StackMove() {
  if (interface.finish_switch == nullptr) return;
  interface.finish_switch(saved_, nullptr, nullptr);
}

}  // namespace fairlead::rt

// Asked by LeakSanitizer before it looks for leaks at the end. It stops every
// thread with ptrace, which containers and debuggers forbid, and takes a fiber
// that waits for memory that nobody refers to. Whoever wants it all the same
// says so: ASAN_OPTIONS=detect_leaks=1.
extern "C" FL_HOOK int __lsan_is_turned_off() {
  return fairlead::rt::control_page() != nullptr && !fairlead::rt::wants_leaks;
}
