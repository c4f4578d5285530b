// With: parts/merged_other.cc parts/merged.h
//
// Inline functions and templates of a header, compiled in two translation
// units, have records of equal ids in both, which readers take for one; static
// ones are named by name and place, which is one too.

#include "parts/merged.h"

int main() {
  return Both() + Increment(&merged_value) + Fixed() + Add<int>(1) == 18 ? 0
                                                                        : 1;
}
