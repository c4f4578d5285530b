// intercept/modules.cc: what instrumented objects call when they are loaded.

#include "runtime/sites/modules.h"
#include "runtime/gate/hook.h"
#include "runtime/model/regions.h"

// Called by a constructor of an instrumented object: at the start of the
// process, when it is known already, or when it has been opened just now.
extern "C" FL_HOOK void __fl_module_loaded(const fairlead::abi::ModuleRecord*) {
  using namespace fairlead::rt;
  Thread* self = tls_self;
  if (self == nullptr || self->slot.inside != 0) return;
  self->slot.inside = 1;
  ListModules();
  TellModules(*self);
  self->slot.inside = 0;
}
