// Threads count into one table without a lock. Fix: atomic counts in Count.
//
// FUNCTIONS: Count

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int counts[26];

static void Count(const char* text) {
  for (; *text != 0; ++text) {
    counts[*text - 'a']++;  // SHOWS
  }
}

static void* Work(void* argument) {
  Count(argument);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  char* texts[2] = {"keel", "deck"};
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], NULL, Work, texts[i]) != 0) return 2;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  int sum = 0;
  for (int i = 0; i < 26; ++i) sum += counts[i];
  printf("%d letters\n", sum);
  return sum == 8 ? 0 : 1;
}
