#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "base/file_size_signal.h"
#include "base/keeper.h"
#include "base/required_calls.h"

namespace fairlead {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

// Everything from here on runs in the child: only async-signal-safe calls.

// A limit of one byte, since with none at all a program that the kernel pipes
// core dumps to would still be started.
void ForbidCoreDumps() {
  rlimit limit = {};
  getrlimit(RLIMIT_CORE, &limit);
  if (limit.rlim_max == 0) return;
  limit.rlim_cur = 1;
  setrlimit(RLIMIT_CORE, &limit);
}

// What a child needs to become the program.
struct Becoming {
  const Command* command;
  char* const* argv;
  char* const* environment;
  const GuardedGroup* guarded;  // may be null
  pid_t parent;
  int report;  // for the error, if it cannot
};

[[noreturn]] void BecomeProgram(const Becoming& becoming) {
  const Command& command = *becoming.command;
  const int report = becoming.report;
  const auto give_up = [&] {
    const int error = errno;
    [[maybe_unused]] const ssize_t put = write(report, &error, sizeof(error));
    _exit(127);
  };
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
  if (getppid() != becoming.parent)
    _exit(127);  // it died before the line above
  if (command.group == ProcessGroup::kOwn && setpgid(0, 0) != 0) give_up();
  if (becoming.guarded != nullptr) becoming.guarded->EnterSelf();
  const int standard[] = {command.standard_input, command.standard_output,
                          command.standard_error};
  int copies[3];
  for (int i = 0; i < 3; ++i) {
    // Closed in us, or only a number that is kept free: closed in the child.
    const int flags = fcntl(standard[i], F_GETFL);
    copies[i] = -1;
    if (flags < 0 || (flags & O_PATH) != 0) continue;
    if ((copies[i] = fcntl(standard[i], F_DUPFD_CLOEXEC, 3)) < 0) give_up();
  }
  for (int i = 0; i < 3; ++i) {
    if (copies[i] < 0) {
      close(i);
    } else if (dup2(copies[i], i) < 0) {
      give_up();
    }
  }
  for (const int fd : command.inherited) {
    if (fcntl(fd, F_SETFD, 0) != 0) give_up();
  }
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) {
    give_up();
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  GiveBackFileSizeSignal();
  if (!command.core_dumps) ForbidCoreDumps();
  if (command.executable.empty()) {
    execvpe(becoming.argv[0], becoming.argv, becoming.environment);
  } else {
    execve(command.executable.c_str(), becoming.argv, becoming.environment);
  }
  give_up();
  _exit(127);
}

// The same with a keeper between us and it.
[[noreturn]] void BecomeKeeper(Becoming becoming, int line) {
  becoming.parent = getpid();
  Keep(
      line, becoming.report,
      [](void* all) { BecomeProgram(*static_cast<Becoming*>(all)); },
      &becoming);
}

// The pipe or socket ends here when a program runs: what comes before is the
// error that kept it from running.
int ErrorFrom(int reader) {
  int error = 0;
  ssize_t got;
  do {
    got = read(reader, &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  return got == sizeof(error) ? error : 0;
}

template <typename T>
bool Receive(int line, T& message, int flags) {
  ssize_t got;
  do {
    got = recv(line, &message, sizeof(message), flags);
  } while (got < 0 && errno == EINTR);
  return got == sizeof(message);
}

}  // namespace

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> environment;
  for (char** it = environ; it != nullptr && *it != nullptr; ++it) {
    environment.emplace_back(*it);
  }
  return environment;
}

Result<Process> Process::Start(const Command& command) {
  if (Status able = CheckRequiredCalls(); !able) return able.error();
  const bool kept = command.group == ProcessGroup::kOwn;
  std::optional<GuardedGroup> guarded;
  if (kept) guarded.emplace();
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    return CallError(errno, "pipe2", "no pipe");
  const Fd reader(report[0]);
  Fd writer(report[1]);
  int line[2] = {-1, -1};
  if (kept &&
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) != 0) {
    return CallError(errno, "socketpair", "no socket");
  }
  Fd ours(line[0]);
  Fd keepers(line[1]);
  const std::vector<char*> argv = Pointers(command.argv);
  const std::vector<char*> environment = Pointers(command.environment);
  const Becoming becoming = {.command = &command,
                             .argv = argv.data(),
                             .environment = environment.data(),
                             .guarded = guarded ? &*guarded : nullptr,
                             .parent = getpid(),
                             .report = writer.get()};
  const pid_t child = fork();
  if (child < 0) return CallError(errno, "clone", "cannot start a process");
  if (child == 0) {
    if (kept) BecomeKeeper(becoming, keepers.get());
    BecomeProgram(becoming);
  }
  writer.Close();
  keepers.Close();
  const int error = ErrorFrom(reader.get());
  pid_t pid = child;
  // If it says nothing, the program has killed it already: TakeEnding tells.
  if (kept && error == 0) Receive(ours.get(), pid, 0);
  Process process(pid, child, std::move(ours), std::move(guarded));
  if (error == 0) return process;
  process.Wait();
  return SystemError(error, fmt::format("cannot run {}", command.argv[0]));
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      child_(other.child_),
      line_(std::move(other.line_)),
      guarded_(std::move(other.guarded_)),
      told_(other.told_),
      ended_(other.ended_),
      ending_(other.ending_) {}

Process::~Process() {
  if (pid_ == 0 || ended_) return;
  Signal(SIGKILL);
  Wait();
}

bool Process::TakeEnding() {
  if (told_) return true;
  pollfd wanted = {line_.get(), POLLIN, 0};
  if (poll(&wanted, 1, 0) <= 0) return false;
  KeptEnding ending = {CLD_KILLED, SIGKILL};
  // If it says nothing, the keeper was killed, and the program with it.
  Receive(line_.get(), ending, 0);
  ending_ = ending.code == CLD_EXITED ? Ending{ending.status, 0}
                                      : Ending{-1, ending.status};
  told_ = true;
  return true;
}

Ending Process::Wait() {
  if (line_) {
    pollfd wanted = {line_.get(), POLLIN, 0};
    while (!TakeEnding()) poll(&wanted, 1, -1);
    line_.Close();
  }
  int status = 0;
  while (!ended_) {
    if (waitpid(child_, &status, 0) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    ended_ = true;
    if (told_) break;
    if (WIFEXITED(status)) ending_ = {WEXITSTATUS(status), 0};
    if (WIFSIGNALED(status)) ending_ = {-1, WTERMSIG(status)};
  }
  return ending_;
}

bool Process::Ended() {
  if (ended_) return true;
  if (line_) return TakeEnding();
  siginfo_t state = {};
  return waitid(P_PID, static_cast<id_t>(child_), &state,
                WEXITED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == child_;
}

void Process::Signal(int number) {
  if (ended_) return;
  if (!line_) {
    kill(pid_, number);
  } else if (number == SIGKILL) {
    shutdown(line_.get(), SHUT_WR);  // the keeper ends them all
  } else if (!TakeEnding()) {
    kill(-pid_, number);  // not reaped before the line is closed
  }
}

namespace {

using Clock = std::chrono::steady_clock;

// How long to sleep at most before looking at clocks and signals: a signal may
// come just before the sleep.
constexpr std::chrono::milliseconds kLook(50);

// Takes what comes out of a pipe, without ever waiting for it.
class Listener {
 public:
  Listener(const Fd& fd, std::string& text) : fd_(fd.get()), text_(text) {
    fcntl(fd_, F_SETFL, O_NONBLOCK);
  }

  // To poll; -1 when nothing can come any more.
  int fd() const { return fd_; }

  void Listen() {
    while (fd_ >= 0) {
      char room[4096];
      const ssize_t got = read(fd_, room, sizeof(room));
      if (got > 0) text_.append(room, static_cast<size_t>(got));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) fd_ = -1;
    }
  }

 private:
  int fd_;
  std::string& text_;
};

}  // namespace

Result<Capture> RunToEnd(Command command,
                         std::optional<std::chrono::nanoseconds> limit) {
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return CallError(errno, "pipe2", "no pipe");
  Fd out_reader(out[0]);
  Fd out_writer(out[1]);
  if (pipe2(err, O_CLOEXEC) != 0) return CallError(errno, "pipe2", "no pipe");
  Fd err_reader(err[0]);
  Fd err_writer(err[1]);
  command.standard_output = out_writer.get();
  command.standard_error = err_writer.get();
  Result<Process> process = Process::Start(command);
  if (!process) return process.error();
  out_writer.Close();
  err_writer.Close();

  Capture capture;
  const Fd gone(static_cast<int>(syscall(SYS_pidfd_open, process->pid(), 0)));
  Listener out_listener(out_reader, capture.out);
  Listener err_listener(err_reader, capture.err);
  std::optional<Clock::time_point> end;
  if (limit) end = Clock::now() + *limit;
  while (!process->Ended()) {
    capture.cut = HadEnough();
    if (end && Clock::now() >= *end) capture.cut = Enough::kTime;
    if (capture.cut != Enough::kNo) {
      process->Signal(SIGKILL);
      break;
    }
    pollfd wanted[] = {{out_listener.fd(), POLLIN, 0},
                       {err_listener.fd(), POLLIN, 0},
                       {gone.get(), POLLIN, 0}};
    poll(wanted, 3, static_cast<int>(kLook.count()));
    out_listener.Listen();
    err_listener.Listen();
  }
  if (command.group == ProcessGroup::kOwn) process->Signal(SIGKILL);
  capture.ending = process->Wait();
  out_listener.Listen();
  err_listener.Listen();
  return capture;
}

std::string SignalName(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name)
                         : fmt::format("signal {}", number);
}

std::string EndingText(const Ending& ending) {
  if (ending.signal != 0) return SignalName(ending.signal);
  return fmt::format("exit code {}", ending.exit_code);
}

}  // namespace fairlead
