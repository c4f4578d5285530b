// instrument/cc/surroundings.h
//
// Looks at the machine for what ChooseArguments wants to know: where clang 19,
// the pass, the public header and lld are, and which directory is the root of
// the user's project.  The only part of the driver that touches the file
// system, besides executing the command.

#ifndef FAIRLEAD_INSTRUMENT_CC_SURROUNDINGS_H_
#define FAIRLEAD_INSTRUMENT_CC_SURROUNDINGS_H_

#include <string>

#include "instrument/cc/choose.h"

namespace fairlead::cc {

// `self` is the driver's own executable, `<prefix>/bin/fairlead-cc`.  Reads the
// environment: FAIRLEAD_CLANG, FAIRLEAD_ROOT, PATH.
Surroundings LookAround(const std::string& self, DriverMode mode);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_SURROUNDINGS_H_
