#include <stdio.h>

#include "part.h"

int main(void) {
  printf("whole %d %d\n", part(1), part(2) > 0);
  return 0;
}
