// runtime/sys/look.h
//
// Reads of memory that the program names and that need not be there. A fault
// in such a read is ours and not the program's: it is never seen by its
// handlers, and says no more than that there is nothing to see. The program's
// own access comes to the same fault, at its own place.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_LOOK_H_
#define FAIRLEAD_RUNTIME_SYS_LOOK_H_

#include <stdint.h>
#include <ucontext.h>

namespace fairlead::rt {

// Returned in two registers.
struct Look {
  uint64_t value;  // zero-extended; 0 where nothing was seen
  uint64_t seen;   // 1, or 0: the memory cannot be read
  friend bool operator==(const Look&, const Look&) = default;
};
static_assert(sizeof(Look) == 16);

}  // namespace fairlead::rt

extern "C" {
#define HIDDEN __attribute__((visibility("hidden")))
// Of look.S, and the edges of its section.
HIDDEN fairlead::rt::Look __fl_look(const void* address, uint32_t size);
HIDDEN extern const char __fl_look_failed[];
HIDDEN extern const char __start_fl_look[];
HIDDEN extern const char __stop_fl_look[];
#undef HIDDEN
}  // extern "C"

namespace fairlead::rt {

// The `size` bytes at `address`: 1, 2, 4 or 8; of any other size, the first.
inline Look LookAt(const void* address, uint32_t size) {
  return __fl_look(address, size);
}

// For our handler of faults: true when `machine` has faulted in a look, which
// then ends with nothing seen.
inline bool AnswersForLook(ucontext_t& machine) {
  greg_t& pc = machine.uc_mcontext.gregs[REG_RIP];
  if (pc < reinterpret_cast<greg_t>(__start_fl_look) ||
      pc >= reinterpret_cast<greg_t>(__stop_fl_look)) {
    return false;
  }
  pc = reinterpret_cast<greg_t>(__fl_look_failed);
  return true;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_LOOK_H_
