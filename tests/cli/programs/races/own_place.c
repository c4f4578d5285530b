// strtok in two threads, each with a text of its own: the place in the text is
// one static variable of the library's.
// RACES: low own_place.c:18 own_place.c:18
// FIXED: none

#include <pthread.h>
#include <string.h>

#ifdef FIXED
#define NEXT(text, place) strtok_r(text, " ", place)
#else
#define NEXT(text, place) ((void)(place), strtok(text, " "))
#endif

static void* count(void* words) {
  char *place = NULL, *at = words;
  long found = 0;
  for (char* word; (word = NEXT(at, &place)) != NULL; at = NULL) ++found;
  return (void*)found;
}

int main(void) {
  char one[] = "a b c", other[] = "d e f";
  pthread_t first, second;
  pthread_create(&first, NULL, count, one);
  pthread_create(&second, NULL, count, other);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
