// cli/live_line.h
//
// The line of a campaign under way, on a terminal only: executions, rate, new
// behaviours, findings, time left. Redrawn a few times a second.

#ifndef FAIRLEAD_CLI_LIVE_LINE_H_
#define FAIRLEAD_CLI_LIVE_LINE_H_

#include <chrono>
#include <optional>

#include "explore/campaign/campaign.h"

namespace fairlead::cli {

class LiveLine {
 public:
  enum class Show { kIfTerminal, kNever };
  LiveLine(Show show, uint64_t max_executions,
           std::optional<std::chrono::nanoseconds> time);
  ~LiveLine() { Clear(); }

  void Update(const explore::Progress& progress);
  // Takes it away, so that other lines can be written.
  void Clear();

 private:
  bool shown_;
  bool drawn_ = false;
  uint64_t max_executions_;
  std::optional<std::chrono::nanoseconds> time_;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_LIVE_LINE_H_
