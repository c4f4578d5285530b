#include "runtime/execution.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "runtime/company/openmp.h"
#include "runtime/emit/emitter.h"
#include "runtime/emit/features.h"
#include "runtime/emit/schedule_writer.h"
#include "runtime/gate/gate.h"
#include "runtime/stack_writer.h"
#include "runtime/sys/check.h"
#include "runtime/sys/environment.h"
#include "runtime/sys/syscall.h"

// Where `fairlead run --gdb` has its breakpoint: `words` say what has failed,
// in the thread that calls.
extern "C" __attribute__((visibility("default"), noinline)) void __fl_failure(
    const char* words) {
  asm volatile("" : : "r"(words) : "memory");
}

namespace fairlead::rt {
namespace {

constinit abi::ControlPage* page = nullptr;
constinit abi::ControlPage* parents_page = nullptr;  // of a child of fork

bool IsProgram(const abi::Plan& plan, const char* path) {
  struct stat file = {};
  return path != nullptr &&
         sys::Call(SYS_newfstatat, AT_FDCWD, sys::Arg(path), sys::Arg(&file),
                   0) == 0 &&
         file.st_dev == plan.program_dev && file.st_ino == plan.program_ino;
}

// Inside valgrind, the kernel's answer is valgrind, and the program's own table
// has the program.
bool IsForThisExecutable(const abi::Plan& plan) {
  return IsProgram(plan, "/proc/self/exe") ||
         IsProgram(plan, reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
}

// The page behind `fd`, or null when there is none that we understand.
abi::ControlPage* MapPage(int fd) {
  struct stat file = {};
  if (sys::Call(SYS_fstat, fd, sys::Arg(&file)) != 0) return nullptr;
  const auto size = static_cast<size_t>(file.st_size);
  if (size < sizeof(abi::ControlPage)) return nullptr;
  auto* mapped = static_cast<abi::ControlPage*>(
      sys::Map(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd));
  if (mapped == nullptr) return nullptr;
  if (mapped->magic == abi::kControlMagic &&
      mapped->version == abi::kControlVersion &&
      mapped->header_bytes == sizeof(abi::ControlPage) &&
      mapped->total_bytes <= size) {
    return mapped;
  }
  sys::Unmap(mapped, size);
  Log("the tool and the runtime library in LD_PRELOAD are of different builds; "
      "install both from one build");
  return nullptr;
}

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
  auto* entries = page->entries<abi::ThreadEntry>(abi::RegionId::kThreads);
  for (size_t i = 0; i < gate().num_threads(); ++i) {
    if (i >= page->region(abi::RegionId::kThreads).capacity) break;
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

abi::ControlPage* control_page() { return page; }

void TellDebugger(const char* words) { __fl_failure(words); }
void ForgetControlPage() {
  parents_page = page;
  page = nullptr;
}

void TellParent(abi::Uncontrolled what) {
  if (parents_page == nullptr) return;
  __atomic_fetch_add(
      &parents_page->outcome.uncontrolled[static_cast<size_t>(what)], 1,
      __ATOMIC_RELAXED);
}

bool FindControlPage(char** environment) {
  const char* number = FindVariable(environment, abi::kControlVariable);
  if (number == nullptr) return false;
  int fd = 0;
  for (; *number >= '0' && *number <= '9'; ++number) {
    fd = fd * 10 + (*number - '0');
  }
  abi::ControlPage* found = MapPage(fd);
  if (found == nullptr) return false;
  if (!IsForThisExecutable(found->plan)) {
    // Some other program on the way to ours, such as a shell: leave the
    // variables for the one that comes.
    sys::Unmap(found, found->total_bytes);
    return false;
  }
  page = found;
  sys::Close(fd);
  RemoveVariable(environment, abi::kControlVariable);
  RemoveFromPreload(environment);
  return true;
}

void CountUncontrolled(abi::Uncontrolled what) {
  if (page == nullptr) return;
  ++page->outcome.uncontrolled[static_cast<size_t>(what)];
}

void NoteUnheeded(abi::Unheeded what) {
  if (page == nullptr) return;
  page->outcome.unheeded |= 1u << static_cast<uint32_t>(what);
}

void TellReady() {
  if (page == nullptr) return;
  // Pairs with the tool's acquire load while the program runs.
  __atomic_store_n(&page->outcome.ready, 1, __ATOMIC_RELEASE);
}

Text OutcomeText() { return {page->outcome.text, abi::kTextBytes}; }

void RecordOutcome(abi::Status status, const Thread* thread) {
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
  Log(page->outcome.text);
  sys::ExitGroup(page->outcome.status == abi::Status::kInternal
                     ? abi::kInternalExitCode
                     : abi::kStoppedExitCode);
}

}  // namespace fairlead::rt
