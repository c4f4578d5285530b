// Accesses of every kind to pages that a handler lets through, in threads that
// run beside each other: each faults once, in the program's own code, and is
// then made. A handler that jumps out of an access is none that was made. The
// runtime looks at the same memory, and must not fault for the program.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  12

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../verify.h"

enum { kPage = 4096, kKinds = 24, kThreads = 2 };

struct record {
  long words[5];
};

static char* pages;
static volatile int faults[kThreads * kKinds];
static volatile int misplaced, refused;
static __thread sigjmp_buf* way_out;
extern char __executable_start, etext;

static void on_fault(int number, siginfo_t* info, void* context) {
  if (way_out != 0) siglongjmp(*way_out, 1);
  char* at = info->si_addr;
  ++faults[(at - pages) / kPage];
  // Accesses by the C library are at their own place.
  const uint64_t pc = ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  const int kind = (at - pages) / kPage % kKinds;
  const int ours = pc >= (uint64_t)&__executable_start && pc < (uint64_t)&etext;
  if (kind < 16 && !ours) ++misplaced;
  char* page = (char*)((uintptr_t)at & ~(uintptr_t)(kPage - 1));
  VERIFY(mprotect(page, kPage, PROT_READ | PROT_WRITE) == 0);
}

// Written through volatile, so that each is an access of this size.
#define LOAD(type, at) (*(volatile type*)(at))
#define STORE(type, at, value) (*(volatile type*)(at) = (value))

static void plain(char* page) {
  STORE(uint8_t, page, 1);
  STORE(uint16_t, page + kPage, 2);
  STORE(uint32_t, page + 2 * kPage, 3);
  STORE(uint64_t, page + 3 * kPage, 4);
  STORE(float, page + 4 * kPage, 1.5f);
  STORE(double, page + 5 * kPage, 2.5);
  VERIFY(LOAD(uint8_t, page + 6 * kPage) == 0);
  VERIFY(LOAD(uint16_t, page + 7 * kPage) == 0);
  VERIFY(LOAD(uint32_t, page + 8 * kPage) == 0);
  VERIFY(LOAD(uint64_t, page + 9 * kPage) == 0);
  VERIFY(LOAD(float, page + 10 * kPage) == 0);
  VERIFY(LOAD(double, page + 11 * kPage) == 0);
  VERIFY(*page == 1 && *(uint16_t*)(page + kPage) == 2);
  VERIFY(*(uint32_t*)(page + 2 * kPage) == 3);
  VERIFY(*(uint64_t*)(page + 3 * kPage) == 4);
  VERIFY(*(float*)(page + 4 * kPage) == 1.5f);
  VERIFY(*(double*)(page + 5 * kPage) == 2.5);
}

static void atomically(char* page) {
  VERIFY(atomic_fetch_add((_Atomic int*)(page + 12 * kPage), 5) == 0);
  int wanted = 0;
  VERIFY(atomic_compare_exchange_strong((_Atomic int*)(page + 13 * kPage),
                                        &wanted, 7));
  atomic_store((_Atomic long*)(page + 14 * kPage), 9);
  VERIFY(atomic_load((_Atomic char*)(page + 15 * kPage)) == 0);
  VERIFY(*(int*)(page + 12 * kPage) == 5 && *(int*)(page + 13 * kPage) == 7);
  VERIFY(*(long*)(page + 14 * kPage) == 9);
}

static void ranges(char* page) {
  struct record record = {{1, 2, 3, 4, 5}};
  volatile size_t bytes = 100;
  char text[200] = "abc";
  memset(page + 16 * kPage, 7, bytes);
  memcpy(page + 17 * kPage, text, bytes);
  memcpy(text, page + 18 * kPage, bytes);
  *(struct record*)(page + 19 * kPage) = record;
  strcpy(text, page + 20 * kPage);
  VERIFY(strlen(page + 21 * kPage) == 0 && text[0] == 0);
  strncpy(text, page + 22 * kPage, bytes);
  // A text that goes on where the handler has not been yet.
  char* end = page + 23 * kPage - 3;
  memcpy(end, "xyz", 3);
  VERIFY(strlen(end) == 3);
  VERIFY(page[16 * kPage + 99] == 7 && page[17 * kPage] == 'a');
  VERIFY(((struct record*)(page + 19 * kPage))->words[4] == 5);
}

static void jump_out(void) {
  sigjmp_buf buffer;
  char* guarded = mmap(0, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (volatile int i = 0; i < 3; ++i) {
    if (sigsetjmp(buffer, 1) == 0) {
      way_out = &buffer;
      if (i == 0) STORE(int, guarded, 1);
      if (i == 1) (void)LOAD(double, guarded);
      if (i == 2) atomic_fetch_add((_Atomic long*)guarded, 1);
      VERIFY(0);
    }
    way_out = 0;
    ++refused;
  }
}

static void* work(void* first) {
  plain(first);
  atomically(first);
  ranges(first);
  return 0;
}

static void* leave(void* unused) {
  jump_out();
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, 0);
  pages = mmap(0, kThreads * kKinds * kPage, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t threads[kThreads], leaver;
  for (int i = 0; i < kThreads; ++i) {
    pthread_create(&threads[i], 0, work, pages + i * kKinds * kPage);
  }
  pthread_create(&leaver, 0, leave, 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  pthread_join(leaver, 0);
  for (int i = 0; i < kThreads * kKinds; ++i) VERIFY(faults[i] == 1);
  VERIFY(misplaced == 0 && refused == 3);
  return 0;
}
