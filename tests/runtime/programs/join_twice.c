// Two threads wait for the end of the same one. The second of them may have
// been made when the first was done, and have its handle: then it joins itself,
// which is only an error.
//
// EXPECT: ended(0) ended(0)+misuse
// TEXT:   joins a thread that is joined already

#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t target;

static void* idle(void* unused) { return unused; }

static void* joins(void* unused) {
  (void)unused;
  return (void*)(intptr_t)pthread_join(target, 0);
}

int main(void) {
  pthread_t a, b;
  void *error_a, *error_b;
  pthread_create(&target, 0, idle, 0);
  pthread_create(&a, 0, joins, 0);
  pthread_create(&b, 0, joins, 0);
  pthread_join(a, &error_a);
  pthread_join(b, &error_b);
  return (error_a == 0) + (error_b == 0) == 1 ? 0 : 1;
}
