#include "base/result.h"

namespace fairlead {

int ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kEnvironment:
    case ErrorCode::kMalformed:
    case ErrorCode::kTooNew:
      return 3;
    case ErrorCode::kUnknown:
      return 4;
    case ErrorCode::kOurBug:
      return 70;
  }
  return 70;
}

Error Error::In(std::string_view place) const {
  Error placed = *this;
  placed.sentence_ = fmt::format("{}: {}", place, sentence_);
  return placed;
}

std::string Error::Text() const {
  return hint_.empty() ? sentence_ : fmt::format("{}; {}", sentence_, hint_);
}

}  // namespace fairlead
