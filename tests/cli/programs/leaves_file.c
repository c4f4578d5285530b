// Leaves a file behind, and changes another one; fails if it finds them so.

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* Leave(void* unused) {
  FILE* left = fopen("left", "w");
  if (left != NULL) fclose(left);
  FILE* changed = fopen("data/changed", "w");
  if (changed != NULL) {
    fputs("by the program\n", changed);
    fclose(changed);
  }
  return unused;
}

int main(void) {
  FILE* left = fopen("left", "r");
  if (left != NULL) {
    fclose(left);
    return 1;
  }
  char line[32] = "";
  FILE* given = fopen("data/changed", "r");
  if (given == NULL) return 2;
  if (fgets(line, sizeof(line), given) == NULL) return 2;
  fclose(given);
  if (strcmp(line, "as given\n") != 0) return 3;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Leave, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
