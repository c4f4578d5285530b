// explore/run/workplace.h
//
// Where the executions of a slot take place, and what is done before each of
// them: in the directory of the user, or in a private one that is the same
// every time (--fresh-dir); and behind a command that puts right what else an
// execution leaves (--before).

#ifndef FAIRLEAD_EXPLORE_RUN_WORKPLACE_H_
#define FAIRLEAD_EXPLORE_RUN_WORKPLACE_H_

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "explore/run/fresh_directory.h"

namespace fairlead::explore {

struct WorkplaceOrder {
  bool fresh = false;   // a private directory
  std::string scratch;  // where such are made; must exist if `fresh`
  std::string without;  // a directory that is not copied; "" = all are
  std::string before;   // a command for sh; "" = none
};

class Workplace {
 public:
  static Result<Workplace> Create(const WorkplaceOrder& order);

  // "" = our own.
  const std::string& directory() const;

  // Before each execution: fails if it cannot begin as the others did. The
  // command has `limit` and the deadline of all work (base/patience.h).
  Status Prepare(std::optional<std::chrono::nanoseconds> limit);

 private:
  Workplace(std::string before, std::optional<FreshDirectory> fresh)
      : before_(std::move(before)), fresh_(std::move(fresh)) {}

  std::string before_;
  std::optional<FreshDirectory> fresh_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_WORKPLACE_H_
