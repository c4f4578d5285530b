#include "instrument/pass/plain_event.h"

#include <llvm/IR/MDBuilder.h>

#include "abi/access_event.h"
#include "abi/hooks.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::Event;
using abi::ThreadSlot;

// The word at ThreadSlot::thread is the beginning of an event: its thread, and
// with `at_point` the flag that says so.
static_assert(offsetof(ThreadSlot, inside) == offsetof(ThreadSlot, thread) + 2);
static_assert(offsetof(ThreadSlot, at_point) ==
              offsetof(ThreadSlot, thread) + 3);
static_assert(uint64_t{abi::kFlagPoint} << 16 == uint64_t{1} << 24);
constexpr uint64_t kInside = 0xff0000;

Value* LoadWord(IRBuilder<>& at, Value* slot, uint64_t offset) {
  return at.CreateLoad(at.getInt64Ty(), FieldOf(at, slot, offset));
}

}  // namespace

bool IsPlain(const Site& site, const Frame& frame) {
  if (frame.slot() == nullptr || site.size >= abi::kSizeExtended) return false;
  // A library's code is large and seldom of interest: a call is smaller.
  if ((site.flags & abi::kSiteLibrary) != 0) return false;
  return isa<LoadInst>(site.at) || isa<StoreInst>(site.at);
}

Instruction* TellPlainly(const Site& site, Value* value, Value* instructions,
                         const Frame& frame, Instruction* at) {
  LLVMContext& context = at->getContext();
  BasicBlock* head = at->getParent();
  BasicBlock* join = at->getSuccessor(0);
  Function* function = head->getParent();
  const auto block = [&] {
    return BasicBlock::Create(context, "", function, join);
  };
  BasicBlock *look = block(), *plain = block(), *hook = block();
  MDNode* likely = MDBuilder(context).createLikelyBranchWeights();
  Value* slot = frame.slot();

  IRBuilder<> starting(at);
  starting.CreateCondBr(starting.CreateIsNotNull(slot), look, hook, likely);
  at->eraseFromParent();

  IRBuilder<> looking(look);
  Value* room = LoadWord(looking, slot, offsetof(ThreadSlot, told));
  Value* end = LoadWord(looking, slot, offsetof(ThreadSlot, told_end));
  Value* call = LoadWord(looking, slot, offsetof(ThreadSlot, call));
  Value* who = looking.CreateZExt(
      looking.CreateLoad(looking.getInt32Ty(),
                         FieldOf(looking, slot, offsetof(ThreadSlot, thread))),
      looking.getInt64Ty());
  Value* total = looking.CreateAdd(
      LoadWord(looking, slot, offsetof(ThreadSlot, instructions)),
      instructions);
  Value* since = looking.CreateSub(
      total, LoadWord(looking, slot, offsetof(ThreadSlot, told_at)));
  // Each of these is 0 when it is well. The highest number of instructions
  // says that there were more, so it is far too.
  Value* busy = looking.CreateAnd(who, looking.getInt64(kInside));
  Value* far = looking.CreateLShr(
      looking.CreateOr(since, looking.CreateAdd(since, looking.getInt64(1))),
      16);
  Value* well = looking.CreateICmpEQ(
      looking.CreateOr(looking.CreateOr(busy, call), far), looking.getInt64(0));
  looking.CreateCondBr(looking.CreateAnd(well, looking.CreateICmpNE(room, end)),
                       plain, hook, likely);

  IRBuilder<> telling(plain);
  telling.SetCurrentDebugLocation(site.at->getDebugLoc());
  const uint64_t header = abi::EventHeader(
      abi::EventFlags(site.kind, site.order, site.flags),
      abi::EventOf(site.kind), static_cast<uint8_t>(site.size));
  Value* first =
      telling.CreateOr(telling.CreateOr(who, telling.getInt64(header)),
                       telling.CreateShl(since, 48));
  Value* number =
      telling.CreateZExt(telling.CreateLoad(telling.getInt32Ty(), site.number),
                         telling.getInt64Ty());
  Value* node = telling.CreateShl(
      telling.CreateZExt(telling.CreateLoad(telling.getInt32Ty(), slot),
                         telling.getInt64Ty()),
      32);
  Value* record = telling.CreateIntToPtr(room, telling.getPtrTy());
  telling.CreateStore(first, record);
  telling.CreateStore(telling.CreateOr(number, node),
                      FieldOf(telling, record, offsetof(Event, site)));
  telling.CreateStore(
      telling.CreatePtrToInt(site.address, telling.getInt64Ty()),
      FieldOf(telling, record, offsetof(Event, address)));
  telling.CreateStore(value, FieldOf(telling, record, offsetof(Event, value)));
  telling.CreateStore(total,
                      FieldOf(telling, slot, offsetof(ThreadSlot, told_at)));
  telling.CreateStore(telling.CreateAdd(room, telling.getInt64(sizeof(Event))),
                      FieldOf(telling, slot, offsetof(ThreadSlot, told)));
  // All of the word, not `at_point` alone: what is read next must come from one
  // store.
  telling.CreateStore(
      telling.CreateTrunc(telling.CreateAnd(who, telling.getInt64(0xffff)),
                          telling.getInt32Ty()),
      FieldOf(telling, slot, offsetof(ThreadSlot, thread)));
  telling.CreateBr(join);

  IRBuilder<> calling(hook);
  return calling.CreateBr(join);
}

}  // namespace fairlead::pass
