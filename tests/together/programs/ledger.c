// A ledger in C: the balance and the number of entries are kept under one lock,
// but a posting takes it twice.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct ledger {
  pthread_mutex_t lock;
  long balance;
  long entries;
  long journal[16];
};

static void ledger_init(struct ledger* l) {
  pthread_mutex_init(&l->lock, NULL);
  l->balance = 0;
  l->entries = 0;
}

static void ledger_add(struct ledger* l, long amount) {
  pthread_mutex_lock(&l->lock);
  l->balance += amount;
#ifndef FIXED
  pthread_mutex_unlock(&l->lock);
  pthread_mutex_lock(&l->lock);
#endif
  l->journal[l->entries % 16] = amount;
  l->entries++;
  pthread_mutex_unlock(&l->lock);
}

static int ledger_check(struct ledger* l) {
  pthread_mutex_lock(&l->lock);
  long sum = 0;
  for (long i = 0; i < l->entries && i < 16; ++i) sum += l->journal[i];
  const int ok = sum == l->balance;
  pthread_mutex_unlock(&l->lock);
  return ok;
}

static void* post(void* arg) {
  struct ledger* l = arg;
  for (int i = 0; i < 3; ++i) ledger_add(l, 10 + i);
  return NULL;
}

static void* audit(void* arg) {
  struct ledger* l = arg;
  if (!ledger_check(l)) {
    fprintf(stderr, "the books do not balance\n");
    exit(3);
  }
  return NULL;
}

int main(void) {
  struct ledger* l = malloc(sizeof *l);
  ledger_init(l);
  pthread_t one, two;
  pthread_create(&one, NULL, post, l);
  pthread_create(&two, NULL, audit, l);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(l);
  return 0;
}
