// Threads, primitives and descriptors that begin and end.

#include <stdlib.h>
#include <unistd.h>

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static int x;

static void* Destroys(void* unused) {
  pthread_mutex_destroy(&m);  // #destroy
  return unused;
}
static void* Writes(void* unused) {
  x = 1;  // #a
  return unused;
}

static void* Closes(void* unused) {
  close(ends[1]);  // #close
  return unused;
}

static void* Child(void* unused) {
  x = 2;  // #child
  return unused;
}
static void* Parent(void* unused) {
  pthread_t child;
  pthread_create(&child, NULL, Child, NULL);  // #create
  pthread_join(child, NULL);                  // #join
  return unused;
}

// Waits for what another process will write.
static void* Reads(void* unused) {
  char byte;
  if (read(ends[0], &byte, 1) == 1) {
    x = 3;  // #arrived
  }
  return unused;
}

int main(int argc, char** argv) {
  if (pipe(ends) != 0) return 2;
  switch (argc > 1 ? atoi(argv[1]) : 1) {
    case 1:
      RUN_THREADS(Destroys, Writes);
      break;
    case 2:
      RUN_THREADS(Closes, Writes);
      break;
    case 3:
      RUN_THREADS(Parent, Writes);
      break;
    default:
      if (fork() == 0) {
        usleep(20000);
        _exit(write(ends[1], "!", 1) == 1 ? 0 : 1);
      }
      RUN_THREADS(Reads, Writes);
      break;
  }
  return 0;
}
