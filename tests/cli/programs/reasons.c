// Ends with exit code 1 for one of two reasons, which it says, with numbers in
// it that differ each time.

#include <pthread.h>
#include <stdio.h>

static int sold, bought;

static void* Trade(void* argument) {
  const int before = sold;
  sold = before + 1;
  const int stock = bought;
  bought = stock + 1;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Trade, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (sold != 2) {
    fprintf(stderr, "%d sold at %p\n", sold, (void*)threads);
    return 1;
  }
  if (bought != 2) {
    fprintf(stderr, "%d bought\n", bought);
    return 1;
  }
  return 0;
}
