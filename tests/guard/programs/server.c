// Waits for its input to end, in a child of fork if it is told to.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handshake.h"

static int requests;

static void* serve(void* unused) {
  (void)unused;
  ++requests;
  return NULL;
}

int main(int argc, char** argv) {
  const int child = argc > 1 && strcmp(argv[1], "fork") == 0 ? fork() : 0;
  if (child > 0) {
    int status;
    waitpid(child, &status, 0);
    return status != 0;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, serve, NULL);
  pthread_join(thread, NULL);
  ++requests;
  printf("%d\n", (int)getpid());
  fflush(stdout);
  char c;
  while (read(0, &c, 1) == 1) {
  }
  return requests != 2;
}
