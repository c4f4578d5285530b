// runtime/intercept/recorded.h
//
// The annotations about requests, state, atomic sets, units of work and marks
// (fairlead/fairlead.h): each becomes an event whose payload is what the
// program said, and has no other effect on the execution, but that a request
// may have to wait for its turn (runtime/model/requests.h). Which were called
// is left as word (abi::Unheeded): nothing judges by some of them.
//
// Tier: in-program. Threads: any.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_RECORDED_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_RECORDED_H_

#include <stddef.h>
#include <stdint.h>

// The runtime has no annotations of its own: the table's layout is enough.
#ifndef FAIRLEAD_DISABLE
#define FAIRLEAD_DISABLE
#endif
#include <fairlead/detail/table.h>

namespace fairlead::rt::recorded {

void Mark(const char* text, uint64_t value);
void MarkBytes(const void* bytes, size_t size, uint64_t value);

// Gives the session's number.
uint64_t Session(const char* name);
void RequestBegin(uint64_t session, uint64_t request, const void* bytes,
                  size_t size);
void RequestEnd(uint64_t session, uint64_t request, const void* bytes,
                size_t size);
void RequestStatus(uint64_t session, uint64_t request, int64_t status,
                   const void* bytes, size_t size);

void Component(const char* component, fairlead_component_kind kind);
void StateAdd(const char* component, const void* bytes, size_t size);
void StateRemove(const char* component, const void* bytes, size_t size);
void StateAppend(const char* component, const void* bytes, size_t size);
void StatePut(const char* component, const void* key, size_t key_size,
              const void* bytes, size_t size);
void StateSet(const char* component, const void* bytes, size_t size);
void StateClear(const char* component);

// What changes a component in place of the calls above, when states are
// compared (runtime/model/walks.h).
void StateWalk(const char* component, fairlead_walk_function* function,
               void* object);
void WalkElement(fairlead_walk* walk, const void* bytes, size_t size);
void WalkEntry(fairlead_walk* walk, const void* key, size_t key_size,
               const void* bytes, size_t size);

void SetAdd(const char* set, const volatile void* address, size_t size);
void UnitBegin(const char* name);
void UnitBeginOn(const char* name, const volatile void* object);
void UnitEnd(const char* name);
void GuardAddress(const volatile void* address, size_t size);

}  // namespace fairlead::rt::recorded

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_RECORDED_H_
