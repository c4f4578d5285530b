// instrument/cc/reading.h
//
// What a command line asks of clang, as far as the driver must know to decide
// what to add.  Reading never fails: a line that makes no sense is clang's to
// refuse, and whatever we would add to it does not matter.

#ifndef FAIRLEAD_INSTRUMENT_CC_READING_H_
#define FAIRLEAD_INSTRUMENT_CC_READING_H_

#include <span>
#include <string>
#include <vector>

#include "instrument/cc/debug_level.h"
#include "instrument/cc/language.h"

namespace fairlead::cc {

// Where clang stops.  Ordered as in clang: when several options say where, the
// earliest phase wins, wherever it is on the line.
enum class LastPhase {
  kPreprocess,  // -E, -M, -MM
  kPrecompile,  // --precompile
  kCheck,       // -fsyntax-only, --analyze and the like: no code comes out
  kCode,        // -S, -c, with or without -emit-llvm
  kLink,
};

enum class Target {
  kSupported,  // Linux on x86-64, by default or by name
  kOther,      // anything else: the program cannot run under our runtime
};

struct Reading {
  LastPhase last_phase = LastPhase::kLink;
  std::vector<Language> inputs;  // in the order of the line
  DebugLevel debug = DebugLevel::kNone;
  Target target = Target::kSupported;

  // Facts that are true when an option says so; all false for an empty line.
  bool names_frontend = false;     // -cc1, -cc1as: not for the driver
  bool foreign_mode = false;       // --driver-mode=cl and the like
  bool split_dwarf = false;        // -gsplit-dwarf
  bool saves_temporaries = false;  // -save-temps
  bool link_time_optimised = false;
  bool chooses_linker = false;  // -fuse-ld=, --ld-path=
  bool no_standard_includes = false;
  bool checks_memory = false;  // -fsanitize=memory
};

// Reads `args`, in which response files are already expanded.
Reading ReadCommandLine(std::span<const std::string> args, DriverMode mode);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_READING_H_
