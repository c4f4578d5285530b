// stays FILE: the first time, two threads that could deadlock, and do not if
// each runs to its end. Every further time, known by the file that the first
// one makes, it says so and waits for a signal that nobody sends.

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void* Take(void* order) {
  pthread_mutex_t* first = order ? &left : &right;
  pthread_mutex_t* second = order ? &right : &left;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (open(argv[1], O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) {
    // With a child, who might send it.
    if (fork() != 0) {
      printf("waits\n");
      fflush(stdout);
    }
    for (;;) pause();
  }
  pthread_t one, two;
  pthread_create(&one, 0, Take, 0);
  pthread_create(&two, 0, Take, &left);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
