// Mozilla #61369: a worker object starts its thread and keeps the handle.
//
// The bug: the new thread uses `handle`, which the parent writes when the
// creation returns. The thread may be first.

#include "../zoo.h"

namespace {

struct Handle {
  pthread_t id;
  unsigned num_events;
};

struct Worker {
  Handle* volatile handle = nullptr;
  unsigned sum = 0;
};

Handle* CreateThread(void* (*routine)(void*), void* argument) {
  auto* handle = new Handle{};
  handle->id = zoo_spawn(routine, argument);
  zoo_start();
  zoo_compute(3000, 9);  // enters it in the list of threads
  return handle;
}

void* Run(void* argument) {
  auto* worker = static_cast<Worker*>(argument);
  zoo_start();
  zoo_device(100000);  // waits for its first event
  for (unsigned event = 1; event <= 8; ++event) {
    worker->sum += event;
    ++worker->handle->num_events;
  }
  return nullptr;
}

void Start(Worker* worker) { worker->handle = CreateThread(Run, worker); }

}  // namespace

int main() {
  zoo_threads(2);
  Worker worker;
  Start(&worker);
  zoo_join(worker.handle->id);
  if (worker.handle->num_events != 8) return 1;
  delete worker.handle;
  return 0;
}
