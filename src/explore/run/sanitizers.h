// explore/run/sanitizers.h
//
// Sanitizers that the program was built with, found in its file: which of them
// can share a process with our runtime, and what they must be told. The other
// half is runtime/company/sanitizer.h; docs/design/company.md explains both.

#ifndef FAIRLEAD_EXPLORE_RUN_SANITIZERS_H_
#define FAIRLEAD_EXPLORE_RUN_SANITIZERS_H_

#include <string>
#include <vector>

#include "base/elf_image.h"
#include "base/result.h"

namespace fairlead::explore {

struct Sanitizers {
  bool address = false;    // AddressSanitizer
  bool undefined = false;  // UndefinedBehaviorSanitizer

  // "address", "undefined"; empty = none.
  std::vector<std::string> Names() const;
};

// Those in the program at `path`. Refuses, with what to do, the ones that want
// to control memory or threads as we do (thread, memory, hwaddress), and
// AddressSanitizer of gcc, of clang before 17, or as a shared library.
Result<Sanitizers> FindSanitizers(const std::string& path,
                                  const ElfImage& image);

// Adds to `environment` what the sanitizers must do otherwise than usual. What
// the user has set stays, where it does not contradict.
void SetSanitizerOptions(const Sanitizers& sanitizers,
                         std::vector<std::string>& environment);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_SANITIZERS_H_
