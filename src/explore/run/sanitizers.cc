#include "explore/run/sanitizers.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace fairlead::explore {
namespace {

// Those that cannot share a process with us, by what shows them.
struct Rival {
  std::string_view symbol;   // defined when it is linked in
  std::string_view library;  // how its shared library's name begins
  std::string_view name;
  std::string_view flag;
};
constexpr Rival kRivals[] = {
    {"__tsan_init", "libtsan.so", "ThreadSanitizer", "thread"},
    {"__msan_init", "libclang_rt.msan", "MemorySanitizer", "memory"},
    {"__hwasan_init", "libhwasan.so", "HWAddressSanitizer", "hwaddress"},
    {"__dfsan_init", "libclang_rt.dfsan", "DataFlowSanitizer", "dataflow"},
};

// Only since clang 17 does a thread's creator not wait in a loop of its own for
// the new thread to begin; the name is as old as that.
constexpr std::string_view kRecentAddress =
    "__interceptor_trampoline_pthread_create";

Error Refuse(const std::string& path, std::string_view what) {
  return Error(ErrorCode::kUnsupportedProgram).Say("{} {}", path, what);
}

bool AnyBegins(const std::vector<std::string>& names, std::string_view begin) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return name.starts_with(begin); });
}

}  // namespace

std::vector<std::string> Sanitizers::Names() const {
  std::vector<std::string> names;
  if (address) names.emplace_back("address");
  if (undefined) names.emplace_back("undefined");
  return names;
}

Result<Sanitizers> FindSanitizers(const std::string& path,
                                  const ElfImage& image) {
  const std::vector<ElfSymbol> symbols = image.Symbols();
  const std::vector<std::string> needed = image.Needed();
  std::set<std::string_view> defined;
  for (const ElfSymbol& symbol : symbols) {
    if (symbol.name.starts_with("__")) defined.insert(symbol.name);
  }
  for (const Rival& rival : kRivals) {
    if (!defined.contains(rival.symbol) && !AnyBegins(needed, rival.library)) {
      continue;
    }
    return Refuse(path, fmt::format("is built with {}, which follows threads "
                                    "and memory itself",
                                    rival.name))
        .Hint("build it without -fsanitize={}, with CC=fairlead-cc",
              rival.flag);
  }
  if (AnyBegins(needed, "libasan.so") ||
      AnyBegins(needed, "libclang_rt.asan")) {
    return Refuse(path,
                  "is built with AddressSanitizer as a shared library (gcc's, "
                  "or clang's -shared-libasan), which must be loaded before "
                  "everything else, as we must")
        .Hint(
            "build it with clang -fsanitize=address, or with "
            "CC=fairlead-cc and the same flag");
  }
  Sanitizers found = {
      .address = defined.contains("__asan_init"),
      .undefined = defined.contains("__ubsan_handle_add_overflow") ||
                   AnyBegins(needed, "libubsan.so")};
  // AddressSanitizer brings the handlers along, whether used or not.
  if (found.address && !defined.contains(kRecentAddress)) {
    return Refuse(path,
                  "is built with AddressSanitizer of gcc or of clang before "
                  "17, which waits in a loop for each new thread to begin")
        .Hint("build it with clang 17 or later, or with CC=fairlead-cc");
  }
  return found;
}

void SetSanitizerOptions(const Sanitizers& sanitizers,
                         std::vector<std::string>& environment) {
  if (!sanitizers.address) return;
  constexpr std::string_view kName = "ASAN_OPTIONS=";
  // It would unmap, at the end of a thread, the signal stack that it found at
  // its beginning: ours. The last setting counts.
  constexpr std::string_view kOwn = "use_sigaltstack=0";
  for (std::string& variable : environment) {
    if (!variable.starts_with(kName)) continue;
    if (variable.size() > kName.size()) variable += ":";
    variable += kOwn;
    return;
  }
  environment.push_back(fmt::format("{}{}", kName, kOwn));
}

}  // namespace fairlead::explore
