// Two threads, one write each: who is last? Both are let go at once, since the
// one that is created first would have a head start.
//
// EXPECT: ended(1) ended(2)

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived;
static int last;

static void* write(void* who) {
  pthread_mutex_lock(&mutex);
  ++arrived;
  pthread_cond_broadcast(&changed);
  while (arrived < 3) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  last = (int)(long)who;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write, (void*)1);
  pthread_create(&b, 0, write, (void*)2);
  pthread_mutex_lock(&mutex);
  while (arrived < 2) pthread_cond_wait(&changed, &mutex);
  ++arrived;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return last;
}
