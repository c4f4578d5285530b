// Blocks that are freed while others use them, fields of one instance, parts of
// one word, values.

#include <stdlib.h>
#include <string.h>

#include "threads.h"

struct Pair {
  int left;
  int right;
};

static struct Pair* volatile shared;
static struct Pair* spare;
static union {
  int whole;
  short half[2];
} word;
static volatile int level;
static int got;

static void* User(void* unused) {
  struct Pair* pair = shared;  // #take
  if (pair != NULL) {
    const int left = pair->left;    // #left
    const int right = pair->right;  // #right
    got = left + right;
  }
  return unused;
}

static void* Owner(void* unused) {
  struct Pair* pair = shared;
  shared = NULL;    // #clear
  pair->left = 3;   // #set_left
  pair->right = 4;  // #set_right
  free(spare);      // #free_spare
  free(pair);       // #free
  return unused;
}

static void* Halves(void* unused) {
  word.half[1] = 1;  // #half
  return unused;
}
static void* Whole(void* unused) {
  word.whole = 2;  // #whole
  return unused;
}

static void* Levels(void* unused) {
  for (int i = 0; i < 3; ++i) {
    level = i % 2;  // #level
  }
  return unused;
}
static void* Looks(void* unused) {
  for (int i = 0; i < 3; ++i) {
    got = level;  // #look
  }
  return unused;
}

// Nothing but the free could stop a thread between the two.
static void* Marks(void* unused) {
  struct Pair* pair = shared;
  got = 1;     // #mark
  free(pair);  // #free_marked
  return unused;
}
static void* Between(void* unused) {
  level = 1;  // #between
  return unused;
}

int main(int argc, char** argv) {
  shared = calloc(1, sizeof(*shared));
  spare = calloc(1, sizeof(*spare));
  switch (argc > 1 ? atoi(argv[1]) : 1) {
    case 1:
      RUN_THREADS(User, Owner);
      break;
    case 2:
      RUN_THREADS(Halves, Whole);
      break;
    case 4:
      RUN_THREADS(Marks, Between);
      break;
    default:
      RUN_THREADS(Levels, Looks);
      break;
  }
  return 0;
}
