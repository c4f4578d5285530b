#include "explore/judge/library_bugs.h"

#include <fmt/format.h>

#include <algorithm>

namespace fairlead::explore {
namespace {

// A primitive whose futex is its count: nobody may sleep while that is not 0.
struct Counted {
  std::string_view function;  // begins with it
  std::string_view member;    // and has this in it
  std::string_view title;
};
constexpr Counted kCounted[] = {
    {"std::counting_semaphore<", "::acquire(",
     "std::counting_semaphore::acquire()"},
    {"std::__atomic_semaphore::", "_M_acquire(",
     "std::counting_semaphore::acquire()"},
};

const Counted* FindCounted(const std::vector<std::string>& functions) {
  for (const Counted& counted : kCounted) {
    const bool found =
        std::ranges::any_of(functions, [&](const std::string& function) {
          return function.starts_with(counted.function) &&
                 function.find(counted.member) != std::string::npos;
        });
    if (found) return &counted;
  }
  return nullptr;
}

}  // namespace

std::string LibraryBug(const abi::Outcome& outcome, const Stacks& stacks) {
  if (outcome.status != abi::Status::kDeadlock) return "";
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    const abi::WaitRecord& wait = outcome.waits[i];
    if (wait.op != abi::EventKind::kFutexWait || wait.word == 0) continue;
    const Counted* counted = FindCounted(stacks.FunctionsOf(wait.thread));
    if (counted == nullptr) continue;
    return fmt::format(
        "a bug of the C++ library, not of the program: {} sleeps though the "
        "count is {}",
        counted->title, wait.word);
  }
  return "";
}

}  // namespace fairlead::explore
