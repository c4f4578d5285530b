#include "explore/run/interrupt.h"

#include <string.h>
#include <unistd.h>

#include <iterator>

#include "base/exit_code.h"
#include "base/patience.h"

namespace fairlead::explore {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static_assert(std::size(kSignals) == InterruptWatch::kNumSignals);

// The seconds that there are to say what is known.
constexpr unsigned kLastWords = 1;

// How many watches there are. Only the first one changes what signals do.
int num_watches = 0;

void OnSignal(int number) {
  const unsigned left = alarm(kLastWords);
  if (left != 0) alarm(left);
  AskToStop(number);
}

void OnAlarm(int) {
  constexpr char kWords[] =
      "fairlead: stopped by the user; what was under way is lost\n";
  [[maybe_unused]] const ssize_t put =
      write(STDERR_FILENO, kWords, strlen(kWords));
  _exit(static_cast<int>(ExitCode::kUnknown));
}

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
  if (num_watches++ != 0) return;
  ForgetStop();
  struct sigaction action = {};
  action.sa_handler = OnAlarm;
  sigaction(SIGALRM, &action, &alarm_before_);
  action.sa_handler = OnSignal;  // no SA_RESTART: waiting calls come back
  for (size_t i = 0; i < kNumSignals; ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    // What our parent had us ignore (nohup) stays ignored.
    if (before_[i].sa_handler == SIG_IGN) continue;
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  alarm(0);
  if (--num_watches != 0) return;
  for (size_t i = 0; i < kNumSignals; ++i) {
    sigaction(kSignals[i], &before_[i], nullptr);
  }
  sigaction(SIGALRM, &alarm_before_, nullptr);
}

int InterruptWatch::signal() const { return StopSignal(); }

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
