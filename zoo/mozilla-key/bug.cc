// Mozilla: the property that a script is at, and its inspector.
//
// A property is known by its id and its key together. The script moves on to
// the next one by writing both.
//
// The bug: the inspector reads the two without the lock. Of different
// properties, they belong to none, and the lookup gives NULL.

#include "../zoo.h"

namespace {

struct Property {
  unsigned id;
  unsigned key;
  unsigned value;
};

constexpr unsigned kProperties = 4;
Property properties[kProperties];

struct Cursor {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  volatile unsigned id = 0;
  volatile unsigned key = 0;
};

Cursor cursor;

const Property* Find(unsigned id, unsigned key) {
  for (const Property& property : properties) {
    if (property.id == id && property.key == key) return &property;
  }
  return nullptr;
}

void MoveTo(const Property& property) {
  pthread_mutex_lock(&cursor.lock);
  cursor.id = property.id;
  cursor.key = property.key;
  pthread_mutex_unlock(&cursor.lock);
}

unsigned Inspect() {
  const unsigned id = cursor.id;
  const unsigned key = cursor.key;
  return Find(id, key)->value;
}

void* RunScript(void*) {
  zoo_start();
  for (const Property& property : properties) {
    MoveTo(property);
    zoo_compute(1000, property.id);
  }
  return nullptr;
}

void* Inspector(void*) {
  zoo_start();
  for (unsigned i = 0; i < 2; ++i) {
    zoo_device(15000);
    const unsigned value = Inspect();
    if (value % 7 != 0) zoo_wrong("value", value, 0);
  }
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < kProperties; ++i) properties[i] = {i, i * 16, i * 7};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(RunScript, nullptr);
  const pthread_t two = zoo_spawn(Inspector, nullptr);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
