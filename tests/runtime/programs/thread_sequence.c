// Five thousand threads, one after the other, joined and detached in turn:
// their stacks and control blocks are used again.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  1

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static __thread char large[16384];

static void* touch(void* unused) {
  memset(large, 1, sizeof(large));
  return unused;
}

static long resident_pages(void) {
  long size, resident = -1;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == 0) return -1;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2) resident = -1;
  fclose(file);
  return resident;
}

static int make(int count) {
  pthread_t thread;
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&thread, 0, touch, 0) != 0) return 0;
    if (pthread_join(thread, 0) != 0) return 0;
  }
  return 1;
}

int main(void) {
  if (!make(500)) return 1;
  const long before = resident_pages();
  if (!make(4500)) return 2;
  // Each has touched 4 pages of its own; what we may keep of a thread that has
  // ended is less than one.
  return resident_pages() - before < 4500 ? 0 : 3;
}
