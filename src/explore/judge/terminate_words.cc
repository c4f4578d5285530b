#include "explore/judge/terminate_words.h"

#include <algorithm>

namespace fairlead::explore {
namespace {

using Functions = std::vector<std::string>;

bool Has(const Functions& functions, std::string_view begin) {
  return std::ranges::any_of(functions, [&](const std::string& function) {
    return function.starts_with(begin);
  });
}

// Compilers call this where an exception may not pass.
bool IsStoppedOnItsWay(const Functions& functions) {
  return Has(functions, "__clang_call_terminate") ||
         Has(functions, "__cxa_call_terminate");
}

// Called outside of any exception.
std::string WithoutException(const Functions& functions) {
  if (Has(functions, "std::thread::~thread") ||
      Has(functions, "std::thread::operator=")) {
    return "that is std::terminate: a std::thread was destroyed, or assigned "
           "to, before it was joined or detached";
  }
  if (Has(functions, "__cxa_rethrow")) {
    return "that is std::terminate: `throw;` where no exception is handled";
  }
  return "that is std::terminate, called while no exception is handled: by the "
         "program itself, or for a std::thread that was destroyed, or assigned "
         "to, before it was joined or detached";
}

}  // namespace

std::string WhyTerminated(finding::Kind kind, std::string_view said,
                          const Functions& functions) {
  if (kind == finding::Kind::kUncaught) {
    return IsStoppedOnItsWay(functions)
               ? "the exception came to where none may pass: the end of a "
                 "function that is noexcept, as destructors are, or of a "
                 "destructor that runs for another exception"
               : "";
  }
  if (kind != finding::Kind::kAbort) return "";
  if (said == "pure virtual method called") {
    return "that is a virtual function of an object whose constructor or "
           "destructor is running, in a base class that does not define it: "
           "most likely one thread destroys, or still makes, the object that "
           "another one uses";
  }
  if (said == "deleted virtual method called") {
    return "that is a virtual function that the object's class has deleted";
  }
  return said == "terminate called without an active exception"
             ? WithoutException(functions)
             : "";
}

}  // namespace fairlead::explore
