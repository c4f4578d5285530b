// instrument/cc/arguments.h
//
// A command line cut into its units: inputs, options, and options with the
// value that follows them.  Knows which options of clang 19 take the next
// argument, and nothing else about them.

#ifndef FAIRLEAD_INSTRUMENT_CC_ARGUMENTS_H_
#define FAIRLEAD_INSTRUMENT_CC_ARGUMENTS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cc {

enum class ArgumentKind {
  kInput,     // a file, `-` for standard input, or anything behind `--`
  kOption,    // the option alone
  kValued,    // the option, and its value in the next argument
  kDangling,  // at the end of the line, without the value that it needs
  kDashes,    // the `--` itself
};

struct Argument {
  ArgumentKind kind;
  std::string_view text;   // the option as written, or the input
  std::string_view value;  // of a kValued; empty otherwise
  size_t index;            // of `text` among the arguments
};

// Cuts `args`, which must outlive the result.
std::vector<Argument> CutArguments(std::span<const std::string> args);

// The value of `-name VALUE` or of `-nameVALUE` (give `name` with its `=` if
// it has one); null data() when `argument` is another option.
std::string_view ValueOf(const Argument& argument, std::string_view name);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_ARGUMENTS_H_
