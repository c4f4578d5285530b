#include "guard/switch.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "guard/board.h"
#include "guard/modules.h"
#include "guard/rules.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

void OnOffSignal(int) { __atomic_store_n(&board->off, 1, __ATOMIC_RELAXED); }

}  // namespace

void PrepareSwitches() {
  if (options.off_signal == 0) return;
  struct sigaction action = {};
  action.sa_handler = OnOffSignal;
  action.sa_flags = SA_RESTART;
  sigaction(static_cast<int>(options.off_signal), &action, nullptr);
}

void HeedOutside() {
  if (options.off_file[0] != '\0' &&
      !sys::Failed(sys::Call(SYS_access, sys::Arg(options.off_file), F_OK))) {
    SwitchOff("the file that switches it off is there");
    return;
  }
  uint32_t taken = __atomic_load_n(&board->taken, __ATOMIC_RELAXED);
  const uint32_t wanted = __atomic_load_n(&board->wanted, __ATOMIC_ACQUIRE);
  if (wanted == taken ||
      !__atomic_compare_exchange_n(&board->taken, &taken, wanted, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  if (const char* wrong = ReadRulesUntrusted(board->rules)) {
    Say("the rules stay as they were: ", wrong);
    return;
  }
  SetModes();
}

}  // namespace fairlead::guard
