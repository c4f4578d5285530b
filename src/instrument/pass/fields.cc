#include "instrument/pass/fields.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

struct Step {
  uint64_t bytes = 0;     // added by the indices behind the first
  uint64_t leading = 0;   // added by the first index
  bool variable = false;  // an index behind the first is not constant
  bool leading_variable = false;
};

Step StepOf(const GEPOperator& gep, const DataLayout& sizes) {
  Step step;
  bool first = true;
  for (gep_type_iterator it = gep_type_begin(gep), end = gep_type_end(gep);
       it != end; ++it, first = false) {
    const auto* index = dyn_cast<ConstantInt>(it.getOperand());
    if (index == nullptr) {
      (first ? step.leading_variable : step.variable) = true;
      continue;
    }
    if (StructType* type = it.getStructTypeOrNull()) {
      step.bytes +=
          sizes.getStructLayout(type)->getElementOffset(index->getZExtValue());
      continue;
    }
    const uint64_t bytes =
        index->getSExtValue() *
        sizes.getTypeAllocSize(it.getIndexedType()).getKnownMinValue();
    (first ? step.leading : step.bytes) += bytes;
  }
  return step;
}

// The struct that an object itself is, if its declaration says so.
StructType* DeclaredStruct(const Value* object) {
  if (const auto* global = dyn_cast<GlobalVariable>(object)) {
    return dyn_cast<StructType>(global->getValueType());
  }
  if (const auto* local = dyn_cast<AllocaInst>(object)) {
    return dyn_cast<StructType>(local->getAllocatedType());
  }
  return nullptr;
}

// What a field with an annotate attribute is the address of; null for anything
// else.
const Value* BehindAnnotation(const Value* value) {
  const auto* call = dyn_cast<IntrinsicInst>(value);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::ptr_annotation
             ? call->getArgOperand(0)
             : nullptr;
}

}  // namespace

FieldPath FieldPathOf(const Value* address, const DataLayout& sizes) {
  FieldPath path;
  uint64_t offset = 0;  // from the current value to `address`
  bool indexed = false;
  bool annotated = false;
  const Value* value = address;
  while (true) {
    if (const Value* plain = BehindAnnotation(value)) {
      annotated = true;
      value = plain;
      continue;
    }
    const auto* gep = dyn_cast<GEPOperator>(value);
    if (gep == nullptr) break;
    const Step step = StepOf(*gep, sizes);
    offset += step.bytes;
    indexed |= step.variable;
    auto* type = dyn_cast<StructType>(gep->getSourceElementType());
    if (type != nullptr && !type->isLiteral()) {
      path = {.layout = type, .offset = offset, .indexed = indexed};
    }
    // Behind a first index other than 0 lies an array of what was named.
    if (step.leading != 0 || step.leading_variable) {
      offset += step.leading;
      indexed |= step.leading_variable;
    }
    value = gep->getPointerOperand();
  }
  if (StructType* type = DeclaredStruct(value);
      type != nullptr && !type->isLiteral() &&
      (path.layout == nullptr ||
       offset < sizes.getTypeAllocSize(type).getKnownMinValue())) {
    path = {.layout = type, .offset = offset, .indexed = indexed};
  }
  path.annotated = annotated;
  path.base = value;
  return path;
}

}  // namespace fairlead::pass
