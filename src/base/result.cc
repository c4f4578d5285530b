#include "base/result.h"

#include <errno.h>
#include <string.h>

#include "base/exit_code.h"

namespace fairlead {
namespace {

ErrorCode CodeOf(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermission;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return ErrorCode::kNoSpace;
    default:
      return ErrorCode::kEnvironment;
  }
}

std::string_view HintOf(ErrorCode code, int number) {
  if (number == EMFILE) return "raise the limit of open files (ulimit -n)";
  switch (code) {
    case ErrorCode::kNotFound:
      return "check the path";
    case ErrorCode::kPermission:
      return "check the permissions of the file and its directory";
    case ErrorCode::kNoSpace:
      return "free some space or choose another place";
    default:
      return "";
  }
}

}  // namespace

int ExitCodeOf(ErrorCode code) {
  switch (code) {
#define FL_ERROR(name, word, exit, meaning) \
  case ErrorCode::name:                     \
    return static_cast<int>(ExitCode::exit);
#include "base/errors.inc"
#undef FL_ERROR
  }
  return static_cast<int>(ExitCode::kOurBug);
}

std::string_view WordOf(ErrorCode code) {
  switch (code) {
#define FL_ERROR(name, word, exit, meaning) \
  case ErrorCode::name:                     \
    return word;
#include "base/errors.inc"
#undef FL_ERROR
  }
  return "our-bug";
}

Error Error::In(std::string_view place) const {
  Error placed = *this;
  placed.sentence_ = fmt::format("{}: {}", place, sentence_);
  return placed;
}

std::string Error::Text() const {
  return hint_.empty() ? sentence_ : fmt::format("{}; {}", sentence_, hint_);
}

Error SystemError(int number, std::string_view what) {
  char room[128];
  const char* reason = strerror_r(number, room, sizeof(room));
  const ErrorCode code = CodeOf(number);
  return Error(code)
      .Say("{}: {}", what, reason)
      .Hint("{}", HintOf(code, number));
}

}  // namespace fairlead
