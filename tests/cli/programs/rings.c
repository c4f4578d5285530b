// Ends by its own alarm while it waits; with an argument it says instead
// whether its output goes to a pipe.

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  (void)argv;
  struct stat output;
  if (argc > 1) {
    fstat(1, &output);
    puts(S_ISFIFO(output.st_mode) ? "a pipe" : "no pipe");
    return 0;
  }
  alarm(1);
  pause();
  return 0;
}
