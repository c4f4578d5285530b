#include "instrument/pass/rmw_value.h"

namespace fairlead::pass {

using namespace llvm;

Value* RmwValue(IRBuilder<>& at, AtomicRMWInst::BinOp op, Value* old,
                Value* operand) {
  Type* type = old->getType();
  const auto one = [&] { return ConstantInt::get(type, 1); };
  const auto zero = [&] { return Constant::getNullValue(type); };
  switch (op) {
    case AtomicRMWInst::Xchg:
      return operand;
    case AtomicRMWInst::Add:
      return at.CreateAdd(old, operand);
    case AtomicRMWInst::Sub:
      return at.CreateSub(old, operand);
    case AtomicRMWInst::And:
      return at.CreateAnd(old, operand);
    case AtomicRMWInst::Nand:
      return at.CreateNot(at.CreateAnd(old, operand));
    case AtomicRMWInst::Or:
      return at.CreateOr(old, operand);
    case AtomicRMWInst::Xor:
      return at.CreateXor(old, operand);
    case AtomicRMWInst::Max:
      return at.CreateSelect(at.CreateICmpSGT(old, operand), old, operand);
    case AtomicRMWInst::Min:
      return at.CreateSelect(at.CreateICmpSLE(old, operand), old, operand);
    case AtomicRMWInst::UMax:
      return at.CreateSelect(at.CreateICmpUGT(old, operand), old, operand);
    case AtomicRMWInst::UMin:
      return at.CreateSelect(at.CreateICmpULE(old, operand), old, operand);
    case AtomicRMWInst::FAdd:
      return at.CreateFAdd(old, operand);
    case AtomicRMWInst::FSub:
      return at.CreateFSub(old, operand);
    case AtomicRMWInst::FMax:
      return at.CreateMaxNum(old, operand);
    case AtomicRMWInst::FMin:
      return at.CreateMinNum(old, operand);
    case AtomicRMWInst::UIncWrap:
      return at.CreateSelect(at.CreateICmpUGE(old, operand), zero(),
                             at.CreateAdd(old, one()));
    case AtomicRMWInst::UDecWrap: {
      Value* wraps = at.CreateOr(at.CreateICmpEQ(old, zero()),
                                 at.CreateICmpUGT(old, operand));
      return at.CreateSelect(wraps, operand, at.CreateSub(old, one()));
    }
    case AtomicRMWInst::BAD_BINOP:
      break;
  }
  return operand;
}

}  // namespace fairlead::pass
