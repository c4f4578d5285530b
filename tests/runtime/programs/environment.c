// The runtime's own variables are gone, others are still there.
//
// EXPECT: ended(0)
// SEEDS:  1

#include <stdlib.h>
#include <string.h>

int main(void) {
  const char* preload = getenv("LD_PRELOAD");
  if (getenv("FAIRLEAD_CONTROL") != 0) return 1;
  if (preload != 0 && strstr(preload, "libfairlead_rt") != 0) return 1;
  return getenv("PATH") == 0 ? 2 : 0;
}
