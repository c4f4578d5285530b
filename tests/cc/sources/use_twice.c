#include <stdio.h>

int twice(int n);

int main(void) {
  printf("twice %d\n", twice(21));
  return 0;
}
