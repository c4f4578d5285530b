// instrument/pass/instrument.h
//
// The whole pass over one module: collect, name, write tables, transform. It
// runs at the start of the pipeline, before anything could merge or drop an
// access, and before inlining, so that a site belongs to the function it was
// written in.

#ifndef FAIRLEAD_INSTRUMENT_PASS_INSTRUMENT_H_
#define FAIRLEAD_INSTRUMENT_PASS_INSTRUMENT_H_

#include <llvm/IR/PassManager.h>

#include "instrument/pass/options.h"

namespace fairlead::pass {

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
 public:
  explicit InstrumentPass(Options options) : options_(std::move(options)) {}

  llvm::PreservedAnalyses run(llvm::Module& module,
                              llvm::ModuleAnalysisManager& analyses);

  // Also for functions that ask not to be optimised.
  static bool isRequired() { return true; }

 private:
  Options options_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_INSTRUMENT_H_
