// The program's own handler for SIGSEGV leaves by siglongjmp; it has its turn
// before us, and the program ends well.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf back;

static void handler(int number) {
  if (number == SIGSEGV) siglongjmp(back, 1);
}

static void* touch(void* unused) {
  (void)unused;
  if (sigsetjmp(back, 1) == 0) {
    *(volatile int*)NULL = 1;
    return (void*)1;
  }
  return 0;
}

int main(void) {
  signal(SIGSEGV, handler);
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, touch, 0);
  pthread_join(thread, &result);
  return result != 0;
}
