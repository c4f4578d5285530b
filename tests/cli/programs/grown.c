// A block of 3 GB, hardly used, becomes one of 5 GB: prints how many pages of
// the process are there afterwards, and whether what was written still is.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const size_t small = (size_t)3 << 30;
  const size_t large = (size_t)5 << 30;
  char* block = malloc(small);
  if (block == 0) return 77;
  block[0] = 'a';
  block[small - 1] = 'z';
  char* grown = realloc(block, large);
  if (grown == 0) return 77;
  grown[large - 1] = '!';
  const int kept = grown[0] == 'a' && grown[small - 1] == 'z';
  char* shrunk = realloc(grown, (size_t)2 << 20);
  FILE* file = fopen("/proc/self/statm", "r");
  long size = 0;
  long resident = 0;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2) return 3;
  fclose(file);
  printf("%s, %s\n", kept && shrunk[0] == 'a' ? "kept" : "lost",
         resident < 100000 ? "few pages" : "many pages");
  return 0;
}
