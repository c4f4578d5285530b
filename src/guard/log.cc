#include "guard/log.h"

#include <fcntl.h>

#include "abi/guard_rules.h"
#include "guard/board.h"
#include "guard/rules.h"
#include "guard/self.h"
#include "guard/sys.h"
#include "guard/text.h"

namespace fairlead::guard {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint32_t kLinesPerSecond = 20;
uint64_t second_began = 0;
uint32_t lines = 0;

bool HasRoom(uint64_t now) {
  if (now - __atomic_load_n(&second_began, __ATOMIC_RELAXED) > kSecond) {
    __atomic_store_n(&second_began, now, __ATOMIC_RELAXED);
    __atomic_store_n(&lines, 0, __ATOMIC_RELAXED);
  }
  return __atomic_fetch_add(&lines, 1, __ATOMIC_RELAXED) < kLinesPerSecond;
}

const char* WordOf(StallEnd end) {
  switch (end) {
    case StallEnd::kResolved:
      return "resolved";
    case StallEnd::kUnresolved:
      return "unresolved";
    case StallEnd::kHopeless:
      return "hopeless";
    case StallEnd::kOverBudget:
      return "over-budget";
    case StallEnd::kBackedOff:
      return "backed-off";
    case StallEnd::kObserved:
      return "observed";
  }
  return "";
}

}  // namespace

void LogStall(uint32_t site, uint32_t place, StallEnd end, uint64_t ns) {
  if (options.log[0] == '\0') return;
  const uint64_t now = sys::Now();
  if (!HasRoom(now)) return Count(&abi::GuardCounters::lost_log_lines);
  Line<256> line;
  line.Add(now).Add("\t").Add(uint64_t{board->pid}).Add("\t");
  line.Add(uint64_t{self.number}).Add("\t").Add(WordOf(end)).Add("\t").Add(ns);
  line.Add("\t").AddHex(AnchorOf(site)).Add("\t");
  line.AddHex(AnchorOf(abi::SiteOfGuardPlace(place))).Add("\t");
  line.Add(uint64_t{place & 3}).Add("\n");
  const long fd =
      sys::Call(SYS_open, sys::Arg(options.log),
                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
                    O_NONBLOCK,  // nobody may read what is a pipe
                0600);
  if (sys::Failed(fd)) return Count(&abi::GuardCounters::lost_log_lines);
  if (sys::Failed(sys::Write(fd, line.text(), line.length()))) {
    Count(&abi::GuardCounters::lost_log_lines);
  }
  sys::Call(SYS_close, fd);
}

}  // namespace fairlead::guard
