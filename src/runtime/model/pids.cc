#include "runtime/model/pids.h"

#include "runtime/gate/gate.h"
#include "runtime/gate/inputs.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

struct Process {
  long told;
  long real;
};
// The last so many; earlier ones are rarely spoken of.
constexpr size_t kMostKept = 256;
Process processes[kMostKept];
size_t num_processes = 0;

int told_own = 0;  // 0 = nobody has asked yet
int real_own = 0;  // when that was; a process that was forked has another

// Schedules of before do not have these inputs.
const abi::InputRecord* TakePid(Tid tid) {
  if (!inputs().fed()) return nullptr;
  const abi::InputRecord* next = inputs().Peek(tid);
  if (next == nullptr || next->kind != abi::InputKind::kPid) return nullptr;
  return inputs().Take(tid, abi::InputKind::kPid);
}

long Told(Tid tid, long real) {
  const abi::InputRecord* record = TakePid(tid);
  if (record != nullptr) return static_cast<long>(record->value);
  inputs().Record(tid, abi::InputKind::kPid, static_cast<uint64_t>(real));
  return real;
}

}  // namespace

long ToldPid(const Thread& thread, long real) {
  if (real <= 0) return real;
  const long told = Told(thread.tid, real);
  processes[num_processes++ % kMostKept] = {told, real};
  return told;
}

int OwnPid() {
  const int real = sys::GetPid();
  const Thread* asker = gate().running();
  if (asker == nullptr) return real;
  if (real_own != real) {
    real_own = real;
    told_own = static_cast<int>(Told(asker->tid, real));
  }
  return told_own;
}

long RealPid(long told) {
  const long id = told < 0 ? -told : told;
  long real = id;
  if (told_own != 0 && id == told_own) real = real_own;
  const size_t kept = num_processes < kMostKept ? num_processes : kMostKept;
  for (size_t i = 0; i < kept; ++i) {
    if (processes[i].told == id) real = processes[i].real;
  }
  return told < 0 ? -real : real;
}

long KnownPid(long real) {
  if (real_own != 0 && real == real_own) return told_own;
  const size_t kept = num_processes < kMostKept ? num_processes : kMostKept;
  for (size_t i = 0; i < kept; ++i) {
    if (processes[i].real == real) return processes[i].told;
  }
  return real;
}

bool IsOwnMaking(long told) {
  if (told < 0) told = -told;
  if (told == OwnPid()) return true;
  const size_t kept = num_processes < kMostKept ? num_processes : kMostKept;
  for (size_t i = 0; i < kept; ++i) {
    if (processes[i].told == told) return true;
  }
  return false;
}

}  // namespace fairlead::rt
