// instrument/pass/module_record.h
//
// Transformation: the ELF note by which a runtime finds the tables, and the
// constructor by which a library opened later makes itself known. One of each
// per loaded module, whatever number of translation units it has.

#ifndef FAIRLEAD_INSTRUMENT_PASS_MODULE_RECORD_H_
#define FAIRLEAD_INSTRUMENT_PASS_MODULE_RECORD_H_

#include <llvm/IR/Module.h>

#include "instrument/pass/hook_table.h"

namespace fairlead::pass {

void AddModuleRecord(llvm::Module& module, const HookTable& hooks);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_MODULE_RECORD_H_
