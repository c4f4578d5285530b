// Tests of base/subprocess.h and base/check.h.

#include "base/subprocess.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/keeper.h"

namespace fairlead {
namespace {

Command Shell(const std::string& script) {
  return {.argv = {"/bin/sh", "-c", script}, .environment = OwnEnvironment()};
}

TEST(Subprocess, GivesBackOutputAndExitCode) {
  const Result<Capture> capture = RunToEnd(Shell("echo a; echo b >&2; exit 3"));
  ASSERT_TRUE(capture.has_value());
  EXPECT_EQ(capture->out, "a\n");
  EXPECT_EQ(capture->err, "b\n");
  EXPECT_EQ(EndingText(capture->ending), "exit code 3");
}

TEST(Subprocess, CarriesMoreThanAPipeHolds) {
  const Result<Capture> capture =
      RunToEnd(Shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"));
  ASSERT_TRUE(capture.has_value());
  EXPECT_EQ(capture->out.size(), 300'000u);
  EXPECT_EQ(capture->err.size(), 300'000u);
}

TEST(Subprocess, TellsASignalFromAnExitCode) {
  const Result<Capture> capture = RunToEnd(Shell("kill -SEGV $$"));
  ASSERT_TRUE(capture.has_value());
  EXPECT_EQ(EndingText(capture->ending), "SIGSEGV");
}

TEST(Subprocess, AProgramThatCannotRunIsAnErrorAtOnce) {
  const Result<Process> process =
      Process::Start({.argv = {"/nonexistent/program"}, .environment = {}});
  ASSERT_FALSE(process.has_value());
  EXPECT_EQ(process.error().Text(),
            "cannot run /nonexistent/program: No such file or directory; "
            "check the path");
}

TEST(Subprocess, PassesEnvironmentDirectoryAndDescriptors) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Fd reader(ends[0]);
  Fd writer(ends[1]);
  Command command =
      Shell("echo $A; pwd; echo fd >&" + std::to_string(writer.get()));
  command.environment = {"A=b"};
  command.directory = "/";
  command.inherited = {writer.get()};
  const Result<Capture> capture = RunToEnd(command);
  writer.Close();
  ASSERT_TRUE(capture.has_value());
  EXPECT_EQ(capture->out, "b\n/\n");
  EXPECT_EQ(ReadAll(reader.get(), "pipe").value(), "fd\n");
}

TEST(Subprocess, EndsTheWholeGroupOfAnAbandonedProcess) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Fd reader(ends[0]);
  Fd writer(ends[1]);
  {
    // A grandchild holds the pipe open for as long as it lives.
    Command command = Shell("sleep 1000 & echo started >&" +
                            std::to_string(writer.get()) + "; wait");
    command.group = ProcessGroup::kOwn;
    command.inherited = {writer.get()};
    Result<Process> process = Process::Start(command);
    ASSERT_TRUE(process.has_value());
    writer.Close();
    char room[8];
    ASSERT_EQ(read(reader.get(), room, 8), 8);
  }
  EXPECT_EQ(ReadAll(reader.get(), "pipe").value(), "");
}

// A pipe that is open for as long as somebody has its writing end.
struct Held {
  Held() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    reader = Fd(ends[0]);
    writer = Fd(ends[1]);
  }
  Fd reader;
  Fd writer;
};

// Leaves a process behind that has left its group and its session, and whose
// parent has ended, like a daemon.
Command LeavesADaemon(const Held& held, const std::string& then) {
  const std::string fd = std::to_string(held.writer.get());
  Command command =
      Shell("(setsid sleep 1000 & echo started >&" + fd + ") & wait; " + then);
  command.group = ProcessGroup::kOwn;
  command.inherited = {held.writer.get()};
  return command;
}

TEST(Subprocess, ADaemonEndsWithWhoStartedIt) {
  Held held;
  Result<Process> process = Process::Start(LeavesADaemon(held, "exit 3"));
  ASSERT_TRUE(process.has_value());
  held.writer.Close();
  EXPECT_EQ(process->Wait().exit_code, 3);
  EXPECT_EQ(ReadAll(held.reader.get(), "pipe").value(), "started\n");
}

TEST(Subprocess, ADaemonEndsWithAProcessThatIsEnded) {
  Held held;
  Result<Process> process = Process::Start(LeavesADaemon(held, "sleep 1000"));
  ASSERT_TRUE(process.has_value());
  held.writer.Close();
  char room[8];
  ASSERT_EQ(read(held.reader.get(), room, 8), 8);
  EXPECT_FALSE(process->Ended());
  process->Signal(SIGKILL);
  EXPECT_EQ(process->Wait().signal, SIGKILL);
  EXPECT_EQ(ReadAll(held.reader.get(), "pipe").value(), "");
}

// An init that does not reap what it is given, as in many containers, would
// collect one for each execution.
TEST(Subprocess, NobodyElseHasToReapTheProgram) {
  const pid_t starter = fork();
  if (starter == 0) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);  // what would be init's is ours
    Command command = Shell("exec sleep 1000");
    command.group = ProcessGroup::kOwn;
    {
      Result<Process> process = Process::Start(command);
      if (!process) _exit(2);
      process->Signal(SIGKILL);
      process->Wait();
    }
    _exit(waitpid(-1, nullptr, WNOHANG | __WALL) > 0 ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(starter, &status, 0), starter);
  EXPECT_EQ(status, 0);
}

TEST(Subprocess, ADaemonDiesWithItsStartersStarter) {
  Held held;
  const pid_t starter = fork();
  if (starter == 0) {
    Result<Process> process = Process::Start(LeavesADaemon(held, "sleep 1000"));
    char room[8];
    [[maybe_unused]] const ssize_t got = read(held.reader.get(), room, 8);
    raise(SIGKILL);
  }
  held.writer.Close();
  waitpid(starter, nullptr, 0);
  EXPECT_EQ(ReadAll(held.reader.get(), "pipe").value(), "");
}

TEST(Subprocess, TheEndCanBeWaitedForByItsDescriptor) {
  Command command = Shell("kill -SEGV $$");
  command.group = ProcessGroup::kOwn;
  Result<Process> process = Process::Start(command);
  ASSERT_TRUE(process.has_value());
  pollfd wanted = {process->end_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&wanted, 1, -1), 1);
  EXPECT_TRUE(process->Ended());
  EXPECT_EQ(process->Wait().signal, SIGSEGV);
}

TEST(Subprocess, AProgramInAGroupThatCannotRunIsAnErrorAtOnce) {
  const Result<Process> process =
      Process::Start({.argv = {"/nonexistent/program"},
                      .environment = {},
                      .group = ProcessGroup::kOwn});
  ASSERT_FALSE(process.has_value());
  EXPECT_EQ(process.error().code(), ErrorCode::kNotFound);
}

TEST(Keeper, KnowsWhoseChildAProcessIs) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_EQ(ParentOf(child), getpid());
  EXPECT_EQ(ParentOf(getpid()), getppid());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(ParentOf(child), 0);
}

TEST(Subprocess, AChildDiesWithItsStarter) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Fd reader(ends[0]);
  Fd writer(ends[1]);
  const pid_t starter = fork();
  if (starter == 0) {
    Command command = Shell("exec sleep 1000");
    command.inherited = {writer.get()};
    Result<Process> process = Process::Start(command);
    raise(SIGKILL);
  }
  writer.Close();
  waitpid(starter, nullptr, 0);
  EXPECT_EQ(ReadAll(reader.get(), "pipe").value(), "");
}

TEST(RunToEnd, EndsWhatTakesLongerThanItMay) {
  Command command = Shell("echo begun; exec sleep 1000");
  const Result<Capture> cut = RunToEnd(command, std::chrono::milliseconds(1));
  ASSERT_TRUE(cut.has_value());
  EXPECT_EQ(cut->cut, Enough::kTime);
  EXPECT_EQ(cut->ending.signal, SIGKILL);
}

TEST(RunToEnd, EndsWhenTheUserWantsToStop) {
  AskToStop(SIGINT);
  const Result<Capture> cut = RunToEnd(Shell("exec sleep 1000"));
  ForgetStop();
  ASSERT_TRUE(cut.has_value());
  EXPECT_EQ(cut->cut, Enough::kUser);
}

TEST(RunToEnd, DoesNotWaitForWhatACommandLeavesBehind) {
  Command command = Shell("sleep 1000 & echo done");
  command.group = ProcessGroup::kOwn;
  const Result<Capture> done = RunToEnd(command);
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->out, "done\n");
  EXPECT_EQ(done->cut, Enough::kNo);
}

TEST(Patience, EndsAtTheEarliestDeadline) {
  using Clock = std::chrono::steady_clock;
  EXPECT_EQ(HadEnough(), Enough::kNo);
  EXPECT_FALSE(WithinDeadline({}));
  {
    const Deadline far(Clock::now() + std::chrono::hours(1));
    EXPECT_EQ(HadEnough(), Enough::kNo);
    EXPECT_LE(*WithinDeadline({}), std::chrono::hours(1));
    EXPECT_EQ(*WithinDeadline(std::chrono::seconds(1)),
              std::chrono::seconds(1));
    {
      const Deadline past(Clock::now());
      const Deadline later(Clock::now() + std::chrono::hours(2));
      EXPECT_EQ(HadEnough(), Enough::kTime);
      EXPECT_GT(WithinDeadline({})->count(), 0);
      AskToStop(SIGTERM);
      EXPECT_EQ(HadEnough(), Enough::kUser);
      ForgetStop();
    }
    EXPECT_EQ(HadEnough(), Enough::kNo);
  }
  EXPECT_FALSE(CurrentDeadline());
}

TEST(Check, EndsWithTheExitCodeOfABugOfOurs) {
  EXPECT_EXIT(
      {
        const DoingNow outer("running ./app");
        const DoingNow inner("reading event 7");
        FL_CHECK(1 == 2, "one is {}", 1);
      },
      ::testing::ExitedWithCode(70),
      "bug in fairlead: 1 == 2 does not hold at .*subprocess_test.cc:.*: one "
      "is 1\n  while reading event 7\n  while running ./app");
}

}  // namespace
}  // namespace fairlead
