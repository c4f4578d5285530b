#include "runtime/model/objects.h"

#include <string.h>

#include "runtime/gate/gate.h"
#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

// An open-addressing table with linear probing. Deletion moves later entries
// back, so there are no tombstones and lookups stay short.
constexpr size_t kPage = 4096;
Object** table = nullptr;
size_t capacity = 0;  // a power of two
size_t count = 0;
Object* free_cells = nullptr;
// Objects in all pages whose number is i modulo the size: zero means that a
// page has none, which is true of most memory that is freed.
uint16_t in_pages[4096];

uint16_t& InPageOf(const void* address) {
  return in_pages[(reinterpret_cast<uint64_t>(address) >> 12) % 4096];
}

size_t Home(const void* address) {
  return (reinterpret_cast<uint64_t>(address) * 0x9e3779b97f4a7c15 >> 20) &
         (capacity - 1);
}

size_t Locate(const void* address) {
  size_t at = Home(address);
  while (table[at] != nullptr && table[at]->address != address) {
    at = (at + 1) & (capacity - 1);
  }
  return at;
}

void Grow() {
  Object** old = table;
  const size_t old_capacity = capacity;
  capacity = capacity == 0 ? 4096 : capacity * 2;
  table = ArenaArray<Object*>(capacity);
  for (size_t i = 0; i < old_capacity; ++i) {
    if (old[i] != nullptr) table[Locate(old[i]->address)] = old[i];
  }
}

void RemoveAt(size_t hole) {
  Object* object = table[hole];
  --InPageOf(object->address);
  --count;
  // A thread that waits for it still holds its address; then the cell is left
  // to it for good.
  if (object->pins == 0 && !gate().AnyIntends(object->address)) {
    object->next_free = free_cells;
    free_cells = object;
  }
  for (size_t at = (hole + 1) & (capacity - 1); table[at] != nullptr;
       at = (at + 1) & (capacity - 1)) {
    const size_t home = Home(table[at]->address);
    // May the entry move to the hole without coming before its home?
    if (((at - home) & (capacity - 1)) >= ((at - hole) & (capacity - 1))) {
      table[hole] = table[at];
      hole = at;
    }
  }
  table[hole] = nullptr;
}

}  // namespace

Object* PeekObject(const void* address) {
  return capacity == 0 ? nullptr : table[Locate(address)];
}

Object* PlaceObject(const void* address) {
  EndObject(address);
  if (count * 2 >= capacity) Grow();
  Object* object = free_cells;
  if (object != nullptr) {
    free_cells = object->next_free;
  } else {
    object = static_cast<Object*>(ArenaAllocate(kObjectBytes));
  }
  table[Locate(address)] = object;
  ++count;
  ++InPageOf(address);
  memset(static_cast<void*>(object), 0, kObjectBytes);
  object->address = address;
  return object;
}

void EndObject(const void* address) {
  if (capacity == 0) return;
  const size_t at = Locate(address);
  if (table[at] != nullptr) RemoveAt(at);
}

void ForEachObject(void (*visit)(Object&, void*), void* argument) {
  for (size_t i = 0; i < capacity; ++i) {
    if (table[i] != nullptr) visit(*table[i], argument);
  }
}

void MarkDestroyed(const void* address, ObjectKind was) {
  Object* object = PlaceObject(address);
  object->kind = ObjectKind::kDestroyed;
  object->was = was;
}

void EndObjectsIn(const void* begin, size_t bytes) {
  if (count == 0 || bytes == 0) return;
  const char* first = static_cast<const char*>(begin);
  if (bytes <= kPage) {
    if (InPageOf(first) == 0 && InPageOf(first + bytes - 1) == 0) return;
    // Objects are aligned to at least four bytes.
    for (size_t offset = 0; offset < bytes; offset += 4) {
      EndObject(first + offset);
    }
    return;
  }
  bool any = false;
  for (size_t offset = 0; offset < bytes; offset += kPage) {
    any = any || InPageOf(first + offset) != 0;
  }
  if (!any && InPageOf(first + bytes - 1) == 0) return;
  for (size_t at = 0; at < capacity;) {
    const Object* object = table[at];
    if (object != nullptr && object->address >= first &&
        object->address < first + bytes) {
      RemoveAt(at);  // another entry may have moved here: look again
    } else {
      ++at;
    }
  }
}

}  // namespace fairlead::rt
