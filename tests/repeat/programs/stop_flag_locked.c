// Workers do locked work until a flag that main sets after a timed wait; the
// code of nobody here has sites.
//
// BUILD: plainly
// FINDS:
// OPTIONS: --executions 30
// FOLLOWS: first random pct:3

#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int stop;
static long done;

static void* work(void* unused) {
  for (int over = 0; !over;) {
    pthread_mutex_lock(&mutex);
    ++done;
    over = stop;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 900000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    ++until.tv_sec;
  }
  pthread_mutex_lock(&mutex);
  while (pthread_cond_timedwait(&never, &mutex, &until) == 0) continue;
  stop = 1;
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
