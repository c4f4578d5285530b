// instrument/cc/response_file.h
//
// `@file` on a command line, as clang reads it: arguments separated by white
// space, with quotes and backslashes as in GNU tools.  We only look inside to
// decide; clang gets the `@file` itself.

#ifndef FAIRLEAD_INSTRUMENT_CC_RESPONSE_FILE_H_
#define FAIRLEAD_INSTRUMENT_CC_RESPONSE_FILE_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cc {

// Returns what is in the file, or nullopt if it cannot be read.
using FileReader =
    std::function<std::optional<std::string>(const std::string& file)>;

// The arguments that the text of a response file stands for.
std::vector<std::string> SplitResponse(std::string_view text);

// `args` with every `@file` replaced by what it stands for, also inside
// response files.  One that cannot be read, or that is nested too deep, stays
// as it is: clang then reports it.
std::vector<std::string> ExpandResponses(std::span<const std::string> args,
                                         const FileReader& read);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_RESPONSE_FILE_H_
