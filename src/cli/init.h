// cli/init.h
//
// `fairlead init`: looks at a project and says which commands build it for us,
// test it, and show what was found. Changes nothing.

#ifndef FAIRLEAD_CLI_INIT_H_
#define FAIRLEAD_CLI_INIT_H_

#include "cli/command.h"

namespace fairlead::cli {

void AddInit(CLI::App& app, Invocation& invocation);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_INIT_H_
