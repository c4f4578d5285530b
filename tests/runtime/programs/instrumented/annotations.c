// A quiet region is not interrupted, a choice is the strategy's, and what must
// always hold is checked.
//
// EXPECT: ended(0) ended(0)+misuse ended(1) ended(1)+misuse
// TEXT:   it is not true that: nobody chose one
// SEEDS:  48

#include <fairlead/fairlead.h>
#include <pthread.h>

static int counter;

static void* count(void* name) {
  fairlead_thread_name(name);
  fairlead_quiet_begin();
  for (int i = 0; i < 5; ++i) ++counter;
  fairlead_quiet_end();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, "left");
  pthread_create(&b, 0, count, "right");
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 10) return 2;
  fairlead_mark("joined", 7);
  fairlead_always(fairlead_choose(2) == 0, "nobody chose one");
  return (int)fairlead_choose(2);
}
