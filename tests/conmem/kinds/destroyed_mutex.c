// EXPECT: dangling
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock;
static int count;

static sem_t begun;

static void* user(void* unused) {
  sem_post(&begun);
  pthread_mutex_lock(&lock);
  ++count;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&begun, 0, 0);
  pthread_mutex_init(&lock, NULL);
  pthread_create(&thread, NULL, user, NULL);
  sem_wait(&begun);
#ifdef FIXED
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&lock);
#else
  pthread_mutex_destroy(&lock);
  pthread_join(thread, NULL);
#endif
  return 0;
}
