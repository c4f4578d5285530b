// Creates and joins one thread after the other.
//   create_join COUNT
#include <pthread.h>
#include <stdlib.h>

static void* work(void* argument) { return argument; }

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1000;
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}
