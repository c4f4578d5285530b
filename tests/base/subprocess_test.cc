// Tests of base/subprocess.h and base/check.h.

#include "base/subprocess.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"

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
