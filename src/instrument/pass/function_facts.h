// instrument/pass/function_facts.h
//
// What a function record says: name, class, constructor or destructor, static,
// lambda, `this` and pointer parameters. From debug information where there is
// some, else from the linkage name.

#ifndef FAIRLEAD_INSTRUMENT_PASS_FUNCTION_FACTS_H_
#define FAIRLEAD_INSTRUMENT_PASS_FUNCTION_FACTS_H_

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include <string>

#include "instrument/pass/source_text.h"
#include "instrument/pass/types.h"

namespace fairlead::pass {

struct Param {
  const llvm::DICompositeType* pointee = nullptr;
  unsigned index = 0;  // among the source's parameters; `this` is 0
};

struct FunctionFacts {
  uint64_t id = 0;
  std::string name;
  const llvm::DIFile* file = nullptr;
  unsigned line = 0;
  const llvm::DICompositeType* type = nullptr;
  uint16_t flags = 0;                                // abi::FunctionFlag
  llvm::SmallVector<Param, 4> params;                // pointer parameters
  llvm::SmallVector<unsigned, 4> pointer_arguments;  // their IR arguments
};

FunctionFacts FactsOf(const llvm::Function& function,
                      const TypeCatalogue& types, SourceText& sources);

// The argument that is `this`; null if there is none, or it is not known.
const llvm::Argument* ThisOf(const llvm::Function& function);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_FUNCTION_FACTS_H_
