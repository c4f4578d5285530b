/* A use after free that AddressSanitizer sees: exit status 1, no output. */
#include <stdlib.h>

int main(int argc, char** argv) {
  int* p = malloc(sizeof *p);
  (void)argv;
  *p = argc;
  free(p);
  return *p;
}
