#include "runtime/alloc/quarantine.h"

namespace fairlead::rt {
namespace {

Quarantine the_quarantine;

}  // namespace

Quarantine& quarantine() { return the_quarantine; }

}  // namespace fairlead::rt
