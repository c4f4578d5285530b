// EXPECT: null
// A slot becomes an empty one while another thread is about to use it.
#include <pthread.h>

struct connection {
  int state;
  int* stream;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stream;
static const struct connection empty;
static struct connection connection = {1, &stream};

static void* reply(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (connection.state == 1) ++*connection.stream;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

static void* reset(void* unused) {
  pthread_mutex_lock(&lock);
  connection = empty;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reply, NULL);
  pthread_create(&threads[1], NULL, reset, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
