// Dies several calls deep, called back by the C library, while another thread
// waits; the stacks of both should be told.

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int* volatile nowhere;

static int Compare(const void* a, const void* b) {
  (void)a;
  (void)b;
  return *nowhere;
}

__attribute__((noinline)) static void Sort(int* numbers) {
  qsort(numbers, 2, sizeof(int), Compare);
  __asm__ volatile("");
}

static void* Crash(void* argument) {
  int numbers[2] = {2, 1};
  Sort(numbers);
  return argument;
}

__attribute__((noinline)) static void WaitForever(void) {
  pthread_mutex_lock(&lock);
  for (;;) pthread_cond_wait(&never, &lock);
}

static void* Wait(void* argument) {
  WaitForever();
  return argument;
}

int main(void) {
  pthread_t waits;
  pthread_t dies;
  pthread_create(&waits, NULL, Wait, NULL);
  pthread_create(&dies, NULL, Crash, NULL);
  return pthread_join(dies, NULL);
}
