#include "runtime/intercept/recorded.h"

#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/hook.h"
#include "runtime/model/requests.h"
#include "runtime/model/walks.h"
#include "runtime/sys/page.h"

namespace fairlead::rt::recorded {
namespace {

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

const void* Number(uint64_t number) {
  return reinterpret_cast<const void*>(number);
}

// A change of a component: its name, a zero byte, the bytes.
template <abi::Unheeded kWhat>
void ChangeState(HookScope& hook, EventKind kind, const char* component,
                 const Bytes& bytes) {
  RecordUnheeded<kWhat>(hook, kind, nullptr, bytes.size,
                        {BytesOf(component), {"", 1}, bytes});
}

}  // namespace

void Mark(const char* text, uint64_t value) {
  HookScope hook(FL_CALLER);
  Record(hook, EventKind::kMark, nullptr, value, {BytesOf(text)});
}

void MarkBytes(const void* bytes, size_t size, uint64_t value) {
  HookScope hook(FL_CALLER);
  Record(hook, EventKind::kMark, nullptr, value, {{bytes, size}});
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
  if (hook.controlled()) {
    BeginRequest(hook.thread(), session, request, hook.place());
  }
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
  if (hook.controlled()) EndRequest(session, request);
}

void RequestStatus(uint64_t session, uint64_t request, int64_t status,
                   const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  const auto told = static_cast<uint64_t>(status);
  RecordUnheeded<abi::Unheeded::kRequestEndStatus>(hook, EventKind::kRequestEnd,
                                                   Number(session), request,
                                                   {{bytes, size}}, &told);
  if (hook.controlled()) EndRequest(session, request);
}

void StateAdd(const char* component, const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  ChangeState<abi::Unheeded::kStateAdd>(hook, EventKind::kStateAdd, component,
                                        {bytes, size});
}

void StateRemove(const char* component, const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  ChangeState<abi::Unheeded::kStateRemove>(hook, EventKind::kStateRemove,
                                           component, {bytes, size});
}

void StateAppend(const char* component, const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  ChangeState<abi::Unheeded::kStateAppend>(hook, EventKind::kStateAppend,
                                           component, {bytes, size});
}

void StateSet(const char* component, const void* bytes, size_t size) {
  HookScope hook(FL_CALLER);
  ChangeState<abi::Unheeded::kStateSet>(hook, EventKind::kStateSet, component,
                                        {bytes, size});
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

void StateWalk(const char* component, fairlead_walk_function* function,
               void* object) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return;
  NoteUnheeded(abi::Unheeded::kStateWalk);
  SetWalk(component, function, object);
}

void WalkElement(fairlead_walk* walk, const void* bytes, size_t size) {
  if (walk == nullptr) return;
  const Bytes parts[] = {BytesOf(walk->component), {"", 1}, {bytes, size}};
  emitter().EmitBytes(*walk->thread, EventKind::kStateAdd, nullptr, size, parts,
                      3);
}

void WalkEntry(fairlead_walk* walk, const void* key, size_t key_size,
               const void* bytes, size_t size) {
  if (walk == nullptr) return;
  const Bytes parts[] = {
      BytesOf(walk->component), {"", 1}, {key, key_size}, {bytes, size}};
  emitter().EmitBytes(*walk->thread, EventKind::kStatePut, nullptr, key_size,
                      parts, 4);
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

}  // namespace fairlead::rt::recorded
