// lin/requests.h
//
// A history of requests as a value: what sessions asked of a program, what they
// were answered, and when. One request precedes another if it was answered
// before the other began, or came earlier in the same session; what neither
// precedes overlaps.
//
// Unlike the operations of lin/operation.h these mean nothing to us: what is
// right is what the program does with them one at a time
// (lin/request_judge.h).

#ifndef FAIRLEAD_LIN_REQUESTS_H_
#define FAIRLEAD_LIN_REQUESTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lin/operation.h"

namespace fairlead::lin {

struct Answer {
  int64_t status = 0;  // 0 = it was served
  std::string reply = {};
  bool operator==(const Answer&) const = default;
};

struct Request {
  uint64_t session = 0;
  uint64_t number = 0;  // within its session
  std::string asks = {};
  std::optional<Answer> answer = {};  // none = it never ended
  uint64_t begin = 0;                 // in the order of events
  uint64_t end = kNever;
  bool operator==(const Request&) const = default;
};

// In the order of their begins.
using RequestHistory = std::vector<Request>;

// Indices into a history.
using RequestOrder = std::vector<uint32_t>;

// What never ended precedes nothing, since it may never have happened.
inline bool Precedes(const Request& a, const Request& b) {
  if (a.end == kNever) return false;
  return a.end < b.begin || (a.session == b.session && a.begin < b.begin);
}
inline bool Overlap(const Request& a, const Request& b) {
  return !Precedes(a, b) && !Precedes(b, a);
}

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_REQUESTS_H_
