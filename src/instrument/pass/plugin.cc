// The plugin's entry: puts the pass at the start of clang's pipeline, and gives
// it the name `fairlead` for `opt -passes=`.

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "instrument/pass/instrument.h"

namespace {

using fairlead::pass::InstrumentPass;
using fairlead::pass::OptionsFromCommandLine;

void Register(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(InstrumentPass(OptionsFromCommandLine()));
      });
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::ModulePassManager& passes,
         llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name != "fairlead") return false;
        passes.addPass(InstrumentPass(OptionsFromCommandLine()));
        return true;
      });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Fairlead", "1", Register};
}
