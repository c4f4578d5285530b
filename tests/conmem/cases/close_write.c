// EXPECT: dangling
// A log file is rotated: closed, while another thread writes to it.
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int log_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void log_line(const char* text) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  int fd = log_fd;
  if (fd >= 0 && write(fd, text, strlen(text)) < 0) abort();
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
}
static void* worker(void* unused) {
  log_line("one\n");
  log_line("two\n");
  return unused;
}
static void* rotate(void* unused) {
  pthread_mutex_lock(&lock);
  int old = log_fd;
  log_fd = -1;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
#endif
  close(old);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}
int main(void) {
  log_fd = open("/dev/null", O_WRONLY);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, rotate, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
