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

std::string Version() { return FAIRLEAD_VERSION; }

}  // namespace fairlead::cli
