#include "finding/thread_path.h"

#include "abi/target.h"
#include "base/text.h"

namespace fairlead::finding {

std::optional<uint64_t> ThreadPathOf(std::string_view role) {
  const std::vector<std::string_view> parts = Split(role, '/');
  constexpr size_t kDeepest = 32;
  if (parts.front() != "main" || parts.size() > kDeepest) return {};
  uint64_t path = abi::kMainPath;
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::optional<uint64_t> ordinal = ParseNumber(parts[i]);
    if (!ordinal || *ordinal == 0 || *ordinal > 0xffff) return {};
    path = abi::ChildPath(path, *ordinal);
  }
  return path;
}

}  // namespace fairlead::finding
