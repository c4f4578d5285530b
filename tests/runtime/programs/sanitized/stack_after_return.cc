// A pointer to a local outlives its function, and another thread reads it:
// AddressSanitizer's fake stacks are those of the right thread.
//
// BUILD:  -fsanitize=address
// EXPECT: sanitizer
// TEXT:   AddressSanitizer: stack-use-after-return
// SEEDS:  4

#include <semaphore.h>

#include <thread>

static int* volatile shared;
static sem_t published;
static sem_t seen;

__attribute__((noinline)) static void Publish() {
  int local = 5;
  shared = &local;
}

int main() {
  sem_init(&published, 0, 0);
  sem_init(&seen, 0, 0);
  std::thread writer([] {
    Publish();
    sem_post(&published);
    sem_wait(&seen);  // a thread's fake stack ends with the thread
  });
  sem_wait(&published);
  const int value = *shared;
  sem_post(&seen);
  writer.join();
  return value;
}
