#include "runtime/sys/check.h"

#include <string.h>

#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {

void Log(const char* words) {
  if (control_page() != nullptr && PlanAsks(abi::kPlanQuiet)) return;
  constexpr char kPrefix[] = "fairlead: ";
  sys::Write(2, kPrefix, sizeof(kPrefix) - 1);
  sys::Write(2, words, strlen(words));
  sys::Write(2, "\n", 1);
}

}  // namespace fairlead::rt
