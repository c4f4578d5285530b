// Mapped memory has the same addresses in every repetition.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  (void)unused;
  for (int i = 1; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    char* page = mmap(0, i * 10000, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_unlock(&mutex);
    if (page == MAP_FAILED) return (void*)1;
    page[9999] = 1;
    mprotect(page, 10000, PROT_NONE);
    if (munmap(page, i * 10000) != 0) return (void*)2;
  }
  return mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
             ? 0
             : (void*)3;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    if (result != 0) return 1;
  }
  return 0;
}
