#include "instrument/pass/compiled.h"

#include <dlfcn.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/GlobalValue.h>

#include <string>

namespace fairlead::pass {
namespace {

using namespace llvm;

// The C library as this process has it. Its names are many, and the ones that
// the program will run with.
bool IsOfCLibrary(const std::string& name) {
  static void* const libraries[] = {
      dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD),
      dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD)};
  for (void* library : libraries) {
    if (library == nullptr) continue;
    // With all that it needs: the dynamic linker.
    if (dlsym(library, name.c_str()) != nullptr) return true;
  }
  return false;
}

// Names of the C++ library and of the compiler's own, as far as these count
// nothing, wait for nothing and hand nothing over between threads, or do so by
// calls that the runtime models. Left out on purpose: all about exceptions that
// threads pass on to each other, whose references are counted unseen
// (exception_ptr, __cxa_end_catch), and locales.
constexpr StringLiteral kQuietBeginnings[] = {
#define FL_KNOWN_CALL(beginning) beginning,
#include "instrument/pass/known_calls.inc"
#undef FL_KNOWN_CALL
};

// `_ZSt24__throw_out_of_range_fmtPKcz` and its kin.
bool IsThrower(StringRef name) {
  if (!name.consume_front("_ZSt")) return false;
  name = name.drop_while(isDigit);
  return name.starts_with("__throw_");
}

bool LooksKnown(StringRef name) {
  for (const StringLiteral beginning : kQuietBeginnings) {
    if (name.starts_with(beginning)) return true;
  }
  return IsThrower(name) || IsOfCLibrary(name.str());
}

// Every call is asked about several times, and few names are called.
bool IsKnown(StringRef name) {
  static StringMap<bool> known;
  const auto [entry, fresh] = known.try_emplace(name, false);
  if (fresh) entry->second = LooksKnown(name);
  return entry->second;
}

}  // namespace

bool IsInstrumented(const Function& function) {
  return !function.isDeclaration() &&
         !function.hasFnAttribute(Attribute::Naked) &&
         !function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !function.getName().starts_with("__fl_");
}

bool MayLeaveCompiled(const CallBase& call) {
  const auto* callee =
      dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr) return true;
  // A coroutine has no frame, so what it calls is not seen.
  if (IsInstrumented(*callee)) return callee->isPresplitCoroutine();
  return !callee->isDeclaration() || !IsKnown(callee->getName());
}

bool MayBeEnteredFromElsewhere(const Function& function) {
  return !function.hasLocalLinkage() || function.hasAddressTaken();
}

bool MayBeEnteredByAddress(const Function& function) {
  return MayBeEnteredFromElsewhere(function) &&
         (!function.isDiscardableIfUnused() || function.hasAddressTaken());
}

}  // namespace fairlead::pass
