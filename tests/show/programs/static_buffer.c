// A function returns a buffer that all its callers share. Fix: Hex writes into
// the caller's buffer.
//
// FUNCTIONS: Label

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char* Hex(int number) {
  static char text[4];
  text[0] = "0123456789abcdef"[number >> 4];  // LACKS
  text[1] = "0123456789abcdef"[number & 0xf];
  return text;
}

struct Label {
  int number;
  char text[4];
};

static void* Label(void* argument) {
  struct Label* label = argument;
  const char* text = Hex(label->number);
  strcpy(label->text, text);  // SHOWS
  return NULL;
}

int main(void) {
  struct Label labels[2] = {{.number = 0x1a}, {.number = 0x2b}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], NULL, Label, &labels[i]) != 0) return 2;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (strcmp(labels[0].text, "1a") != 0) return 1;
  return strcmp(labels[1].text, "2b") == 0 ? 0 : 1;
}
