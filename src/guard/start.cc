// guard/start.cc
//
// Where the guard begins: what the environment asks for, the rules, the modules
// that are loaded. Whatever is wrong turns the guard off with one line; the
// program runs on.

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "abi/control.h"
#include "guard/access.h"
#include "guard/board.h"
#include "guard/learn.h"
#include "guard/modules.h"
#include "guard/real.h"
#include "guard/rules.h"
#include "guard/self.h"
#include "guard/stall.h"
#include "guard/switch.h"
#include "guard/sys.h"
#include "guard/text.h"

namespace fairlead::guard {
namespace {

using abi::GuardState;

// libc may not know the environment yet: we come before it.
const char* ValueOf(char** environment, const char* name) {
  const size_t length = strlen(name);
  for (char** at = environment; at != nullptr && *at != nullptr; ++at) {
    if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') {
      return *at + length + 1;
    }
  }
  return nullptr;
}

void SetState(GuardState state) {
  __atomic_store(&board->state, &state, __ATOMIC_RELEASE);
}

// The program's own memory comes first: where it is limited we take none.
bool IsMemoryLimited() {
  return sys::LimitOf(RLIMIT_AS) != RLIM64_INFINITY ||
         sys::LimitOf(RLIMIT_DATA) != RLIM64_INFINITY;
}

constexpr const char* kLimited =
    "the memory of the program is limited (ulimit -v, -d), and it may need all "
    "of it";

void Learn(const char* path, const char* rules) {
  if (!MapLearnBoard(path)) return;  // a child: its parent is learnt from
  if (IsMemoryLimited()) return SwitchOff(kLimited);
  if (rules != nullptr) {
    if (const char* wrong = ReadRulesUntrusted(rules)) return SwitchOff(wrong);
  }
  if (!PrepareLearning()) return SwitchOff("there is no memory to learn");
  StartLearning();
  SetFreeSite(LearningNumber(abi::kFreeAnchor));
  AdoptModules(Sites::kAll);
  SetState(GuardState::kLearning);
}

// Rules of another program, or of one that has changed too much, would let
// through what they should not, and stall where nothing is wrong.
constexpr unsigned kFewestPercent = 75;

constexpr const char* kStrange =
    "the rules are of another program, or it has changed too much; learn again";
// Sites may come with a library that is opened later.
bool is_waiting = false;

// Begins once enough of the sites that the rules are about are there.
bool GuardIfThere() {
  const unsigned wanted =
      num_guarded_sites() - (SiteNumber(abi::kFreeAnchor) != 0 ? 1 : 0);
  const unsigned found = CountFoundSites();
  board->num_sites = wanted;
  board->num_missing = wanted > found ? wanted - found : 0;
  if (found * 100 < wanted * kFewestPercent) return false;
  is_waiting = false;
  SetFreeSite(SiteNumber(abi::kFreeAnchor));
  board->reason[0] = '\0';
  SetState(GuardState::kGuarding);
  __atomic_store_n(&board->off, 0, __ATOMIC_RELEASE);
  return true;
}

void Guard(const char* rules) {
  MakeBoard();
  if (IsMemoryLimited()) return SwitchOff(kLimited);
  strncpy(board->rules, rules, sizeof(board->rules) - 1);
  if (const char* wrong = ReadRulesUntrusted(rules)) return SwitchOff(wrong);
  board->off = 1;  // until its sites are there
  AdoptModules(Sites::kThoseOfRules);
  PrepareSwitches();
  is_waiting = true;
  if (!GuardIfThere()) {
    strncpy(board->reason, kStrange, sizeof(board->reason) - 1);
    SetState(GuardState::kOff);
  }
}

void InChild() {
  self.inside = 0;
  self.open = nullptr;
  self.holds = nullptr;
  self.num_held = 0;
  for (Self*& entry : lock_waiters) entry = nullptr;
  ForgetWaiters();
  living = {.threads = 1, .blocked = 0, .unknown = 0};
  self.launched = 1;
  if (board->state == GuardState::kLearning) {
    // The board is the parent's, and so is what it learns.
    static abi::GuardBoard nobody;
    board = &nobody;
    board->off = 1;
  } else if (board->state == GuardState::kGuarding || is_waiting) {
    MakeBoard();
  }
}

}  // namespace

void OnModule() {
  if (is_waiting) GuardIfThere();
}
}  // namespace fairlead::guard

extern "C" {

__attribute__((constructor(101))) static void FairleadGuardStart(
    int, char**, char** environment) {
  using namespace fairlead;
  using namespace fairlead::guard;
  Real();
  const char* rules = ValueOf(environment, abi::kGuardRulesVariable);
  const char* learn = ValueOf(environment, abi::kGuardLearnVariable);
  const char* given = ValueOf(environment, abi::kGuardOptionsVariable);
  if ((rules == nullptr && learn == nullptr) || !AnyModule()) return;
  if (given != nullptr) ReadOptions(given);
  const char* off = ValueOf(environment, abi::kGuardOffVariable);
  if (off != nullptr && off[0] != '\0' && strcmp(off, "0") != 0) {
    return SwitchOff("FAIRLEAD_GUARD_OFF is set");
  }
  if (ValueOf(environment, abi::kControlVariable) != nullptr) {
    return SwitchOff("the program runs under fairlead, which has its threads");
  }
  LimitShadow(options.memory_bytes / 8192);
  FollowThreads();
  NumberOfThread();
  if (learn != nullptr) {
    Learn(learn, rules);
  } else {
    Guard(rules);
  }
  pthread_atfork(nullptr, nullptr, InChild);
}

__attribute__((destructor(101))) static void FairleadGuardEnd() {
  using namespace fairlead::guard;
  if (is_waiting) Say("off: ", kStrange);
  RemoveBoard();
}

}  // extern "C"
