// Contexts switched by hand: every thread runs a round of them, and one is
// begun by one thread and ended by another.
// FLAGS: -O2

#include <ucontext.h>

#include "want.h"

enum { kContexts = 3, kStack = 65536 };

struct round {
  ucontext_t home, contexts[kContexts];
  char* stacks[kContexts];
  char trail[kContexts * 3 + 1];
  int used, current;
};

static ucontext_t travelling, *return_to;
static char travelled[8];

static void hop(unsigned low, unsigned high) {
  struct round* round = (void*)((unsigned long)high << 32 | low);
  for (int i = 0; i < 3; i++) {
    const int me = round->current, next = (me + 1) % kContexts;
    round->trail[round->used++] = (char)('a' + me);
    if (i == 2 && me == kContexts - 1) break;
    round->current = next;
    swapcontext(&round->contexts[me], &round->contexts[next]);
  }
}

static void* body(void* unused) {
  struct round* round = calloc(1, sizeof(*round));
  for (int i = 0; i < kContexts; i++) {
    want(getcontext(&round->contexts[i]) == 0);
    round->contexts[i].uc_stack.ss_sp = round->stacks[i] = malloc(kStack);
    round->contexts[i].uc_stack.ss_size = kStack;
    round->contexts[i].uc_link = &round->home;
    makecontext(&round->contexts[i], (void (*)(void))hop, 2,
                (unsigned)(unsigned long)round,
                (unsigned)((unsigned long)round >> 32));
  }
  want(swapcontext(&round->home, &round->contexts[0]) == 0);
  for (int i = 0; i < kContexts; i++) free(round->stacks[i]);
  (void)unused;
  return round;
}

static void traveller(void) {
  strcat(travelled, "1");
  swapcontext(&travelling, return_to);
  strcat(travelled, "2");
  swapcontext(&travelling, return_to);
}

static void* carry(void* unused) {
  ucontext_t here;
  return_to = &here;
  want(swapcontext(&here, &travelling) == 0);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) threads[i] = start(body, NULL);
  for (int i = 0; i < 3; i++) {
    struct round* round = finish(threads[i]);
    printf("%s ", round->trail);
    free(round);
  }
  static char stack[kStack];
  getcontext(&travelling);
  travelling.uc_stack.ss_sp = stack;
  travelling.uc_stack.ss_size = kStack;
  makecontext(&travelling, traveller, 0);
  finish(start(carry, NULL));
  finish(start(carry, NULL));
  puts(travelled);
  return 0;
}
