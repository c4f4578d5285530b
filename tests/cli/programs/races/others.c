#include "others.h"

static int raised;

void others_raise(void) { __atomic_store_n(&raised, 1, __ATOMIC_RELEASE); }
int others_raised(void) { return __atomic_load_n(&raised, __ATOMIC_ACQUIRE); }

void others_team(void (*part)(int)) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; ++i) part(i);
}
