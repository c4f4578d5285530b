// explore/names/crash_place.h
//
// Where in the program a fault is, also when it happened in code that the
// program called: in our runtime, which stands for its primitives and its heap,
// or in the C and C++ libraries. Whoever handed them a pointer to nothing is to
// look at the call.

#ifndef FAIRLEAD_EXPLORE_NAMES_CRASH_PLACE_H_
#define FAIRLEAD_EXPLORE_NAMES_CRASH_PLACE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "explore/run/execution.h"

namespace fairlead::explore {

// Whose code an address is in.
enum class CodeOwner {
  kProgram,  // or a library of its
  kLibrary,  // the C or C++ library
  kOurs,     // the runtime's
  kNobodys,
};
CodeOwner OwnerOf(uint64_t address,
                  const std::vector<abi::ModuleEntry>& modules);

struct CrashPlace {
  uint64_t address = 0;  // in code of the program; 0 = not known
  // What it called there, if the fault is not in its own code.
  CodeOwner owner = CodeOwner::kProgram;
  std::string call = {};  // "pthread_mutex_unlock"; "" = not known
};

// Of an execution that a signal ended. Unwinds a stack where it must.
CrashPlace CrashPlaceOf(const Executed& executed);

// What a thread does that calls `function`, behind its name: "unlocks a mutex".
std::string WordsOfCall(std::string_view function);

// Whether `function` of our runtime is one that the compiler put there, and not
// one that the program calls: what it did is an access of the program's own.
bool IsAccessHook(std::string_view function);

// Whether these words are better than the function's name.
bool IsToldCall(std::string_view function);

// Whether that is a function by which a program sends itself a signal.
bool SendsSignals(std::string_view function);

// The way to a fault at `address`: "through a null pointer".
std::string WordsOfPointer(uint64_t address);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_CRASH_PLACE_H_
