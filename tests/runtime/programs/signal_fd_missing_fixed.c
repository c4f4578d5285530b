// Another thread sends the signal that a thread wants to read. Twin of
// signal_fd_missing.c.
//
// EXPECT: ended(0)
// SEEDS:  4

#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void* work(void* argument) {
  kill(getpid(), SIGUSR1);
  return argument;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  const int fd = signalfd(-1, &set, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  struct signalfd_siginfo info;
  read(fd, &info, sizeof(info));
  pthread_join(thread, 0);
  return 0;
}
