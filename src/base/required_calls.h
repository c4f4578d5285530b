// base/required_calls.h
//
// Whether the system lets us make the calls without which no program can be run
// and ended again. A container's filter (seccomp) may refuse any of them;
// noticed late, that is a wait without end, processes that stay, or an exit
// code that no program had. So all are tried once before the first program is
// started, with arguments that do nothing.
//
// Unsound: a filter that looks at arguments may refuse the real call only.
//
// Threads: any.

#ifndef FAIRLEAD_BASE_REQUIRED_CALLS_H_
#define FAIRLEAD_BASE_REQUIRED_CALLS_H_

#include <string_view>

#include "base/result.h"

namespace fairlead {

// Names the first call that is refused. Asks the system once.
Status CheckRequiredCalls();

// `call` failed with the errno `number`, and so could `what` not be done.
// Unlike SystemError it speaks of no file when the call itself is refused.
Error CallError(int number, std::string_view call, std::string_view what);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_REQUIRED_CALLS_H_
