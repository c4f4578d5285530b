#include "cli/command.h"

#include <stdio.h>

#include "base/json.h"
#include "base/log.h"

namespace fairlead::cli {

ExitCode Tell(const Error& error, Form form) {
  if (form == Form::kJson) {
    const Json json = {{"result", "error"}, {"error", ErrorJson(error)}};
    fputs((json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n")
              .c_str(),
          stderr);
  } else {
    Fail("{}", error.Text());
  }
  return static_cast<ExitCode>(ExitCodeOf(error.code()));
}

abi::CarrierId CarrierOf(std::string_view word) {
  return word == "thread" ? abi::CarrierId::kThread : abi::CarrierId::kFiber;
}

std::string_view WordOf(abi::CarrierId carrier) {
  return carrier == abi::CarrierId::kThread ? "thread" : "fiber";
}

std::optional<std::chrono::nanoseconds> TimeLimit(double seconds) {
  if (!(seconds > 0)) return {};
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

std::string Version() { return FAIRLEAD_VERSION; }

}  // namespace fairlead::cli
