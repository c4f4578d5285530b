// W-R order: the worker uses what main sets.
#include "handshake.h"

static int* config;
static int value = 42;

static void* worker(void* unused) {
  (void)unused;
  i_am_early();
  const int* mine = config;
  return mine != NULL && *mine == 42 ? NULL : (void*)1;
}

int main(int argc, char** argv) {
  pthread_t thread;
  void* wrong;
  const int bad = read_way(argc, argv);
  if (bad) pthread_create(&thread, NULL, worker, NULL);
  if (bad) wait_for_early();
  config = &value;
  if (!bad) pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, &wrong);
  return wrong != NULL;
}
