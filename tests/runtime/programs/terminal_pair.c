// A pair of terminals with a thread at each end; a replay gets from the
// schedule what came through it, and opens nobody else's terminal.
//
// EXPECT: ended(0)
// EVENTS: open use
// PLAIN:  0
// REPEATS: replayed

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "verify.h"

static int terminal;

static void* answer(void* unused) {
  char line[32];
  const ssize_t got = read(terminal, line, sizeof(line));
  VERIFY(got == 6 && memcmp(line, "hello\n", 6) == 0);
  VERIFY(write(terminal, "world", 5) == 5);
  return 0;
}

int main(void) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  VERIFY(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
  VERIFY(terminal >= 0 && isatty(terminal));
  struct termios how;
  VERIFY(tcgetattr(terminal, &how) == 0);
  how.c_lflag &= (tcflag_t)~ECHO;
  VERIFY(tcsetattr(terminal, TCSANOW, &how) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, answer, 0);
  VERIFY(write(master, "hello\n", 6) == 6);
  char word[5];
  for (size_t used = 0; used < sizeof(word);) {
    const ssize_t got = read(master, word + used, sizeof(word) - used);
    VERIFY(got > 0);
    used += (size_t)got;
  }
  VERIFY(memcmp(word, "world", 5) == 0);
  pthread_join(thread, 0);
  return 0;
}
