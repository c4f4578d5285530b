// Four philosophers. All but one lift the left fork first; the last one does so
// only in the rare case that he finds both of his neighbours eating at once.

#include <pthread.h>

enum { kSeats = 4 };

static pthread_mutex_t forks[kSeats] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int eating[kSeats];

static void eat(int seat, int first, int second) {
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  eating[seat] = 1;
  eating[seat] = 0;
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
}

static void* philosopher(void* argument) {
  const int seat = (int)(long)argument;
  const int left = seat, right = (seat + 1) % kSeats;
  const int hungry = seat != kSeats - 1;
  for (int i = 0; i < 2; ++i) {
    if (hungry || (eating[1] != 0 && i == 0)) {
      eat(seat, left, right);
    } else {
      eat(seat, right, left);
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[kSeats];
  for (long i = 0; i < kSeats; ++i) {
    pthread_create(&threads[i], 0, philosopher, (void*)i);
  }
  for (int i = 0; i < kSeats; ++i) pthread_join(threads[i], 0);
  return 0;
}
