// The threads of a team add to a sum without saying so. Twin:
// lost_update_fixed.c.
//
// EXPECT: ended(0) ended(1)
// SEEDS:  24

#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 6; ++i) sum += 1;
  return sum != 6;
}
