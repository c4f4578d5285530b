// MySQL #12228: a stored routine is executed while it is dropped.
//
// The cache of routines has a lock, and everybody holds it when touching the
// cache or a routine in it.
//
// The bug: execution looks the routine up in one critical section and runs it
// in another. It may have been dropped, and freed, in between.

#include "../zoo.h"

namespace {

struct Routine {
  unsigned id;
  unsigned length;
  unsigned* body;
};

constexpr unsigned kRoutines = 3;
pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
Routine* cache[kRoutines];  // under cache_lock
unsigned num_executed;      // under cache_lock

Routine* Create(unsigned id) {
  auto* routine = new Routine{id, 6, new unsigned[6]};
  for (unsigned i = 0; i < routine->length; ++i) routine->body[i] = id + i;
  return routine;
}

Routine* Find(unsigned id) {
  for (Routine* routine : cache) {
    if (routine != nullptr && routine->id == id) return routine;
  }
  return nullptr;
}

unsigned Run(const Routine* routine) {
  unsigned sum = 0;
  for (unsigned i = 0; i < routine->length; ++i) sum += routine->body[i];
  ++num_executed;
  return sum;
}

// CALL: 0 when there is no such routine.
unsigned Call(unsigned id) {
  unsigned result = 0;
  pthread_mutex_lock(&cache_lock);
  const Routine* routine = Find(id);
  pthread_mutex_unlock(&cache_lock);
  if (routine == nullptr) return 0;
  pthread_mutex_lock(&cache_lock);
  result = Run(routine);
  pthread_mutex_unlock(&cache_lock);
  return result;
}

void Drop(unsigned id) {
  pthread_mutex_lock(&cache_lock);
  Routine* routine = Find(id);
  if (routine != nullptr) {
    cache[id] = nullptr;
    delete[] routine->body;
    routine->body = nullptr;
    delete routine;
  }
  pthread_mutex_unlock(&cache_lock);
}

void* Client(void*) {
  zoo_start();
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned id = 1 + i % 2;
    const unsigned result = Call(id);
    if (result != 0 && result != 6 * id + 15) {
      zoo_wrong("result", result, 6 * id + 15);
    }
    zoo_compute(1000, i);
  }
  return nullptr;
}

void* Administrator(void*) {
  zoo_start();
  zoo_device(15000);
  Drop(2);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned id = 0; id < kRoutines; ++id) cache[id] = Create(id);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Client, nullptr);
  const pthread_t two = zoo_spawn(Administrator, nullptr);
  zoo_join(one);
  zoo_join(two);
  Drop(0);
  Drop(1);
  return 0;
}
