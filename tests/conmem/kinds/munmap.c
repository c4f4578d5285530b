// EXPECT: dangling
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

static int* page;

static sem_t begun;

static void* user(void* unused) {
  sem_post(&begun);
  page[3] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&begun, 0, 0);
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
  pthread_create(&thread, NULL, user, NULL);
  sem_wait(&begun);
#ifdef FIXED
  pthread_join(thread, NULL);
  munmap(page, 4096);
#else
  munmap(page, 4096);
  pthread_join(thread, NULL);
#endif
  return 0;
}
