// instrument/cc/choose.h
//
// The driver's decision: which command to run for the command that was given.
// Pure: everything it wants to know about the machine is in the Invocation, so
// that a table of cases tests it (tests/cc/choose_test.cc).  main.cc collects
// the Invocation and executes the Command.
//
// What is added, and when (docs/design/driver.md says why):
//
//   code from C, C++ or IR    the pass and its options; -g, -fstandalone-debug
//   anything preprocessed     -idirafter <prefix>/include -D__FAIRLEAD__=1
//   link, with LTO            -fuse-ld=lld, if no linker was chosen

#ifndef FAIRLEAD_INSTRUMENT_CC_CHOOSE_H_
#define FAIRLEAD_INSTRUMENT_CC_CHOOSE_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "instrument/cc/language.h"
#include "instrument/cc/reading.h"
#include "instrument/cc/response_file.h"

namespace fairlead::cc {

// What the machine has to offer.  A path is empty when the thing is missing.
struct Surroundings {
  std::string clang;        // the executable
  std::string clang_name;   // its argv[0]: how clang calls itself in messages
  std::string pass;         // libfairlead_pass.so
  std::string pass_wanted;  // where it should be, for the message
  std::string include;      // the directory that holds fairlead/fairlead.h
  std::string root;         // sites name their files relative to this
  std::string lld;          // ld.lld of the same version as clang
  FileReader read_file;     // for `@file`
};

struct Invocation {
  DriverMode mode = DriverMode::kC;
  std::vector<std::string> args;  // without argv[0]
  bool switched_off = false;      // by the environment
  Surroundings surroundings;
};

// What the user wants from us.
enum class Wish {
  kRun,           // execute the command
  kPrintCommand,  // --fairlead-print-command
  kHelp,          // --fairlead-help; the command is empty
  kVersion,       // --fairlead-version; the command is empty
};

struct Command {
  Wish wish = Wish::kRun;
  std::string program;
  std::vector<std::string> args;  // with argv[0]
};

// Fails when our own part is wrong: an option `--fairlead-…` that does not
// exist, or a clang or a pass that is needed and missing.
Result<Command> ChooseArguments(const Invocation& invocation);

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_CHOOSE_H_
