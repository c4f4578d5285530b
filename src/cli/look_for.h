// cli/look_for.h
//
// `--look-for`: which bugs are predicted and forced, in words of their effect.

#ifndef FAIRLEAD_CLI_LOOK_FOR_H_
#define FAIRLEAD_CLI_LOOK_FOR_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fairlead::cli {

// Refuses words that mean nothing, and those that nothing looks for yet.
CLI::Option* AddLookFor(CLI::App& command, std::vector<std::string>& words);

// Whether interleavings of accesses (iRoots) are of use for these words.
bool WantsInterleavings(const std::vector<std::string>& words);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_LOOK_FOR_H_
