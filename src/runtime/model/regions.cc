#include "runtime/model/regions.h"

#include "runtime/alloc/heap.h"
#include "runtime/carrier/stacks.h"
#include "runtime/emit/emitter.h"
#include "runtime/sites/modules.h"

namespace fairlead::rt {
namespace {

size_t num_told = 0;  // of the modules

void Tell(Thread& thread, EventKind kind, abi::BlockClass block_class,
          const char* begin, const char* end) {
  if (begin >= end) return;
  emitter().Emit(thread, kind, 0, begin, static_cast<uint64_t>(end - begin),
                 {.kind = EventKind::kExtBlock,
                  .address = 0,
                  .value = NumberBlock(),
                  .site = static_cast<uint32_t>(block_class),
                  .node = 0});
}

}  // namespace

void TellStack(Thread& thread) {
  Tell(thread, EventKind::kStack, abi::BlockClass::kStack, thread.stack_limit,
       thread.stack_top);
}

void TellTls(Thread& thread) {
  char* block = static_cast<char*>(thread.thread_pointer);
  Tell(thread, EventKind::kTls, abi::BlockClass::kTls, TlsBegin(block),
       TlsEnd(block));
}

void TellModules(Thread& thread) {
  for (; num_told < num_modules(); ++num_told) {
    const Module& module = module_at(num_told);
    Tell(thread, EventKind::kModuleData, abi::BlockClass::kGlobal,
         reinterpret_cast<const char*>(module.data_begin),
         reinterpret_cast<const char*>(module.data_end));
  }
}

}  // namespace fairlead::rt
