// Languages: c c++
// Probe: before,after,frames
//
// longjmp leaves frames without their exits: the second return of setjmp tells
// them, and the calling context is that of setjmp's caller again.

#include <setjmp.h>

static jmp_buf place;
int steps;

static void deeper(void) {  // fires enter, unwound
  steps++;  // fires load=1 in main>deep, store
  longjmp(place, 1);
}

static void deep(void) {  // fires enter, unwound
  steps++;  // fires load=0 in main, store
  deeper();
}

static void after(void) {  // fires enter in main, exit in main
  steps++;  // fires load=3 in main, store
}

int main(void) {  // fires enter, exit
  if (setjmp(place) == 0) {
    deep();
    return 1;
  }
  steps++;  // fires load=2, store=3
  after();
  return steps == 4 ? 0 : 1;  // fires load=4
}
