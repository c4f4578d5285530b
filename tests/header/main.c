/* Without a runtime no call has an effect, and a choice is 0. Under the probe
 * every call arrives, from this unit and from the other. C11. */

#include <fairlead/fairlead.h>
#include <stdio.h>

#include "every_call.inc"

unsigned CallFromOther(void);

int main(void) {
  unsigned here = CallEverything();
  unsigned there = CallFromOther();
  printf("attached %d choices %u %u\n", fairlead_attached(), here, there);
  return 0;
}
