// A handler repairs the cause of a fault, or steps over the instruction, and
// the program goes on; registers of the fault are as they were.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int repaired, stepped;

static void repair(int number, siginfo_t* info, void* context) {
  pthread_mutex_lock(&mutex);
  ++repaired;
  pthread_mutex_unlock(&mutex);
  char* page = (char*)((uintptr_t)info->si_addr & ~(uintptr_t)4095);
  VERIFY(mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
}

static void step(int number, siginfo_t* info, void* context) {
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] += 2;  // ud2
  ++stepped;
}

static void* write_it(void* page) {
  double kept = 1.5;
  register long r12 __asm__("r12") = 12;
  __asm__ volatile("movb $7, (%0)" : : "r"(page), "r"(r12) : "memory");
  VERIFY(*(char*)page == 7 && r12 == 12 && kept == 1.5);
  __asm__ volatile("ud2");
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, 0);
  action.sa_sigaction = step;
  sigaction(SIGILL, &action, 0);
  char* pages = mmap(0, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, write_it, pages + i * 4096);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  VERIFY(repaired == 2 && stepped == 2);
  return 0;
}
