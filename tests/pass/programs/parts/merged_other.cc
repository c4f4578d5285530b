// The other half of merged.cc.

#include "merged.h"

int Both() { return Increment(&merged_value) - Add<int>(0) + Fixed() + 3; }
