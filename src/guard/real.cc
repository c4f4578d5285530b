#include "guard/real.h"

#include <dlfcn.h>

namespace fairlead::guard {

constinit RealFunctions real_functions = {};
constinit uint32_t real_state = 0;

void LookUpReal() {
  // Several threads may do it: they find the same.
  uint32_t none = 0;
  __atomic_compare_exchange_n(&real_state, &none, 1, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_RELAXED);
#define GUARD_REAL(name) \
  real_functions.name =  \
      reinterpret_cast<decltype(&::name)>(dlsym(RTLD_NEXT, #name));
#define GUARD_REAL_VERSION(name, version) \
  real_functions.name =                   \
      reinterpret_cast<decltype(&::name)>(dlvsym(RTLD_NEXT, #name, version));
#include "guard/real.inc"
#undef GUARD_REAL
#undef GUARD_REAL_VERSION
  __atomic_store_n(&real_state, 2, __ATOMIC_RELEASE);
}

}  // namespace fairlead::guard
