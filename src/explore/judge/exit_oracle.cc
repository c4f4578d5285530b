// What the program says by its exit code.

#include "explore/judge/oracle.h"
#include "finding/printed.h"

namespace fairlead::explore {
namespace {

using finding::Kind;

// A wrong exit code: what the program said tells reasons apart that share it.
Failure ExitFailure(int code, const Captured& output) {
  const std::string out = output.Output();
  const std::string how = fmt::format("code_{}", code);
  const auto printed = finding::ReadPrinted(out, output.Error());
  if (!printed) {
    Failure failure = PlainFailure(Kind::kExit, how, {});
    if (std::string last = finding::LastLineOf(out); !last.empty()) {
      failure.details.push_back("it printed last: " + std::move(last));
    }
    return failure;
  }
  const bool test = !printed->test.empty();
  Failure failure =
      PlainFailure(test ? Kind::kTest : Kind::kExit,
                   test ? printed->cause : how + "\n" + printed->cause, {});
  failure.said = printed->message;
  failure.place = {.function = printed->test, .place = printed->place};
  return failure;
}

class ExitOracle final : public Oracle {
 public:
  explicit ExitOracle(std::vector<int> ok_exits)
      : ok_exits_(std::move(ok_exits)) {}

  Opinion Judge(const Evidence& evidence) override {
    const Finished& finished = evidence.finished;
    const Ending& ending = finished.executed.ending;
    if (IsOkEnding(ending, ok_exits_)) return {};
    if (evidence.exit_is_explained) return {.is_last = true};
    return {.failures = {ExitFailure(ending.exit_code, *finished.output)}};
  }

 private:
  std::vector<int> ok_exits_;
};

}  // namespace

std::unique_ptr<Oracle> MakeExitOracle(const OracleSetting& setting) {
  return std::make_unique<ExitOracle>(setting.expectations.ok_exits);
}

}  // namespace fairlead::explore
