// Jobs and the workers who take them; the file that includes it gives each a
// number.

#include <pthread.h>

enum { kJobs = 4 };

static int next_number(void);

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static int num_taken;
static int done[kJobs];

static int take_job(void) {
  pthread_mutex_lock(&list_lock);
  const int taken = num_taken < kJobs;
  num_taken += taken;
  pthread_mutex_unlock(&list_lock);
  return taken;
}

static void* work(void* argument) {
  while (take_job()) done[next_number()] = 1;
  return argument;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  for (int i = 0; i < kJobs; ++i) {
    if (!done[i]) return 1;
  }
  return 0;
}
