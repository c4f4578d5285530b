// R-R-W | R-R-W: room is checked, a record copied to the end, the end moved on.
#include <pthread.h>
#include <string.h>

#include "jitter.h"

static char buffer[4096];
static int length;

static void* writer(void* argument) {
  const char* record = argument;
  for (int i = 0; i < 1; ++i) {
    work(400, 4000);
    if (length + 4 > (int)sizeof(buffer)) return NULL;
    const int at = length;
    memcpy(buffer + at, record, 4);
    work(0, 3);
    length = at + 4;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, (void*)"AAAA");
  pthread_create(&threads[1], NULL, writer, (void*)"BBBB");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return length != 2 * 1 * 4;
}
