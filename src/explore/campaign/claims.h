// explore/campaign/claims.h
//
// What a program says is so at least once in a campaign, and whether it was:
// the records that runtime/model/claims.h leaves, over all executions.
//
// Unsound: fairlead_reachable() at a line that no execution comes to is not
// heard of; a fairlead_sometimes() that was reached and never held is.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_CLAIMS_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_CLAIMS_H_

#include <map>
#include <string>
#include <vector>

#include "explore/run/control_memory.h"

namespace fairlead::explore {

struct Claim {
  std::string message;
  std::string where;  // "app.cc:31 (Parse)"; "" = not known
};

class Claims {
 public:
  // After an execution; cheap when it made none that is new.
  void Learn(const ControlMemory& memory);

  size_t size() const { return claims_.size(); }
  // Those that never held, by message.
  std::vector<Claim> Never() const;

 private:
  struct State {
    std::string where;
    bool held = false;
  };
  std::map<std::string, State> claims_;  // by message
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_CLAIMS_H_
