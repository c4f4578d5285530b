// instrument/pass/module_record.h
//
// Transformation: the ELF note by which a runtime finds the tables, and the
// constructor by which a library opened later makes itself known. One of each
// per loaded module, whatever number of translation units it has.

#ifndef FAIRLEAD_INSTRUMENT_PASS_MODULE_RECORD_H_
#define FAIRLEAD_INSTRUMENT_PASS_MODULE_RECORD_H_

#include <llvm/IR/Module.h>

#include "instrument/pass/stubs.h"

namespace fairlead::pass {

// `unit`: of this translation unit.
void AddModuleRecord(llvm::Module& module, Stubs& stubs,
                     llvm::GlobalVariable* unit);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_MODULE_RECORD_H_
