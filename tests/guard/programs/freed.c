// A block is freed while another thread is still to read it.
#include <stdlib.h>

#include "handshake.h"

static int sum;

static void* reader(void* given) {
  int* block = given;
  wait_for_early();
  sum = *block;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t thread;
  const int bad = read_way(argc, argv);
  int* block = malloc(64);
  *block = 42;
  pthread_create(&thread, NULL, reader, block);
  if (!bad) pthread_join(thread, NULL);
  i_am_early();
  free(block);
  // What is written over it, as the next user of the memory would.
  int* other = malloc(64);
  *other = 1;
  if (bad) pthread_join(thread, NULL);
  free(other);
  return sum != 42;
}
