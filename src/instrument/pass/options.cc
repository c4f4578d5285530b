#include "instrument/pass/options.h"

#include <llvm/Support/CommandLine.h>

namespace fairlead::pass {
namespace {

namespace cl = llvm::cl;

cl::opt<std::string> root_option(
    "fairlead-root", cl::value_desc("dir"),
    cl::desc("Directory that the file names of sites are relative to"));
cl::opt<DebugKept> debug_option(
    "fairlead-debug", cl::init(DebugKept::kFull),
    cl::values(clEnumValN(DebugKept::kFull, "full", "keep as it is"),
               clEnumValN(DebugKept::kLines, "lines", "keep line tables")),
    cl::desc("Debug information left after the types have been read"));
cl::opt<bool> ids_only_option(
    "fairlead-ids-only", cl::init(false),
    cl::desc("Mark sites with their ids and change nothing else"));
cl::opt<bool> accesses_option("fairlead-accesses", cl::init(true),
                              cl::desc("Instrument accesses"));
cl::opt<bool> frames_option("fairlead-frames", cl::init(true),
                            cl::desc("Instrument calls, entries and exits"));
cl::opt<bool> idle_copies_option(
    "fairlead-idle-copies", cl::init(true),
    cl::desc("Keep an untouched body beside each function"));

}  // namespace

Options OptionsFromCommandLine() {
  return {.root = root_option,
          .debug_kept = debug_option,
          .ids_only = ids_only_option,
          .accesses = accesses_option,
          .frames = frames_option,
          .idle_copies = idle_copies_option};
}

}  // namespace fairlead::pass
