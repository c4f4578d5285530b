// instrument/pass/options.h
//
// The pass's own options, given by the driver as `-mllvm -fairlead-…` or to
// `opt` by a test. Read once per module; nothing else in the pass reads
// command lines or the environment.

#ifndef FAIRLEAD_INSTRUMENT_PASS_OPTIONS_H_
#define FAIRLEAD_INSTRUMENT_PASS_OPTIONS_H_

#include <string>

namespace fairlead::pass {

enum class DebugKept {
  kFull,   // leave debug information as clang wrote it
  kLines,  // strip it to line tables once the types have been read
};

struct Options {
  std::string root;  // absolute directory that file names are relative to
  DebugKept debug_kept = DebugKept::kFull;
  bool ids_only = false;    // only mark sites with metadata (guard builds)
  bool accesses = true;     // instrument accesses, ranges, atomics
  bool frames = true;       // instrument calls, entries, exits, counts
  bool idle_copies = true;  // keep an untouched body beside each function
};

Options OptionsFromCommandLine();

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_OPTIONS_H_
