// The crash happens in a function that the optimiser puts into its caller in
// one of the two bodies and not in the other. It is one crash, also when the
// traced and the untraced execution run different bodies.
//
// FINDS: crash
// OPTIONS: --executions 200
// SEEDS: 3

#include <pthread.h>
#include <stdlib.h>

struct item {
  int weight;
  int value;
};

static struct item* volatile current;
static int sum;

static inline int weigh(const struct item* item, int factor) {
  return item->weight * factor + item->value;
}

static int weigh_twice(const struct item* item) {
  return weigh(item, 2) + weigh(item, 3);
}

static void* reads(void* argument) {
  for (int i = 0; i < 3; ++i) {
    if (current != 0) sum += weigh_twice(current);
  }
  return argument;
}

static void* clears(void* argument) {
  current = 0;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  current = calloc(1, sizeof(struct item));
  pthread_create(&threads[0], 0, reads, 0);
  pthread_create(&threads[1], 0, clears, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
