// intercept/annotations.cc: the other side of the public header
// (include/fairlead/fairlead.h): a table of functions, handed to every module
// that has the header's note.
//
// Those that are events and little else are in intercept/recorded.cc.

#include "runtime/sites/hand_out.h"

#include <string.h>

// The runtime has no annotations of its own: the table's layout is enough.
#define FAIRLEAD_DISABLE
#include <fairlead/detail/table.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/intercept/recorded.h"
#include "runtime/model/claims.h"
#include "runtime/model/explore.h"
#include "runtime/model/misuse.h"
#include "runtime/model/threads.h"
#include "runtime/model/walks.h"
#include "runtime/sys/page.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {
namespace {

// Tells about an annotation, with its text if it has one.
void Tell(HookScope& hook, EventKind kind, const char* text,
          const volatile void* address = nullptr) {
  if (!hook.controlled()) return;
  Thread& thread = hook.thread();
  thread.place = hook.place();
  emitter().EmitNamed(thread, kind, const_cast<const void*>(address), text,
                      text == nullptr ? 0 : strlen(text));
}

void ThreadName(const char* name) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled() || name == nullptr) return;
  Thread& thread = hook.thread();
  strncpy(thread.name, name, sizeof(thread.name) - 1);
  DescribeThread(thread);
  Tell(hook, EventKind::kThreadName, name);
}

void QuietBegin() {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  ++hook.thread().marked;
  Tell(hook, EventKind::kQuietBegin, nullptr);
}

void QuietEnd() {
  HookScope hook(FL_CALLER);
  if (!hook.controlled() || hook.thread().marked == 0) return;
  --hook.thread().marked;
  Tell(hook, EventKind::kQuietEnd, nullptr);
}

void Acquire(const volatile void* address) {
  HookScope hook(FL_CALLER);
  Tell(hook, EventKind::kAcquire, nullptr, address);
}

void Release(const volatile void* address) {
  HookScope hook(FL_CALLER);
  Tell(hook, EventKind::kRelease, nullptr, address);
}

void Benign(const volatile void* address, size_t size) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  hook.thread().place = hook.place();
  emitter().Emit(hook.thread(), EventKind::kBenign, 0,
                 const_cast<const void*>(address), size);
}

unsigned Choose(unsigned options) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return 0;
  Thread& thread = hook.thread();
  thread.place = hook.place();
  const uint32_t chosen = gate().Choose(thread, EventKind::kChoose, options);
  emitter().Emit(thread, EventKind::kChoose, abi::kFlagPoint, nullptr, chosen);
  return chosen;
}

void Always(int condition, const char* message) {
  if (condition != 0) return;
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  Tell(hook, EventKind::kAssertion, message);
  if (!RecordMisuse(hook.thread(), abi::Misuse::kAlwaysBroken, nullptr)) return;
  Text text = OutcomeText();
  text.Put("assertion: in ");
  PutThreadName(text, hook.thread());
  text.Put(" it is not true that: ").Put(message == nullptr ? "?" : message);
  abi::Outcome& outcome = control_page()->outcome;
  Text(outcome.cause, sizeof(outcome.cause))
      .Put(message == nullptr ? "?" : message);
}

void Sometimes(int condition, const char* message) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  if (condition != 0) Tell(hook, EventKind::kSometimes, message);
  hook.thread().place = hook.place();
  NoteClaim(hook.thread(), EventKind::kSometimes, message,
            condition != 0 ? Claimed::kHolds : Claimed::kNotYet);
}

void Reachable(const char* message) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  Tell(hook, EventKind::kReachable, message);
  NoteClaim(hook.thread(), EventKind::kReachable, message, Claimed::kHolds);
}

void Ready() {
  HookScope hook(FL_CALLER);
  Tell(hook, EventKind::kReady, nullptr);
  if (hook.controlled()) TellReady();
}

void Quiescent() {
  HookScope hook(FL_CALLER);
  if (hook.controlled()) {
    hook.thread().place = hook.place();
    WalkAll(hook.thread());
  }
  Tell(hook, EventKind::kQuiescent, nullptr);
}

int ExploreNext(fairlead_exploration* exploration) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return exploration->done++ == 0 ? 1 : 0;
  hook.thread().place = hook.place();
  return NextIteration(hook.thread(), *exploration) ? 1 : 0;
}

void ExploreFailed(fairlead_exploration* exploration, const char* why) {
  exploration->failed = 1;
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  hook.thread().place = hook.place();
  FailIteration(hook.thread(), *exploration, why);
}

constinit const fairlead_table the_table = {
    .version = FAIRLEAD_API_VERSION,
    .size = sizeof(fairlead_table),
    .thread_name = ThreadName,
    .quiet_begin = QuietBegin,
    .quiet_end = QuietEnd,
    .acquire = Acquire,
    .release = Release,
    .benign = Benign,
    .choose = Choose,
    .always = Always,
    .sometimes = Sometimes,
    .reachable = Reachable,
    .ready = Ready,
    .quiescent = Quiescent,
    .mark = recorded::Mark,
    .request_begin = recorded::RequestBegin,
    .request_end = recorded::RequestEnd,
    .state_add = recorded::StateAdd,
    .state_remove = recorded::StateRemove,
    .state_append = recorded::StateAppend,
    .state_clear = recorded::StateClear,
    .set_add = recorded::SetAdd,
    .unit_begin = recorded::UnitBegin,
    .unit_end = recorded::UnitEnd,
    .guard_address = recorded::GuardAddress,
    .explore_next = ExploreNext,
    .explore_failed = ExploreFailed,
    .session = recorded::Session,
    .request_status = recorded::RequestStatus,
    .component = recorded::Component,
    .state_put = recorded::StatePut,
    .state_set = recorded::StateSet,
    .unit_begin_on = recorded::UnitBeginOn,
    .mark_bytes = recorded::MarkBytes,
    .state_walk = recorded::StateWalk,
    .walk_element = recorded::WalkElement,
    .walk_entry = recorded::WalkEntry,
};

}  // namespace

void HandOutAnnotations(const abi::AnnotationRecord& record) {
  const void** where = record.table.get();
  if (where != nullptr) *where = &the_table;
}

}  // namespace fairlead::rt
