// localtime gives all threads one struct, in the C library. Fix: localtime_r in
// Stamp.
//
// FUNCTIONS: Stamp

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct Entry {
  time_t at;
  int year;
};

static void Stamp(struct Entry* entry) {
  const struct tm* parts = gmtime(&entry->at);  // LACKS
  entry->year = parts->tm_year + 1900;          // SHOWS
}

static void* Work(void* argument) {
  Stamp(argument);
  return NULL;
}

int main(void) {
  struct Entry entries[2] = {{.at = 0}, {.at = 2000000000}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], NULL, Work, &entries[i]) != 0) return 2;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (entries[0].year != 1970) abort();
  return entries[1].year == 2033 ? 0 : 1;
}
