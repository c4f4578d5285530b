#include "runtime/intercept/causes.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/hook.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"

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

// A class with one public base at its begin, as the C++ ABI lays it out.
struct DerivedType : TypeName {
  const void* base;
};

template <typename T>
T Find(const char* symbol) {
  return reinterpret_cast<T>(dlsym(RTLD_DEFAULT, symbol));
}

// Whether std::exception is at the begin of objects of this type.
// Incomplete: says no when there is another base before it.
bool IsException(const void* type) {
  constexpr size_t kHeaderBytes = 16;  // of a vtable, before its functions
  const char* derived =
      Find<const char*>("_ZTVN10__cxxabiv120__si_class_type_infoE");
  if (derived == nullptr) return false;
  derived += kHeaderBytes;
  while (strcmp(NameOf(type), "St9exception") != 0) {
    if (static_cast<const TypeName*>(type)->vtable != derived) return false;
    type = static_cast<const DerivedType*>(type)->base;
  }
  return true;
}

// what() of the exception that is being handled, if it has one; else null.
// Assumes: libstdc++'s layout, which it checks as far as it can.
const char* MessageOf(const void* type) {
  constexpr size_t kHeaderBytes = 112;  // of a __cxa_exception
  constexpr size_t kWhat = 2;           // behind the two destructors
  auto globals = Find<void** (*)()>("__cxa_get_globals");
  if (globals == nullptr || !IsException(type)) return nullptr;
  char* caught = static_cast<char*>(globals()[0]);
  if (caught == nullptr || *reinterpret_cast<const void**>(caught) != type) {
    return nullptr;
  }
  void* object = caught + kHeaderBytes;
  using What = const char* (*)(const void*);
  return (*static_cast<What**>(object))[kWhat](object);
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
  Text kept(outcome.message, sizeof(outcome.message));
  const char* message = MessageOf(type);
  if (message == nullptr) return;
  kept.Put(message);
  text.Put(": ").Put(message);
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
