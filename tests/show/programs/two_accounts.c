// Transfers lock the account they take from first. Fix: by address in Transfer.
//
// FUNCTIONS: Transfer

#include <pthread.h>

struct Account {
  pthread_mutex_t mutex;
  int balance;
};

static struct Account accounts[3] = {
    {PTHREAD_MUTEX_INITIALIZER, 10},
    {PTHREAD_MUTEX_INITIALIZER, 10},
    {PTHREAD_MUTEX_INITIALIZER, 10},
};

static void Transfer(struct Account* from, struct Account* to, int amount) {
  pthread_mutex_lock(&from->mutex);  // SHOWS
  pthread_mutex_lock(&to->mutex);    // SHOWS
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}

static void* There(void* unused) {
  Transfer(&accounts[1], &accounts[2], 1);
  return unused;
}

static void* Back(void* unused) {
  Transfer(&accounts[2], &accounts[1], 2);
  return unused;
}

int main(void) {
  pthread_t there, back;
  if (pthread_create(&there, NULL, There, NULL) != 0) return 2;
  if (pthread_create(&back, NULL, Back, NULL) != 0) return 2;
  pthread_join(there, NULL);
  pthread_join(back, NULL);
  return 0;
}
