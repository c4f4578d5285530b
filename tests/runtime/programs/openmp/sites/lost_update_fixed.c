// The threads of a team add to a sum and say so. Twin of
// lost_update.c.
//
// EXPECT: ended(0)
// SEEDS:  24

#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 6; ++i) sum += 1;
  return sum != 6;
}
