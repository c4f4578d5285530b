// EXPECT: dangling
// A log is closed while another thread writes to it.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd;

static void* work(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (log_fd >= 0 && write(log_fd, "done\n", 5) != 5) log_fd = -1;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

static void* stop(void* unused) {
  pthread_mutex_lock(&lock);
  close(log_fd);
  log_fd = -1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  log_fd = open("/dev/null", O_WRONLY);
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_create(&threads[1], NULL, stop, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
