// Mozilla NSPR: a thread object is started, and its state reset.
//
// The child tells by `state` that it is done; who joins waits for that.
//
// The bug: the parent resets `state` after the child was started. A child that
// is done by then was never done, and the parent waits for ever.

#include "../zoo.h"

namespace {

enum State { kUnborn, kRunning, kDone };

struct Thread {
  pthread_t id;
  pthread_mutex_t monitor;
  pthread_cond_t changed;
  State state;
  unsigned result;
};

void SetState(Thread* thread, State state) {
  pthread_mutex_lock(&thread->monitor);
  thread->state = state;
  pthread_cond_broadcast(&thread->changed);
  pthread_mutex_unlock(&thread->monitor);
}

void* Run(void* argument) {
  auto* thread = static_cast<Thread*>(argument);
  zoo_start();
  zoo_device(300000);  // loads a library
  for (unsigned i = 0; i < 20; ++i) thread->result += i;
  SetState(thread, kDone);
  return nullptr;
}

void Create(Thread* thread) {
  pthread_mutex_init(&thread->monitor, nullptr);
  pthread_cond_init(&thread->changed, nullptr);
  thread->id = zoo_spawn(Run, thread);
  zoo_start();
  zoo_compute(3000, 5);  // enters it in the list of threads
  thread->state = kRunning;
}

void Join(Thread* thread) {
  pthread_mutex_lock(&thread->monitor);
  while (thread->state != kDone) {
    pthread_cond_wait(&thread->changed, &thread->monitor);
  }
  pthread_mutex_unlock(&thread->monitor);
  zoo_join(thread->id);
}

}  // namespace

int main() {
  zoo_threads(2);
  auto* thread = static_cast<Thread*>(calloc(1, sizeof(Thread)));
  Create(thread);
  Join(thread);
  const unsigned result = thread->result;
  free(thread);
  if (result != 190) zoo_wrong("result", result, 190);
  return 0;
}
