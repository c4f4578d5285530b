#include "runtime/gate/stack_writer.h"

#include <string.h>

#include "abi/control.h"
#include "runtime/carrier/context.h"
#include "runtime/gate/gate.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// Of one thread: some hundred frames of ordinary functions. All of kMaxStacks
// fit.
constexpr uint64_t kRoom = 32 << 10;

// DWARF's numbers of the registers (System V ABI, figure 3.36).
enum Register { kRbx = 3, kRbp = 6, kRsp = 7, kR12 = 12, kRip = 16 };

uint64_t Word(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// Where __fl_switch has left a fiber.
void FromFiber(const Thread& thread, uint64_t* registers) {
  const auto* saved = static_cast<const SavedRegisters*>(thread.stack_pointer);
  registers[kRbx] = Word(saved->rbx);
  registers[kRbp] = Word(saved->rbp);
  registers[kRsp] = Word(saved + 1);
  registers[kR12] = Word(saved->r12);
  registers[kR12 + 1] = Word(saved->r13);
  registers[kR12 + 2] = Word(saved->r14);
  registers[kR12 + 3] = Word(saved->r15);
  registers[kRip] = reinterpret_cast<uint64_t>(saved->resume);
}

void FromMachine(const ucontext_t& machine, uint64_t* registers) {
  // By DWARF's numbers.
  constexpr int kOrder[abi::kNumStackRegisters] = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
      REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
      REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (size_t i = 0; i < abi::kNumStackRegisters; ++i) {
    registers[i] = static_cast<uint64_t>(machine.uc_mcontext.gregs[kOrder[i]]);
  }
}

// Adds a record whose registers are filled.
void Add(abi::ControlPage& page, const Thread& thread,
         abi::StackRecord& record) {
  abi::Region& bytes = page.region(abi::RegionId::kStackBytes);
  const uint64_t from = record.registers[kRsp];
  // A stack that overflowed, or one that the program has made itself, may not
  // be there to be read.
  if (from >= Word(thread.stack_limit) && from < Word(thread.stack_top)) {
    uint64_t number = Word(thread.stack_top) - from;
    if (number > kRoom) number = kRoom;
    if (number > bytes.capacity - bytes.used) {
      number = bytes.capacity - bytes.used;
    }
    record.offset = bytes.used;
    record.bytes = static_cast<uint32_t>(number);
    memcpy(page.entries<char>(abi::RegionId::kStackBytes) + bytes.used,
           reinterpret_cast<const void*>(from), number);
    bytes.used += number;
  }
  record.thread = thread.tid;
  abi::Region& stacks = page.region(abi::RegionId::kStacks);
  page.entries<abi::StackRecord>(abi::RegionId::kStacks)[stacks.used] = record;
  // Pairs with the tool's acquire load: record and bytes are whole.
  __atomic_store_n(&stacks.used, stacks.used + 1, __ATOMIC_RELEASE);
}

}  // namespace

void KeepStacks(const Thread& running, const ucontext_t* machine) {
  abi::ControlPage& page = *control_page();
  const abi::Region& stacks = page.region(abi::RegionId::kStacks);
  if (stacks.used != 0 || stacks.capacity == 0) return;
  abi::StackRecord record = {};
  if (machine != nullptr) {
    FromMachine(*machine, record.registers);
  } else {
    __fl_registers(record.registers);
  }
  Add(page, running, record);
  if (page.outcome.carrier != abi::CarrierId::kFiber) return;
  for (size_t i = 0; i < gate().num_live(); ++i) {
    const Thread& thread = gate().live(i);
    if (&thread == &running || thread.stack_pointer == nullptr) continue;
    if (stacks.used == stacks.capacity) return;
    record = {};
    FromFiber(thread, record.registers);
    Add(page, thread, record);
  }
}

}  // namespace fairlead::rt
