#include "explore/run/workplace.h"

#include <fcntl.h>

#include <filesystem>

#include "base/subprocess.h"
#include "base/text.h"

namespace fairlead::explore {
namespace {

std::string LastLine(std::string_view text) {
  text = Trim(text);
  const size_t at = text.rfind('\n');
  return std::string(at == std::string_view::npos ? text : text.substr(at + 1));
}

}  // namespace

Result<Workplace> Workplace::Create(const WorkplaceOrder& order) {
  if (!order.fresh) return Workplace(order.before, std::nullopt);
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  if (error) return SystemError(error.value(), "no current directory");
  Result<FreshDirectory> fresh =
      FreshDirectory::Create(here, order.scratch, order.without);
  if (!fresh) return fresh.error();
  return Workplace(order.before, *std::move(fresh));
}

const std::string& Workplace::directory() const {
  static const std::string kOurs;
  return fresh_ ? fresh_->path() : kOurs;
}

Status Workplace::Prepare(std::optional<std::chrono::nanoseconds> limit) {
  if (fresh_) {
    if (Status renewed = fresh_->Renew(); !renewed) return renewed;
  }
  if (before_.empty()) return {};
  const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Result<Capture> done = RunToEnd({.argv = {"sh", "-c", before_},
                                         .environment = OwnEnvironment(),
                                         .directory = directory(),
                                         .group = ProcessGroup::kOwn,
                                         .standard_input = nothing.get()},
                                        limit);
  if (!done) return done.error();
  if (done->cut != Enough::kNo) {
    return Error(ErrorCode::kEnvironment)
        .Say("the command before each execution took too long: {}", before_);
  }
  if (done->ending.exit_code == 0) return {};
  const std::string said = LastLine(done->err);
  return Error(ErrorCode::kEnvironment)
      .Say("the command before each execution failed ({}){}{}",
           EndingText(done->ending), said.empty() ? "" : ": ", said)
      .Hint("it is given to sh -c; try it by hand: {}", before_);
}

}  // namespace fairlead::explore
