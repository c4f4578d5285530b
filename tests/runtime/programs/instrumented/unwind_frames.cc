// cancel_unwind.cc with points at its accesses: frames of instrumented code are
// unwound, and switched away from in the middle of that.
//
// EXPECT: ended(0)
// SEEDS:  12

#include "../cancel_unwind.cc"
