// Variable-length arrays, alloca and jumps over both, on stacks of the
// program's own; threads ask where their stacks are.
// FLAGS: -O2

#define _GNU_SOURCE
#include <alloca.h>
#include <setjmp.h>
#include <sys/mman.h>

#include "want.h"

enum { kStack = 512 * 1024 };

static __thread jmp_buf back;

static void inside_own_stack(const void* local) {
  pthread_attr_t mine;
  void* base;
  size_t size;
  want(pthread_getattr_np(pthread_self(), &mine) == 0);
  want(pthread_attr_getstack(&mine, &base, &size) == 0);
  want((const char*)local >= (char*)base);
  want((const char*)local < (char*)base + size);
  pthread_attr_destroy(&mine);
}

__attribute__((noinline)) static long frames(int n, int jump_at) {
  volatile char array[n * 37 + 1];
  char* other = alloca((size_t)(n % 5 + 1) * 100);
  memset(other, n, 100);
  array[n * 37] = (char)n;
  inside_own_stack(other);
  if (n == jump_at) longjmp(back, n);
  const long below = n == 0 ? 0 : frames(n - 1, jump_at);
  return below + array[n * 37] + other[50];
}

static void* body(void* number) {
  volatile long sum = 0;
  for (volatile int i = 0; i < 10; i++) {
    const int jumped = setjmp(back);
    if (jumped == 0)
      sum += frames(30, i % 2 == 0 ? 7 + (int)(long)number : -1);
    else
      sum += 10000 * jumped;
  }
  return (void*)sum;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) {
    void* stack = mmap(NULL, kStack, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t own;
    pthread_attr_init(&own);
    want(pthread_attr_setstack(&own, stack, kStack) == 0);
    want(pthread_create(&threads[i], &own, body, (void*)i) == 0);
  }
  inside_own_stack(threads);
  const long first = (long)finish(threads[0]);
  printf("%ld %ld\n", first, (long)finish(threads[1]));
  return 0;
}
