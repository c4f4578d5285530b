// instrument/cc/language.h
//
// What an input is, as clang decides it: by `-x` if given, else by the end of
// the file's name.  The tables are in language.cc.

#ifndef FAIRLEAD_INSTRUMENT_CC_LANGUAGE_H_
#define FAIRLEAD_INSTRUMENT_CC_LANGUAGE_H_

#include <string_view>

namespace fairlead::cc {

// Which of the two commands we are.
enum class DriverMode { kC, kCxx };

enum class Language {
  kC,          // C or Objective-C, also preprocessed or as a saved syntax tree
  kCxx,        // C++ or Objective-C++, also preprocessed; modules
  kCHeader,    // precompiled, never code
  kCxxHeader,  // precompiled, never code
  kAssembly,   // .s: no preprocessor, no compiler
  kCppAssembly,  // .S: preprocessor only
  kIr,           // LLVM's, as text or bitcode
  kForeign,      // CUDA, OpenCL and others that we leave alone
  kLinkerInput,  // objects, libraries, and what clang does not know
};

// The language of the input `file`.  `forced` is the value of the last `-x`
// before it, empty or "none" if there is none.
Language LanguageOf(std::string_view file, std::string_view forced,
                    DriverMode mode);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_LANGUAGE_H_
