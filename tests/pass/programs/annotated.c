// Languages: c c++
//
// The calls of the public header are found without any option, and are not
// the program's: they have no sites of their own.

#include <fairlead/fairlead.h>

int value;

int main(void) {
  fairlead_quiet_begin();
  value = 1;  // fires store=1
  fairlead_quiet_end();
  fairlead_release(&value);
  fairlead_always(value == 1, "one");  // fires load=1
  return (int)fairlead_choose(1);
}
