#include "explore/interrupt.h"

#include <unistd.h>

namespace fairlead::explore {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile sig_atomic_t arrived = 0;

void OnSignal(int number) { arrived = number; }

// From the background, changing the terminal's group raises SIGTTOU.
void SetForeground(pid_t group) {
  struct sigaction ignore = {};
  struct sigaction before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGTTOU, &ignore, &before);
  tcsetpgrp(STDIN_FILENO, group);
  sigaction(SIGTTOU, &before, nullptr);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  arrived = 0;
  struct sigaction action = {};
  action.sa_handler = OnSignal;  // no SA_RESTART: waiting calls come back
  for (size_t i = 0; i < 3; ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    // What our parent had us ignore (nohup) stays ignored.
    if (before_[i].sa_handler == SIG_IGN) continue;
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (size_t i = 0; i < 3; ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int InterruptWatch::signal() const { return arrived; }

int ArrivedSignal() { return arrived; }

TerminalLoan::TerminalLoan(pid_t group) {
  if (isatty(STDIN_FILENO) == 0) return;
  if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return;
  lent_ = true;
  SetForeground(group);
  // It may have stopped for reading before the terminal was its own.
  kill(-group, SIGCONT);
}

TerminalLoan::~TerminalLoan() {
  if (lent_) SetForeground(getpgrp());
}

}  // namespace fairlead::explore
