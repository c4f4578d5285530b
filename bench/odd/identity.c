// Effective user and group change for all threads at once, as POSIX demands;
// directories, masks of files and limits belong to the process.
// FLAGS: -O2

#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/stat.h>

#include "want.h"

static pthread_barrier_t turn;

static void* watcher(void* before) {
  want(geteuid() == *(uid_t*)before);
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  char where[64];
  want(getcwd(where, sizeof(where)) != NULL && strcmp(where, "/tmp") == 0);
  want(umask(077) == 077);
  struct rlimit limit;
  want(getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0);
  const uid_t seen = geteuid();
  const gid_t group = getegid();
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  want(geteuid() == *(uid_t*)before);
  return (void*)(long)(seen == group ? 1 : 0);
}

int main(void) {
  uid_t user = geteuid();
  const gid_t group = getegid();
  pthread_barrier_init(&turn, NULL, 3);
  const pthread_t one = start(watcher, &user), two = start(watcher, &user);
  pthread_barrier_wait(&turn);
  const struct rlimit none = {0, 0};
  want(chdir("/tmp") == 0 && setrlimit(RLIMIT_CORE, &none) == 0);
  umask(077);
  const int root = user == 0;
  if (root) want(setegid(65534) == 0 && seteuid(65534) == 0);
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  if (root) want(seteuid(0) == 0 && setegid(group) == 0);
  pthread_barrier_wait(&turn);
  const long first = (long)finish(one), second = (long)finish(two);
  want(first == second);
  puts("one identity");
  return 0;
}
