// instrument/pass/fields.h
//
// Which field of which struct an address denotes, read from the address
// computation: type-based alias tags exist only at -O1 and above, the
// computation at every level.
//
// The struct is the outermost one that the computation names; a variable index
// on the way counts as 0 and is noted (`indexed`).

#ifndef FAIRLEAD_INSTRUMENT_PASS_FIELDS_H_
#define FAIRLEAD_INSTRUMENT_PASS_FIELDS_H_

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Value.h>

#include <cstdint>

namespace fairlead::pass {

struct FieldPath {
  llvm::StructType* layout = nullptr;  // null = no struct is named
  uint64_t offset = 0;                 // bytes from the start of `layout`
  bool indexed = false;
  bool annotated = false;             // an annotate attribute stands on the way
  const llvm::Value* base = nullptr;  // what the address is computed from
};

FieldPath FieldPathOf(const llvm::Value* address,
                      const llvm::DataLayout& sizes);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_FIELDS_H_
