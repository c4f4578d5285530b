#include "runtime/model/regions.h"

#include <dlfcn.h>
#include <link.h>

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

// Of the C++ libraries of gcc and clang.
constexpr const char* kStreams[] = {
    "_ZSt3cin",        "_ZSt4cout",        "_ZSt4cerr",
    "_ZSt4clog",       "_ZSt4wcin",        "_ZSt5wcout",
    "_ZSt5wcerr",      "_ZSt5wclog",       "_ZNSt3__13cinE",
    "_ZNSt3__14coutE", "_ZNSt3__14cerrE",  "_ZNSt3__14clogE",
    "_ZNSt3__14wcinE", "_ZNSt3__15wcoutE", "_ZNSt3__15wcerrE",
    "_ZNSt3__15wclogE"};

// The standard streams may be used by several threads at once: the language
// says that it is no race.
void TellStreams(Thread& thread) {
  for (const char* name : kStreams) {
    void* stream = dlsym(RTLD_DEFAULT, name);
    if (stream == nullptr) continue;
    Dl_info found;
    void* symbol = nullptr;
    if (dladdr1(stream, &found, &symbol, RTLD_DL_SYMENT) == 0 ||
        symbol == nullptr) {
      continue;
    }
    emitter().Emit(thread, EventKind::kBenign, 0, stream,
                   static_cast<const ElfW(Sym)*>(symbol)->st_size);
  }
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
  if (num_told == 0) TellStreams(thread);
  for (; num_told < num_modules(); ++num_told) {
    const Module& module = module_at(num_told);
    Tell(thread, EventKind::kModuleData, abi::BlockClass::kGlobal,
         reinterpret_cast<const char*>(module.data_begin),
         reinterpret_cast<const char*>(module.data_end));
  }
}

}  // namespace fairlead::rt
