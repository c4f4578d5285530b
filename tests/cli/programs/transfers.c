// Money goes from purse to purse, each with a lock, taken from giver to taker.
// Two transfers of the four are in each other's way: the first of one thread
// and the second of the other.

#include <pthread.h>

struct Purse {
  pthread_mutex_t mutex;
  int coins;
};

static struct Purse purses[3] = {{PTHREAD_MUTEX_INITIALIZER, 9},
                                 {PTHREAD_MUTEX_INITIALIZER, 9},
                                 {PTHREAD_MUTEX_INITIALIZER, 9}};

static void Give(int from, int to, int coins) {
  pthread_mutex_lock(&purses[from].mutex);
  pthread_mutex_lock(&purses[to].mutex);
  purses[from].coins -= coins;
  purses[to].coins += coins;
  pthread_mutex_unlock(&purses[to].mutex);
  pthread_mutex_unlock(&purses[from].mutex);
}

static void* Wages(void* nothing) {
  Give(0, 1, 3);
  Give(1, 2, 1);
  return nothing;
}

static void* Rent(void* nothing) {
  Give(2, 0, 2);
  Give(1, 0, 1);
  return nothing;
}

int main(void) {
  pthread_t wages, rent;
  pthread_create(&wages, 0, Wages, 0);
  pthread_create(&rent, 0, Rent, 0);
  pthread_join(wages, 0);
  pthread_join(rent, 0);
  return purses[0].coins + purses[1].coins + purses[2].coins - 27;
}
