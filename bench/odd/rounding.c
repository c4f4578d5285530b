// Each thread has its own rounding mode, exception flags and vector registers,
// which live across waits.
// FLAGS: -O2 -frounding-math -lm

#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <sched.h>

#include "want.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile double one = 1, three = 3;

static void* body(void* mode) {
  want(fegetround() == FE_DOWNWARD);  // Inherited from who made us.
  want(fesetround((int)(long)mode) == 0);
  double lanes[8];
  int same = 1;
  double first = 0;
  for (int i = 0; i < 10; i++) {
    feclearexcept(FE_ALL_EXCEPT);
    for (int j = 0; j < 8; j++) lanes[j] = (j + i) * one;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sched_yield();
    want(fetestexcept(FE_INEXACT) == 0);
    const double third = one / three;
    want(fetestexcept(FE_INEXACT) != 0);
    if (i == 0) first = third;
    same &= first == third && fegetround() == (int)(long)mode;
    for (int j = 0; j < 8; j++) same &= lanes[j] == j + i;
  }
  static __thread double result;
  result = same ? first : 0;
  double* copy = malloc(sizeof(*copy));
  *copy = result;
  return copy;
}

int main(void) {
  const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  pthread_t threads[4];
  want(fesetround(FE_DOWNWARD) == 0);
  for (int i = 0; i < 4; i++) threads[i] = start(body, (void*)(long)modes[i]);
  for (int i = 0; i < 4; i++) {
    double* third = finish(threads[i]);
    printf("%a ", *third);
    free(third);
  }
  want(fegetround() == FE_DOWNWARD);
  puts(lrint(2.5) == 2 ? "down" : "other");
  return 0;
}
