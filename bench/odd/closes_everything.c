// Closes every descriptor from 3 on, as daemons do, in three ways, and goes on
// with threads; what it opens next gets the lowest numbers.
// FLAGS: -O2

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "want.h"

static int ends[2];

static void* writer(void* unused) {
  for (char c = 'a'; c < 'f'; c++) want(write(ends[1], &c, 1) == 1);
  close(ends[1]);
  return unused;
}

static void use_threads(void) {
  want(pipe(ends) == 0);
  const pthread_t thread = start(writer, NULL);
  char byte;
  printf("%d %d ", ends[0], ends[1]);
  while (read(ends[0], &byte, 1) == 1) putchar(byte);
  putchar(' ');
  finish(thread);
}

static int listed(void) {
  DIR* directory = opendir("/proc/self/fd");
  want(directory != NULL);
  int count = 0;
  for (struct dirent* entry; (entry = readdir(directory)) != NULL;)
    count += entry->d_name[0] != '.' && atoi(entry->d_name) > 2 &&
             atoi(entry->d_name) < 100;
  closedir(directory);
  return count;
}

int main(void) {
  for (int fd = 3; fd < 1024; fd++) close(fd);
  use_threads();
  closefrom(3);
  use_threads();
  want(close_range(3, ~0u, CLOSE_RANGE_UNSHARE) == 0);
  use_threads();
  close_range(3, ~0u, 0);
  printf("%d listed; ", listed());
  struct rlimit few = {16, 16};
  want(setrlimit(RLIMIT_NOFILE, &few) == 0);
  int opened = 0;
  while (open("/dev/null", O_RDONLY) >= 0) opened++;
  want(errno == EMFILE);
  printf("%d more to the limit\n", opened);
  return 0;
}
