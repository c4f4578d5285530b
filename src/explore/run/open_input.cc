#include "explore/run/open_input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace fairlead::explore {

Result<Fd> OpenInput(const std::string& path) {
  const std::string& name = path.empty() ? "/dev/null" : path;
  Fd fd(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return SystemError(errno, fmt::format("cannot read {}", name));
  struct stat what = {};
  if (fstat(fd.get(), &what) == 0 && S_ISFIFO(what.st_mode)) {
    return Error(ErrorCode::kEnvironment)
        .Say("{} is a pipe, and every execution reads its input anew", name)
        .Hint("give standard input as a file");
  }
  // Only the opening was not to wait.
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
  return fd;
}

}  // namespace fairlead::explore
