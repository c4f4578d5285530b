// EXPECT: dangling
// A reference is taken after the lock that guards the only one was given back.
#include <atomic>
#include <mutex>
#include <thread>

struct Object {
  std::atomic<int> references = 1;
  int value = 7;
};

static std::mutex lock;
static Object* listed;

static void Release(Object* object) {
  if (object->references.fetch_sub(1) == 1) delete object;
}

static void Use() {
  lock.lock();
  Object* object = listed;
#ifdef FIXED
  if (object != nullptr) object->references.fetch_add(1);
#endif
  lock.unlock();
  if (object == nullptr) return;
#ifndef FIXED
  object->references.fetch_add(1);
#endif
  volatile int value = object->value;
  (void)value;
  Release(object);
}

static void Drop() {
  lock.lock();
  Object* object = listed;
  listed = nullptr;
  lock.unlock();
  Release(object);
}

int main() {
  listed = new Object;
  std::thread one(Use);
  std::thread two(Drop);
  one.join();
  two.join();
}
