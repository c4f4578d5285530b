// A deposit reads the balance under the lock, and writes it back under the
// lock, but not in one section. Fixed: one section.

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int look(void) {
  pthread_mutex_lock(&lock);
  const int seen = balance;
  pthread_mutex_unlock(&lock);
  return seen;
}

static void set(int amount) {
  pthread_mutex_lock(&lock);
  balance = amount;
  pthread_mutex_unlock(&lock);
}

static void add(int amount) {
  pthread_mutex_lock(&lock);
  balance += amount;
  pthread_mutex_unlock(&lock);
}

static void* deposit(void* argument) {
  const int amount = *(const int*)argument;
  for (int i = 0; i < 3; ++i) {
#ifdef FIXED
    (void)look, (void)set;
    add(amount);
#else
    (void)add;
    set(look() + amount);
#endif
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  int amounts[2] = {10, 20};
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, deposit, &amounts[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(balance == 90);
}
