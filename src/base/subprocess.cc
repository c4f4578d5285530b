#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

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

[[noreturn]] void BecomeProgram(const Command& command, char* const* argv,
                                char* const* environment, pid_t parent,
                                const GuardedGroup* guarded, int report) {
  const auto give_up = [&] {
    const int error = errno;
    [[maybe_unused]] const ssize_t put = write(report, &error, sizeof(error));
    _exit(127);
  };
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
  if (getppid() != parent) _exit(127);  // it died before the line above
  if (command.group == ProcessGroup::kOwn && setpgid(0, 0) != 0) give_up();
  if (guarded != nullptr) guarded->EnterSelf();
  const int standard[] = {command.standard_input, command.standard_output,
                          command.standard_error};
  int copies[3];
  for (int i = 0; i < 3; ++i) {
    if ((copies[i] = fcntl(standard[i], F_DUPFD_CLOEXEC, 3)) < 0) {
      if (errno != EBADF) give_up();  // closed in us: closed in the child
    }
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
  // What we ignore or block is ours alone.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  if (!command.core_dumps) ForbidCoreDumps();
  if (command.executable.empty()) {
    execvpe(argv[0], argv, environment);
  } else {
    execve(command.executable.c_str(), argv, environment);
  }
  give_up();
  _exit(127);
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
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return SystemError(errno, "no pipe");
  const Fd reader(report[0]);
  Fd writer(report[1]);
  const std::vector<char*> argv = Pointers(command.argv);
  const std::vector<char*> environment = Pointers(command.environment);
  const pid_t parent = getpid();
  std::optional<GuardedGroup> guarded;
  if (command.group == ProcessGroup::kOwn) guarded.emplace();
  const pid_t pid = fork();
  if (pid < 0) return SystemError(errno, "cannot start a process");
  if (pid == 0) {
    BecomeProgram(command, argv.data(), environment.data(), parent,
                  guarded ? &*guarded : nullptr, writer.get());
  }
  writer.Close();
  int error = 0;
  ssize_t got;
  do {
    got = read(reader.get(), &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  Process process(pid, command.group, std::move(guarded));
  if (got == 0) return process;  // closed by a successful exec
  process.Wait();
  return SystemError(error, fmt::format("cannot run {}", command.argv[0]));
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      group_(other.group_),
      guarded_(std::move(other.guarded_)),
      ended_(other.ended_),
      ending_(other.ending_) {}

Process::~Process() {
  if (pid_ == 0 || ended_) return;
  Signal(SIGKILL);
  Wait();
}

Ending Process::Wait() {
  int status = 0;
  while (!ended_) {
    if (waitpid(pid_, &status, 0) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    ended_ = true;
    if (WIFEXITED(status)) ending_ = {WEXITSTATUS(status), 0};
    if (WIFSIGNALED(status)) ending_ = {-1, WTERMSIG(status)};
  }
  return ending_;
}

bool Process::Ended() {
  if (ended_) return true;
  siginfo_t state = {};
  return waitid(P_PID, static_cast<id_t>(pid_), &state,
                WEXITED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == pid_;
}

void Process::Signal(int number) {
  if (group_ == ProcessGroup::kOwn) {
    kill(-pid_, number);
  } else if (!ended_) {
    kill(pid_, number);
  }
}

Result<Capture> RunToEnd(Command command) {
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return SystemError(errno, "no pipe");
  Fd out_reader(out[0]);
  Fd out_writer(out[1]);
  if (pipe2(err, O_CLOEXEC) != 0) return SystemError(errno, "no pipe");
  Fd err_reader(err[0]);
  Fd err_writer(err[1]);
  command.standard_output = out_writer.get();
  command.standard_error = err_writer.get();
  Result<Process> process = Process::Start(command);
  if (!process) return process.error();
  out_writer.Close();
  err_writer.Close();

  Capture capture;
  pollfd wanted[] = {{out_reader.get(), POLLIN, 0},
                     {err_reader.get(), POLLIN, 0}};
  std::string* texts[] = {&capture.out, &capture.err};
  while (wanted[0].fd >= 0 || wanted[1].fd >= 0) {
    if (poll(wanted, 2, -1) < 0 && errno != EINTR) break;
    for (int i = 0; i < 2; ++i) {
      if (wanted[i].fd < 0 || wanted[i].revents == 0) continue;
      char room[4096];
      const ssize_t got = read(wanted[i].fd, room, sizeof(room));
      if (got > 0) texts[i]->append(room, static_cast<size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) wanted[i].fd = -1;
    }
  }
  capture.ending = process->Wait();
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
