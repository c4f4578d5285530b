// guard/board.h
//
// The guard's own board (abi/guard_board.h): counters, switches, and what is
// learnt. Before it is mapped, and when it cannot be, a page of our own stands
// in, so that nobody has to ask whether it is there.
//
// Tier: in-program. Threads: any; async-signal-safe.

#ifndef FAIRLEAD_GUARD_BOARD_H_
#define FAIRLEAD_GUARD_BOARD_H_

#include <stdint.h>

#include "abi/guard_board.h"

namespace fairlead::guard {

extern abi::GuardBoard* board;  // never null

inline void Count(uint64_t abi::GuardCounters::* counter, uint64_t by = 1) {
  __atomic_fetch_add(&(board->counters.*counter), by, __ATOMIC_RELAXED);
}

// Whether the guard does nothing any more: all that it costs then. Relaxed,
// since it may as well be seen a little later.
inline bool IsOff() {
  return __atomic_load_n(&board->off, __ATOMIC_RELAXED) != 0;
}

// Relaxed: who acts on it has been told the rest by the loader or a fork.
inline abi::GuardState StateNow() {
  abi::GuardState state;
  __atomic_load(&board->state, &state, __ATOMIC_RELAXED);
  return state;
}

// What the environment asks for; set before the first hook.
struct Options {
  uint64_t stall_ns = 10'000'000;    // of one access, at most
  uint64_t budget_ns = 500'000'000;  // of all threads, in any second
  uint32_t static_sets = 0;          // 1 = how a thread came there is no matter
  uint32_t observe = 0;              // 1 = count violations, stall nobody
  uint32_t quiet = 0;                // 1 = no lines on standard error
  uint32_t off_signal = 0;           // switches the guard off; 0 = none does
  uint32_t delay_us = 0;             // random delays at sites, for experiments
  uint64_t memory_bytes = 256 << 20;    // of the shadow
  char off_file[abi::kGuardPathBytes];  // likewise, when it is there; "" = none
  char log[abi::kGuardPathBytes];       // file; "" = none
  char boards[abi::kGuardPathBytes];    // directory; "" = the usual one
};
extern Options options;

// Reads FAIRLEAD_GUARD_OPTIONS: words "name=value" with commas between them.
// Unknown words are passed over: a later tool may have written them.
void ReadOptions(const char* text);

// Where boards are: /dev/shm/fairlead-guard-UID, for this user alone.
void NameOfBoards(char (&directory)[abi::kGuardPathBytes]);

// A board of this process, for `fairlead guard status`; after a fork again.
void MakeBoard();
// The board that the tool has made for what is learnt. False: it is none, or
// somebody else's already.
bool MapLearnBoard(const char* path);
// Takes the board's name away; what is counted goes on.
void RemoveBoard();

// Everything stops for good, with one line on standard error.
void SwitchOff(const char* reason);
// One line on standard error, unless they are not wanted.
void Say(const char* text, const char* more = "");

}  // namespace fairlead::guard

#endif  // FAIRLEAD_GUARD_BOARD_H_
