#include "runtime/intercept/annotations.h"

#include <string.h>

// The runtime has no annotations of its own: the table's layout is enough.
#define FAIRLEAD_DISABLE
#include <fairlead/detail/table.h>

#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stall.h"
#include "runtime/intercept/hook.h"
#include "runtime/model/claims.h"
#include "runtime/model/explore.h"
#include "runtime/model/misuse.h"
#include "runtime/model/threads.h"

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
  Tell(hook, EventKind::kQuiescent, nullptr);
}

using Bytes = Emitter::Bytes;

Bytes BytesOf(const char* text) {
  return {text, text == nullptr ? 0 : strlen(text)};
}

// Records an annotation with these bytes.
template <size_t kParts>
void Record(HookScope& hook, EventKind kind, const volatile void* address,
            uint64_t value, const Bytes (&parts)[kParts],
            const uint64_t* status = nullptr) {
  if (!hook.controlled()) return;
  Thread& thread = hook.thread();
  thread.place = hook.place();
  emitter().EmitBytes(thread, kind, const_cast<const void*>(address), value,
                      parts, kParts, status);
}

// The same for one that nothing judges by yet.
template <abi::Unheeded kWhat, size_t kParts>
void RecordUnheeded(HookScope& hook, EventKind kind,
                    const volatile void* address, uint64_t value,
                    const Bytes (&parts)[kParts],
                    const uint64_t* status = nullptr) {
  if (hook.controlled()) NoteUnheeded(kWhat);
  Record(hook, kind, address, value, parts, status);
}

void Mark(const char* text, uint64_t value) {
  HookScope hook(FL_CALLER);
  Record(hook, EventKind::kMark, nullptr, value, {BytesOf(text)});
}

void MarkBytes(const void* bytes, size_t size, uint64_t value) {
  HookScope hook(FL_CALLER);
  Record(hook, EventKind::kMark, nullptr, value, {{bytes, size}});
}

const void* Number(uint64_t number) {
  return reinterpret_cast<const void*>(number);
}

// The number of a session is made of its name (FNV-1a), so that it is the same
// in every execution and nothing has to be kept.
uint64_t Session(const char* name) {
  const Bytes text = BytesOf(name);
  uint64_t number = 0xcbf29ce484222325u;
  for (size_t i = 0; i < text.size; ++i) {
    number = (number ^ static_cast<uint8_t>(name[i])) * 0x100000001b3u;
  }
  if (number == 0) number = 1;
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kSession>(hook, EventKind::kSession, nullptr,
                                          number, {text});
  return number;
}

void RequestBegin(uint64_t session, uint64_t request, const void* bytes,
                  size_t size) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kRequestBegin>(hook, EventKind::kRequestBegin,
                                               Number(session), request,
                                               {{bytes, size}});
}

void RequestEnd(uint64_t session, uint64_t request, const void* bytes,
                size_t size) {
  HookScope hook(FL_CALLER);
  const uint64_t status = 0;
  RecordUnheeded<abi::Unheeded::kRequestEnd>(hook, EventKind::kRequestEnd,
                                             Number(session), request,
                                             {{bytes, size}}, &status);
}

void RequestStatus(uint64_t session, uint64_t request, int64_t status,
                   const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  const auto told = static_cast<uint64_t>(status);
  RecordUnheeded<abi::Unheeded::kRequestEndStatus>(hook, EventKind::kRequestEnd,
                                                   Number(session), request,
                                                   {{bytes, size}}, &told);
}

// A change of a component: its name, a zero byte, the bytes.
template <abi::Unheeded kWhat, EventKind kKind>
void ChangeState(const char* component, const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<kWhat>(hook, kKind, nullptr, size,
                        {BytesOf(component), {"", 1}, {bytes, size}});
}

void StatePut(const char* component, const void* key, size_t key_size,
              const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kStatePut>(
      hook, EventKind::kStatePut, nullptr, key_size,
      {BytesOf(component), {"", 1}, {key, key_size}, {bytes, size}});
}

void StateClear(const char* component) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kStateClear>(hook, EventKind::kStateClear,
                                             nullptr, 0, {BytesOf(component)});
}

void Component(const char* component, fairlead_component_kind kind) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kComponent>(
      hook, EventKind::kComponent, nullptr, kind, {BytesOf(component)});
}

void SetAdd(const char* set, const volatile void* address, size_t size) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kSetAdd>(hook, EventKind::kSetAdd, address,
                                         size, {BytesOf(set)});
}

void UnitBegin(const char* name) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kUnitBegin>(hook, EventKind::kUnitBegin,
                                            nullptr, 0, {BytesOf(name)});
}

void UnitBeginOn(const char* name, const volatile void* object) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kUnitBeginOn>(hook, EventKind::kUnitBegin,
                                              object, 0, {BytesOf(name)});
}

void UnitEnd(const char* name) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kUnitEnd>(hook, EventKind::kUnitEnd, nullptr, 0,
                                          {BytesOf(name)});
}

void GuardAddress(const volatile void* address, size_t size) {
  HookScope hook(FL_CALLER);
  RecordUnheeded<abi::Unheeded::kGuardAddress>(hook, EventKind::kGuardAddress,
                                               address, size, {{nullptr, 0}});
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

// Annotations that are not even recorded, and only leave word that they were
// called.
template <abi::Unheeded kWhat, typename... Arguments>
void Ignore(Arguments...) {
  const HookScope hook(FL_CALLER);
  if (hook.controlled()) NoteUnheeded(kWhat);
}

using abi::Unheeded;

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
    .mark = Mark,
    .request_begin = RequestBegin,
    .request_end = RequestEnd,
    .state_add = ChangeState<Unheeded::kStateAdd, EventKind::kStateAdd>,
    .state_remove =
        ChangeState<Unheeded::kStateRemove, EventKind::kStateRemove>,
    .state_append =
        ChangeState<Unheeded::kStateAppend, EventKind::kStateAppend>,
    .state_clear = StateClear,
    .set_add = SetAdd,
    .unit_begin = UnitBegin,
    .unit_end = UnitEnd,
    .guard_address = GuardAddress,
    .explore_next = ExploreNext,
    .explore_failed = ExploreFailed,
    .session = Session,
    .request_status = RequestStatus,
    .component = Component,
    .state_put = StatePut,
    .state_set = ChangeState<Unheeded::kStateSet, EventKind::kStateSet>,
    .unit_begin_on = UnitBeginOn,
    .mark_bytes = MarkBytes,
    .state_walk = Ignore<Unheeded::kStateWalk>,
    .walk_element = nullptr,
    .walk_entry = nullptr,
};

}  // namespace

void HandOutAnnotations(const abi::AnnotationRecord& record) {
  const void** where = record.table.get();
  if (where != nullptr) *where = &the_table;
}

}  // namespace fairlead::rt
