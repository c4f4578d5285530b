// cli/run_repeat.cc
//
// `fairlead run --check-determinism`: the same execution again and again, which
// must be equal in every event.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "base/file.h"
#include "base/log.h"
#include "base/patience.h"
#include "base/required_calls.h"
#include "cli/launch.h"
#include "cli/print.h"
#include "explore/judge/determinism.h"
#include "explore/run/repeated_input.h"

namespace fairlead::cli {
namespace {

// The outputs of a repetition. What goes to a pipe or a socket is kept in
// memory until its end: a reader that is slow now and then would make the
// program wait now and then, and no two repetitions would be equal.
class HeldOutputs {
 public:
  // `streams` as they are to be from here on.
  static Result<HeldOutputs> For(explore::Streams& streams) {
    HeldOutputs held;
    struct stat output = {};
    const bool holds_output = MayWait(STDOUT_FILENO, output);
    if (holds_output) {
      held.output_ = Make();
      if (!held.output_) return Refused();
      streams.output = held.output_.get();
    }
    struct stat error = {};
    if (!MayWait(STDERR_FILENO, error)) return held;
    if (holds_output && error.st_dev == output.st_dev &&
        error.st_ino == output.st_ino) {
      streams.error = streams.output;
      return held;
    }
    held.error_ = Make();
    if (!held.error_) return Refused();
    streams.error = held.error_.get();
    return held;
  }

  // The repetition is over.
  void Release() {
    PassOn(output_, STDOUT_FILENO);
    PassOn(error_, STDERR_FILENO);
  }

 private:
  static bool MayWait(int fd, struct stat& file) {
    return fstat(fd, &file) == 0 &&
           (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode));
  }

  static Fd Make() {
    Fd fd(memfd_create("fairlead-output", MFD_CLOEXEC));
    if (fd) fcntl(fd.get(), F_SETFL, O_APPEND);
    return fd;
  }

  static Error Refused() {
    return CallError(errno, "memfd_create",
                     "cannot make memory for the program's output");
  }

  static void PassOn(const Fd& held, int to) {
    if (!held) return;
    char room[1 << 14];
    off_t at = 0;
    for (;;) {
      const ssize_t got = pread(held.get(), room, sizeof(room), at);
      if (got <= 0) break;
      at += got;
      if (!WriteAll(to, {room, static_cast<size_t>(got)})) break;
    }
    [[maybe_unused]] const int cut = ftruncate(held.get(), 0);
  }

  // False when nobody reads, or the user wants to stop.
  static bool WriteAll(int fd, std::string_view text) {
    while (!text.empty()) {
      const ssize_t put = write(fd, text.data(), text.size());
      if (put < 0 && (errno != EINTR || ShouldStop())) return false;
      if (put > 0) text.remove_prefix(static_cast<size_t>(put));
    }
    return true;
  }

  Fd output_;
  Fd error_;
};

}  // namespace

using explore::Executed;
using explore::Namer;
using explore::Verdict;

Result<ExitCode> CheckDeterminism(const Launch& launch) {
  const RunOptions& options = launch.options();
  launch.SayWhatRecompilingAdds();
  const Result<explore::RepeatedInput> input = explore::RepeatedInput::OfOurs();
  if (!input) return input.error();
  explore::Streams streams;
  Result<HeldOutputs> outputs = HeldOutputs::For(streams);
  if (!outputs) return outputs.error();
  explore::Comparison comparison;
  report::Repetitions repetitions = {.number = options.repetitions};
  for (uint64_t i = 0; i < options.repetitions; ++i) {
    comparison.BeginRepetition();
    explore::Order order = launch.OrderFor(&comparison);
    const Fd standard_input = input->Open();
    order.streams = streams;
    order.streams.input = standard_input.get();
    const Result<Executed> executed = explore::Execute(order);
    outputs->Release();
    if (!executed) return executed.error();
    Namer namer(*executed->memory);
    const Verdict verdict = explore::Judge(*executed, options.ok_exits, namer);
    if (EndsAll(verdict)) {
      return Error(ErrorCode::kInterrupted)
          .Say("stopped at repetition {}: {}", i + 1, verdict.sentence);
    }
    if (i == 0) repetitions.first = EndedOf(verdict);
    const std::vector<std::string> lines =
        comparison.Differences(*executed, namer);
    if (lines.empty()) continue;
    repetitions.differences.push_back({i + 1, lines});
    if (options.json || repetitions.differences.size() > 1) continue;
    Note("repetition {} differs from the first:", i + 1);
    for (const std::string& line : lines) Note("  {}", line);
  }
  repetitions.exit = repetitions.differences.empty() ? repetitions.first.exit
                                                     : ExitCode::kUnknown;
  if (options.json) {
    PrintJsonLine(stderr, report::RepetitionsJson(repetitions));
  } else {
    Note("{}", report::RepetitionsLine(repetitions));
  }
  return repetitions.exit;
}

}  // namespace fairlead::cli
