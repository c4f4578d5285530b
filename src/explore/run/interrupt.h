// explore/run/interrupt.h
//
// Notices that the user wants to stop (SIGINT, SIGTERM, SIGHUP, SIGQUIT)
// without dying, for as long as one of these exists, and tells base/patience.h.
// Work that has not come to its end a second later is not waited for: the
// process ends with the exit code of what is unknown. What was found is in the
// store by then, and programs under test die with it (base/guardian.h). Also
// lends the terminal to the program's process group, so that it can read from
// it, and takes it back.
//
// The whole command has one from its first moment on (cli/first_moment.cc): a
// ^C that comes before anything has begun is not lost, and ends it like any
// other. Those inside it see the same signal. What they watched over is done
// when they go: the rest, such as writing what is known, takes the time it
// takes.
//
// Threads: one; those that exist at once are nested.

#ifndef FAIRLEAD_EXPLORE_RUN_INTERRUPT_H_
#define FAIRLEAD_EXPLORE_RUN_INTERRUPT_H_

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

namespace fairlead::explore {

class InterruptWatch {
 public:
  static constexpr size_t kNumSignals = 4;

  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  // The signal that arrived; 0 = none.
  int signal() const;

 private:
  struct sigaction before_[kNumSignals];
  struct sigaction alarm_before_;
};

class TerminalLoan {
 public:
  // Makes `group` the terminal's foreground group if we are that now.
  explicit TerminalLoan(pid_t group);
  ~TerminalLoan();
  TerminalLoan(const TerminalLoan&) = delete;
  TerminalLoan& operator=(const TerminalLoan&) = delete;

 private:
  bool lent_ = false;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_INTERRUPT_H_
