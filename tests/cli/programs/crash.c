// Ends by the signal that its argument names, raised against itself.

#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "abort") == 0) abort();
  volatile int* nowhere = 0;
  return *nowhere;
}
