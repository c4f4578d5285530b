#include "runtime/sites/portable.h"

#include "runtime/carrier/stacks.h"
#include "runtime/sites/modules.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {
namespace {

// In place of addresses that nobody knows, such as those on the stack that the
// kernel made. Unsound: two of them look the same.
constexpr uint64_t kUnknown = 0x5500'0000'0000;

}  // namespace

LastModule last_module;

uint64_t PortableAddress(uint64_t value) {
  if (const Module* module = FindModule(value)) {
    last_module = {.begin = module->begin,
                   .bytes = module->end - module->begin,
                   .shift = module->name_hash - module->base};
    return value + last_module.shift;
  }
  // The main thread's control block and thread-local variables.
  char* block = static_cast<char*>(main_thread->thread_pointer);
  const auto begin = reinterpret_cast<uint64_t>(TlsBegin(block));
  const auto end = reinterpret_cast<uint64_t>(TlsEnd(block));
  if (value >= begin && value < end) return kUnknown + (value - begin);
  return kUnknown;
}

}  // namespace fairlead::rt
