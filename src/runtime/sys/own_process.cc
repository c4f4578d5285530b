#include "runtime/sys/own_process.h"

#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

int own_pid = 0;

}  // namespace

void RenewOwnProcess() { own_pid = sys::GetPid(); }

bool InOwnProcess() { return sys::GetPid() == own_pid; }

}  // namespace fairlead::rt
