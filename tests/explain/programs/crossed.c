// Two threads take two locks in opposite orders.
//
// patch fixed    1  both take them in the same order
// patch fixed    2  a third lock around both
// patch wrong    3  a third lock around one side only
// patch wrong    4  a sleep between the two
// patch wrong    5  third and fourth locks, one for each side
// patch unknown  6  one thread does not move anything any more

#include <pthread.h>
#include <unistd.h>

#ifndef PATCH
#define PATCH 0
#endif

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_gate = PTHREAD_MUTEX_INITIALIZER;
static int on_left = 5;
static int on_right = 5;

static void* ToRight(void* nothing) {
  if (PATCH == 2 || PATCH == 3 || PATCH == 5) pthread_mutex_lock(&gate);
  pthread_mutex_lock(&left);
  if (PATCH == 4) usleep(1000);
  pthread_mutex_lock(&right);
  --on_left;
  ++on_right;
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  if (PATCH == 2 || PATCH == 3 || PATCH == 5) pthread_mutex_unlock(&gate);
  return nothing;
}

static void* ToLeft(void* nothing) {
  if (PATCH == 6) return nothing;
  if (PATCH == 2) pthread_mutex_lock(&gate);
  if (PATCH == 5) pthread_mutex_lock(&other_gate);
#if PATCH == 1
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
#else
  pthread_mutex_lock(&right);
  if (PATCH == 4) usleep(1000);
  pthread_mutex_lock(&left);
#endif
  ++on_left;
  --on_right;
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  if (PATCH == 5) pthread_mutex_unlock(&other_gate);
  if (PATCH == 2) pthread_mutex_unlock(&gate);
  return nothing;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, ToRight, 0);
  pthread_create(&threads[1], 0, ToLeft, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
