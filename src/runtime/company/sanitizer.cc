#include "runtime/company/sanitizer.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/company/code_range.h"
#include "runtime/company/patch.h"
#include "runtime/sys/environment.h"

namespace fairlead::rt {
namespace {

// Functions of the sanitizers, as <sanitizer/common_interface_defs.h> and
// <sanitizer/allocator_interface.h> declare them; null = not in the process.
struct Interface {
  void (*set_death_callback)(void (*)());
  int (*install_hooks)(decltype(SanitizerHooks::on_malloc),
                       decltype(SanitizerHooks::on_free));
  int (*ownership)(const volatile void* block);
  size_t (*allocated_size)(const volatile void*);
  void (*start_switch)(void** saved, const void* bottom, size_t bytes);
  void (*finish_switch)(void* saved, const void** bottom, size_t* bytes);
};
Interface interface;
bool has_address = false;
bool wants_leaks = false;
CodeRange own_code;

template <typename Function>
void Find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

bool IsOfSanitizer(const char* name) {
  static constexpr const char* kPrefixes[] = {
      "__asan_", "__sanitizer_",   "__ubsan_",
      "__lsan_", "__interceptor_", "___interceptor_"};
  for (const char* prefix : kPrefixes) {
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

}  // namespace

void MeetSanitizers(char** environment, const SanitizerHooks& hooks) {
  Find(interface.set_death_callback, "__sanitizer_set_death_callback");
  if (interface.set_death_callback == nullptr) return;
  void* address_begin = dlsym(RTLD_DEFAULT, "__asan_init");
  has_address = address_begin != nullptr;
  interface.set_death_callback(hooks.on_death);
  ReplaceEmptyFunction(dlsym(RTLD_DEFAULT, "__sanitizer_on_print"),
                       reinterpret_cast<void (*)()>(hooks.on_print));
  own_code = RangeOfFunctions(
      reinterpret_cast<void*>(interface.set_death_callback), IsOfSanitizer);
  if (!has_address) return;
  Find(interface.start_switch, "__sanitizer_start_switch_fiber");
  Find(interface.finish_switch, "__sanitizer_finish_switch_fiber");
  Find(interface.ownership, "__sanitizer_get_ownership");
  Find(interface.allocated_size, "__sanitizer_get_allocated_size");
  Find(interface.install_hooks, "__sanitizer_install_malloc_and_free_hooks");
  if (interface.install_hooks != nullptr) {
    interface.install_hooks(hooks.on_malloc, hooks.on_free);
  }
  const char* options = FindVariable(environment, "ASAN_OPTIONS");
  wants_leaks =
      options != nullptr && strstr(options, "detect_leaks=1") != nullptr;
}

bool HasAddressSanitizer() { return has_address; }
bool WantsLeaks() { return wants_leaks; }
bool InSanitizer(const void* pc) { return own_code.Holds(pc); }

size_t SizeOfBlock(const volatile void* block) {
  if (interface.ownership == nullptr || interface.allocated_size == nullptr) {
    return 0;
  }
  return interface.ownership(block) == 0 ? 0 : interface.allocated_size(block);
}

StackMove::StackMove(const char* begin, size_t bytes) {
  if (interface.start_switch == nullptr) return;
  interface.start_switch(&saved_, begin, bytes);
}

void StackMove::Arrived() {
  if (interface.finish_switch == nullptr) return;
  interface.finish_switch(nullptr, &old_begin_, &old_bytes_);
}

void StackMove::Leaving() {
  if (interface.start_switch == nullptr) return;
  interface.start_switch(nullptr, old_begin_, old_bytes_);
}

StackMove::~StackMove() {
  if (interface.finish_switch == nullptr) return;
  interface.finish_switch(saved_, nullptr, nullptr);
}

}  // namespace fairlead::rt
