// join_twice.c with one joiner, in the timed forms.
//
// EXPECT: ended(0)
// EVENTS: join timed-out
// EVENTS: join success
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  const struct timespec past = {.tv_sec = 1, .tv_nsec = 0};
  const struct timespec far = {.tv_sec = 4000000000, .tv_nsec = 0};
  pthread_t thread;
  void* result;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, waits, (void*)5);
  if (pthread_timedjoin_np(thread, 0, &past) != ETIMEDOUT) return 1;
  if (pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &past) != ETIMEDOUT) {
    return 2;
  }
  pthread_mutex_unlock(&mutex);
  // Time may pass before the thread has ended, however far away that time is.
  int error;
  do {
    error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &far);
  } while (error == ETIMEDOUT);
  if (error != 0) return 4;
  return result == (void*)5 ? 0 : 5;
}
