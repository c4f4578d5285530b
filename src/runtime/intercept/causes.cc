#include "runtime/intercept/causes.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/intercept/hook.h"
#include "runtime/intercept/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

char assertion[512];  // of the thread that fails first; "" = none

// The head of a std::type_info, as the C++ ABI lays it out.
struct TypeName {
  const void* vtable;
  const char* name;  // mangled; a leading '*' is not part of it
};

const char* NameOf(const void* type) {
  const char* name = static_cast<const TypeName*>(type)->name;
  return *name == '*' ? name + 1 : name;
}

}  // namespace

namespace fairlead::rt {

void PutAbortCause(Text& text, Thread& thread) {
  abi::Outcome& outcome = control_page()->outcome;
  if (assertion[0] != '\0') {
    text.Put(": ").Put(assertion);
    outcome.abort_cause = abi::AbortCause::kAssertion;
    Text(outcome.cause, sizeof(outcome.cause)).Put(assertion);
    return;
  }
  // std::terminate makes the exception that nobody caught the current one.
  using CurrentType = void* (*)();
  auto current = reinterpret_cast<CurrentType>(
      dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const void* type = current == nullptr ? nullptr : current();
  if (type == nullptr) return;
  const char* name = NameOf(type);
  emitter().EmitNamed(thread, EventKind::kUncaught, nullptr, name,
                      strlen(name));
  text.Put(": nobody catches the exception of type ").Put(name);
  outcome.abort_cause = abi::AbortCause::kUncaught;
  Text(outcome.cause, sizeof(outcome.cause)).Put(name);
}

}  // namespace fairlead::rt

extern "C" FL_HOOK void __assert_fail(const char* expression, const char* file,
                                      unsigned line, const char* function) {
  {
    HookScope hook(FL_CALLER);
    if (hook.controlled() && assertion[0] == '\0') {
      hook.thread().place = hook.place();
      emitter().EmitNamed(hook.thread(), EventKind::kAssertion, nullptr,
                          expression, strlen(expression));
      Text text(assertion, sizeof(assertion));
      text.Put("assertion ").Put(expression).Put(" failed at ").Put(file);
      text.Put(':').Decimal(line);
    }
  }
  real().__assert_fail(expression, file, line, function);
}

// In libstdc++ or libc++, if the program has one.
extern "C" FL_HOOK void __cxa_throw(void* object, void* type,
                                    void (*destructor)(void*)) {
  {
    HookScope hook(FL_CALLER);
    if (hook.controlled()) {
      hook.thread().place = hook.place();
      const char* name = NameOf(type);
      emitter().EmitNamed(hook.thread(), EventKind::kThrow, object, name,
                          strlen(name));
    }
  }
  using Throw = void (*)(void*, void*, void (*)(void*));
  reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"))(object, type,
                                                           destructor);
}
