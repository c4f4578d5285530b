// base/random_number.h
//
// A number that nobody guesses and that does not come twice, for names. Not for
// schedules, whose randomness has a seed (sched/rng.h).
//
// Threads: any.

#ifndef FAIRLEAD_BASE_RANDOM_NUMBER_H_
#define FAIRLEAD_BASE_RANDOM_NUMBER_H_

#include <stdint.h>

namespace fairlead {

// From the kernel; where that refuses it, from time and process, which may be
// guessed, but still does not come twice.
uint64_t RandomNumber();

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_RANDOM_NUMBER_H_
