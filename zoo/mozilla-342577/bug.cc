// Mozilla #342577: a service that is created when it is first needed.
//
// The bug: the test and the creation are two steps. Two threads may both find
// it missing, and one of the services is lost with all it holds.

#include "../zoo.h"

namespace {

struct Service {
  unsigned num_entries = 0;  // atomic
  unsigned table[8] = {};
};

Service* volatile service;
unsigned num_created;  // atomic

void Create() {
  auto* created = new Service;
  for (unsigned i = 0; i < 8; ++i) created->table[i] = zoo_compute(20, i);
  __atomic_fetch_add(&num_created, 1, __ATOMIC_SEQ_CST);
  service = created;
}

Service* GetService() {
  if (service == nullptr) Create();
  return service;
}

struct Window {
  unsigned delay_us;
  unsigned num_entries;
};

void* Open(void* argument) {
  const auto* window = static_cast<Window*>(argument);
  zoo_start();
  zoo_device(window->delay_us);
  for (unsigned i = 0; i < window->num_entries; ++i) {
    __atomic_fetch_add(&GetService()->num_entries, 1, __ATOMIC_SEQ_CST);
    zoo_compute(500, i);
  }
  return nullptr;
}

}  // namespace

int main() {
  Window windows[2] = {{0, 3}, {20000, 3}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Open, &windows[0]);
  const pthread_t two = zoo_spawn(Open, &windows[1]);
  zoo_join(one);
  zoo_join(two);
  if (num_created != 1) zoo_wrong("services", num_created, 1);
  delete service;
  return 0;
}
