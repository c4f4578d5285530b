// runtime/model/objects.h
//
// The synchronisation objects of the program, found by address. A model keeps
// its state here and not in the program's memory, so that every type of object
// works alike and static initialisers need no call.
//
//   struct Mutex : Object { static constexpr ObjectKind kKind = ...; ... };
//   Mutex& m = FindObject<Mutex>(address);     // made on first use
//
// An object ends when it is destroyed, initialised anew, used as another kind,
// or when the memory that it lies in is freed (EndObjectsIn).
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_OBJECTS_H_
#define FAIRLEAD_RUNTIME_MODEL_OBJECTS_H_

#include <stddef.h>
#include <stdint.h>

#include <new>

namespace fairlead::rt {

enum class ObjectKind : uint8_t {
  kNone,
  kMutex,
  kCond,
  kRwlock,
  kBarrier,
  kSemaphore,
  kSpinlock,
  kOnce,
  kFutex,
  kPiFutex,
  kGuard,
  kFile,
  kDestroyed,  // ended by a destroy function; what comes next is misuse
};

struct Object {
  const void* address;
  ObjectKind kind;
  ObjectKind was;     // before it was destroyed; for kDestroyed
  uint32_t pins;      // pointers to it that outlive a wait: the cell is kept.
                      // (The gate keeps that of a thread's intent.)
  Object* next_free;  // while it is in the pool
};

// Every model's state fits one cell.
inline constexpr size_t kObjectBytes = 128;

// The object at `address` whatever its kind, or null.
Object* PeekObject(const void* address);

// A cell for a new object at `address`, in place of the one there; zeroed but
// for `address`.
Object* PlaceObject(const void* address);

void EndObject(const void* address);

// Ends the object and remembers that, until it is initialised anew or its
// memory is freed. Only for kinds that always begin with a call: a static
// initialiser would go unseen, and its object be taken for the old one.
void MarkDestroyed(const void* address, ObjectKind was);
inline bool IsDestroyed(const void* address, ObjectKind kind) {
  const Object* object = PeekObject(address);
  return object != nullptr && object->kind == ObjectKind::kDestroyed &&
         object->was == kind;
}
void EndObjectsIn(const void* begin, size_t bytes);

// Calls visit(object, argument) for every object; it must end none.
void ForEachObject(void (*visit)(Object&, void*), void* argument);

template <typename T>
T& FindObject(const void* address) {
  static_assert(sizeof(T) <= kObjectBytes);
  Object* object = PeekObject(address);
  if (object == nullptr || object->kind != T::kKind) {
    object = PlaceObject(address);
    new (object) T();
    object->address = address;
    object->kind = T::kKind;
  }
  return *static_cast<T*>(object);
}

// As FindObject, but forgets what was there: for init functions.
template <typename T>
T& RenewObject(const void* address) {
  EndObject(address);
  return FindObject<T>(address);
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_OBJECTS_H_
