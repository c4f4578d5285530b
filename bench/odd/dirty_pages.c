// Pages are protected, and a SIGSEGV handler notes which ones threads write.
// FLAGS: -O2

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "want.h"

enum { kPages = 16, kSize = 4096 };

static char* area;
static atomic_int dirty[kPages];

static void on_write(int number, siginfo_t* info, void* unused) {
  (void)number;
  (void)unused;
  const size_t page = (size_t)((char*)info->si_addr - area) / kSize;
  if (page >= kPages) _exit(3);
  atomic_store(&dirty[page], 1);
  mprotect(area + page * kSize, kSize, PROT_READ | PROT_WRITE);
}

// Threads write to the same pages, to bytes of their own.
static void* writer(void* number) {
  for (size_t page = (size_t)(uintptr_t)number; page < kPages; page += 3)
    for (int i = 0; i < 3; i++)
      area[page * kSize + (size_t)(uintptr_t)number] = (char)page;
  return NULL;
}

int main(void) {
  area =
      mmap(NULL, kPages * kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  want(area != MAP_FAILED);
  struct sigaction action = {.sa_sigaction = on_write, .sa_flags = SA_SIGINFO};
  want(sigaction(SIGSEGV, &action, NULL) == 0);
  for (int round = 0; round < 2; round++) {
    want(mprotect(area, kPages * kSize, PROT_READ) == 0);
    for (int i = 0; i < kPages; i++) atomic_store(&dirty[i], 0);
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++)
      threads[i] = start(writer, (void*)(i * (uintptr_t)(round + 1)));
    for (int i = 0; i < 3; i++) finish(threads[i]);
    for (int i = 0; i < kPages; i++) putchar('0' + atomic_load(&dirty[i]));
    putchar('\n');
  }
  return 0;
}
