#include "runtime/sys/real.h"

#include <dlfcn.h>

namespace fairlead::rt {

constinit RealFunctions real_functions = {};

void ResolveRealFunctions() {
  RealFunctions& r = real_functions;
  if (r.resolved || r.resolving) return;
  r.resolving = true;
#define RT_REAL(name) \
  r.name = reinterpret_cast<decltype(r.name)>(dlsym(RTLD_NEXT, #name));
#define RT_REAL_VERSION(name, version) \
  r.name =                             \
      reinterpret_cast<decltype(r.name)>(dlvsym(RTLD_NEXT, #name, version));
#include "runtime/sys/real.inc"
#undef RT_REAL
#undef RT_REAL_VERSION
  r.resolved = true;
}

}  // namespace fairlead::rt
