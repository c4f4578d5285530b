// A worker fills in a table that main already uses.
//
// patch fixed    1  main waits for the worker to end
// patch fixed    2  main waits on a semaphore that the worker posts
// patch wrong    3  main sleeps first
// patch wrong    4  a lock around both, which orders nothing
// patch unknown  5  main does not use it any more
// patch wrong    6  the worker posts before it has filled it in
// patch wrong    7  main yields first

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef PATCH
#define PATCH 0
#endif

static int* table;
static sem_t ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* Fill(void* nothing) {
  if (PATCH == 6) sem_post(&ready);
  int* made = malloc(4 * sizeof *made);
  for (int i = 0; i < 4; ++i) made[i] = i;
  if (PATCH == 4) pthread_mutex_lock(&lock);
  table = made;
  if (PATCH == 4) pthread_mutex_unlock(&lock);
  if (PATCH == 2) sem_post(&ready);
  return nothing;
}

static int Use(void) {
  if (PATCH == 4) pthread_mutex_lock(&lock);
  int* found = table;
  if (PATCH == 4) pthread_mutex_unlock(&lock);
  return found[2];
}

int main(void) {
  pthread_t worker;
  sem_init(&ready, 0, 0);
  pthread_create(&worker, 0, Fill, 0);
  if (PATCH == 1) pthread_join(worker, 0);
  if (PATCH == 2 || PATCH == 6) sem_wait(&ready);
  if (PATCH == 3) usleep(1000);
  if (PATCH == 7) sched_yield();
  int seen = PATCH == 5 ? 2 : Use();
  if (PATCH != 1) pthread_join(worker, 0);
  return seen == 2 ? 0 : 1;
}
