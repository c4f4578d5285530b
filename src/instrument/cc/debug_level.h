// instrument/cc/debug_level.h
//
// How much debug information a command line asks for.  The pass needs full
// types whatever the user wants, so the driver asks clang for them and tells
// the pass what to leave behind; for that it must read `-g…` as clang does.
// tests/cc compares the table in debug_level.cc with clang itself.

#ifndef FAIRLEAD_INSTRUMENT_CC_DEBUG_LEVEL_H_
#define FAIRLEAD_INSTRUMENT_CC_DEBUG_LEVEL_H_

#include <optional>
#include <string_view>

namespace fairlead::cc {

enum class DebugLevel {
  kNone,   // no debug information
  kLines,  // places only
  kFull,   // types and variables as well
};

// The level that `option` sets; the last option that sets one wins.  nullopt
// for options that set none, such as -gz and -gsplit-dwarf.
std::optional<DebugLevel> DebugLevelOf(std::string_view option);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_DEBUG_LEVEL_H_
