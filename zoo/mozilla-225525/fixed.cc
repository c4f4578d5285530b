// Mozilla #225525: the last user of a transport lets main close it.
//
// The fix: the counter is decremented atomically, and the result decides.

#include <semaphore.h>

#include "../zoo.h"

namespace {

constexpr unsigned kUsers = 3;

struct Transport {
  volatile unsigned num_users = kUsers;
  unsigned char buffer[24] = {};
  sem_t unused;
};

Transport transport;

void Leave() {
  if (__atomic_sub_fetch(&transport.num_users, 1, __ATOMIC_SEQ_CST) == 0) {
    sem_post(&transport.unused);
  }
}

void* Use(void* argument) {
  const unsigned number = *static_cast<unsigned*>(argument);
  zoo_start();
  zoo_device(number * 15000);
  unsigned char* part = transport.buffer + number * 8;
  for (unsigned i = 0; i < 8; ++i) part[i] = static_cast<unsigned char>(i);
  zoo_compute(500, number);
  Leave();
  return nullptr;
}

}  // namespace

int main() {
  unsigned numbers[kUsers] = {0, 1, 2};
  pthread_t threads[kUsers];
  sem_init(&transport.unused, 0, 0);
  zoo_threads(kUsers);
  for (unsigned i = 0; i < kUsers; ++i)
    threads[i] = zoo_spawn(Use, &numbers[i]);
  sem_wait(&transport.unused);
  for (const pthread_t thread : threads) zoo_join(thread);
  return transport.buffer[23] == 7 ? 0 : 1;
}
