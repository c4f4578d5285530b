// local_static.cc with points at its accesses, the guard's among them.
//
// EXPECT: ended(0)
// SEEDS:  12

#include "../local_static.cc"
