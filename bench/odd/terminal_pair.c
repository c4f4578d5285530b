// A pseudoterminal with a thread at each end: lines, echo, end of file, raw.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <termios.h>

#include "want.h"

static int slave;

static void* shell(void* unused) {
  FILE* in = fdopen(dup(slave), "r");
  want(in != NULL);
  char line[64];
  int lines = 0;
  while (fgets(line, sizeof(line), in) != NULL) {
    dprintf(slave, "%d:%s", ++lines, line);
  }
  want(feof(in));
  fclose(in);
  return (char*)unused + lines;
}

static size_t read_until(int fd, const char* end, char* text, size_t room) {
  size_t used = 0;
  while (used < strlen(end) ||
         memcmp(text + used - strlen(end), end, strlen(end)) != 0) {
    want(used < room && read(fd, text + used, 1) == 1);
    used++;
  }
  text[used] = 0;
  return used;
}

int main(void) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  want(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  want(slave >= 0 && isatty(slave));
  struct termios how;
  want(tcgetattr(slave, &how) == 0);
  how.c_lflag &= (tcflag_t)~ECHO;
  want(tcsetattr(slave, TCSANOW, &how) == 0);
  const pthread_t thread = start(shell, NULL);
  char text[128];
  want(write(master, "onw\177e\n", 6) == 6);  // One letter is taken back.
  read_until(master, "\n", text, sizeof(text));
  printf("%.*s|", (int)strcspn(text, "\r"), text);
  want(write(master, "two\n\4", 5) == 5);
  read_until(master, "\n", text, sizeof(text));
  printf("%.*s|", (int)strcspn(text, "\r"), text);
  const long lines = (long)finish(thread);
  cfmakeraw(&how);
  want(tcsetattr(slave, TCSANOW, &how) == 0);
  want(write(master, "a\rb\4", 4) == 4);
  want(read(slave, text, 4) == 4 && memcmp(text, "a\rb\4", 4) == 0);
  printf("%ld lines\n", lines);
  return 0;
}
