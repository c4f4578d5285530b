// explore/run/open_input.h
//
// Standard input for an execution, given as a path.

#ifndef FAIRLEAD_EXPLORE_RUN_OPEN_INPUT_H_
#define FAIRLEAD_EXPLORE_RUN_OPEN_INPUT_H_

#include <string>

#include "base/file.h"
#include "base/result.h"

namespace fairlead::explore {

// Opened from its beginning; "" = /dev/null. Refuses a pipe: it could be read
// only once, and opening it may wait for ever.
Result<Fd> OpenInput(const std::string& path);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_OPEN_INPUT_H_
