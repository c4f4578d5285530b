// Writes over the memory that it shares with fairlead, as a wild pointer may:
// scribbler SEED HOW, HOW from 0 to 4.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* nothing(void* unused) { return unused; }

static void scribble(char* begin, size_t bytes, int how) {
  if (how == 2) memset(begin, 0xff, bytes < 65536 ? bytes : 65536);
  if (how == 3) memset(begin, 0x41, 16384);
  for (int i = 0; i < 200 && how < 2; ++i) {
    if (how == 0) begin[rand() % bytes] = (char)rand();
    if (how == 1) ((uint64_t*)begin)[rand() % (bytes / 8)] = ~(uint64_t)0;
  }
  for (int i = 0; i < 64 && how == 4; ++i) {
    ((uint32_t*)begin)[rand() % 2048] =
        rand() % 3 != 0 ? 0x7fffffff : (uint32_t)rand();
  }
}

int main(int argc, char** argv) {
  char line[512];
  char* begin = 0;
  char* end = 0;
  if (argc != 3) return 2;
  srand((unsigned)atoi(argv[1]));
  FILE* maps = fopen("/proc/self/maps", "r");
  while (begin == 0 && fgets(line, sizeof(line), maps) != 0) {
    if (strstr(line, "fairlead-control") == 0) continue;
    sscanf(line, "%p-%p", (void**)&begin, (void**)&end);
  }
  fclose(maps);
  if (begin == 0) return 0;  // without fairlead
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  const size_t bytes = (size_t)(end - begin);
  scribble(begin, bytes < (1 << 20) ? bytes : 1 << 20, atoi(argv[2]));
  _exit(0);
}
