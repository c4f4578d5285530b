// Says hello on both streams, copies its standard input if asked, and ends with
// the exit code that its first argument says.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  printf("hello\n");
  fprintf(stderr, "hello, error\n");
  if (argc > 2 && strcmp(argv[2], "cat") == 0) {
    int c;
    while ((c = getchar()) != EOF) putchar(c);
  }
  return argc > 1 ? atoi(argv[1]) : 0;
}
