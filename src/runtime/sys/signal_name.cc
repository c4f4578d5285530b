#include "runtime/sys/signal_name.h"

#include <stdint.h>

#include "runtime/sys/text.h"

namespace fairlead::rt {

SignalName::SignalName(int signal) {
  static constexpr const char* kNames[] = {
      "0",      "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
      "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
      "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
      "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "IO",   "PWR",  "SYS"};
  Text text(name_, sizeof(name_));
  text.Put("SIG");
  if (signal < 32) {
    text.Put(kNames[signal]);
  } else {
    // As programs count them: libc takes the first two.
    text.Put("RTMIN");
    if (signal > 34) text.Put('+').Decimal(static_cast<uint64_t>(signal - 34));
  }
}

}  // namespace fairlead::rt
