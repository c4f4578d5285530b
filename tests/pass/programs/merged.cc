// With: parts/merged_other.cc parts/merged.h
//
// Inline functions and templates of a header, compiled in two translation
// units, have one set of records in the program; static ones have one per
// name and place, which is one too.

#include "parts/merged.h"

int main() {
  return Both() + Increment(&merged_value) + Fixed() + Add<int>(1) == 18 ? 0
                                                                        : 1;
}
