// EXPECT: overflow
// A length in shared memory is read twice: for the check, and for the copy.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
  volatile unsigned length;
  char body[256];
};
static struct message message = {.length = 16};

static void* handle(void* unused) {
  char* copy = malloc(32);
#ifdef FIXED
  const unsigned length = message.length;
  if (length <= 32) memcpy(copy, message.body, length);
#else
  if (message.length <= 32) memcpy(copy, message.body, message.length);
#endif
  free(copy);
  return unused;
}

static void* send_more(void* unused) {
  message.length = 40;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, handle, NULL);
  pthread_create(&threads[1], NULL, send_more, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
