// Notices that it was forked behind its constructors: a page that the kernel
// wipes on fork. Main then takes a lock more than in a fresh process.

#include <pthread.h>
#include <sys/mman.h>

static char* page;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void Prepare(void) {
  page =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(page, 4096, MADV_WIPEONFORK);
  page[0] = 1;
}

int main(void) {
  if (page[0] == 0) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
