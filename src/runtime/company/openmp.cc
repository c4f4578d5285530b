#include "runtime/company/openmp.h"

#include "runtime/sys/syscall.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {

void ForgetOpenMpFile() {
  char path[80];
  Text name(path, sizeof(path));
  name.Put("/dev/shm/__KMP_REGISTERED_LIB_")
      .Decimal(static_cast<uint64_t>(sys::GetPid()))
      .Put('_')
      .Decimal(static_cast<uint64_t>(sys::Call(SYS_getuid)));
  sys::Call(SYS_unlink, sys::Arg(path));
}

}  // namespace fairlead::rt
