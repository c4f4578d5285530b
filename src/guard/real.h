// guard/real.h
//
// The functions of libc that the guard stands in front of, as they are without
// it.
//
// Tier: in-program.

#ifndef FAIRLEAD_GUARD_REAL_H_
#define FAIRLEAD_GUARD_REAL_H_

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace fairlead::guard {

struct RealFunctions {
#define GUARD_REAL(name) decltype(&::name) name;
#define GUARD_REAL_VERSION(name, version) GUARD_REAL(name)
#include "guard/real.inc"
#undef GUARD_REAL
#undef GUARD_REAL_VERSION
};

extern RealFunctions real_functions;
extern uint32_t real_state;  // 0 = not looked up, 1 = being looked up, 2 = done
void LookUpReal();

// Null members while they are being looked up, which may call them.
inline const RealFunctions& Real() {
  if (__atomic_load_n(&real_state, __ATOMIC_ACQUIRE) != 2) LookUpReal();
  return real_functions;
}

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_REAL_H_
