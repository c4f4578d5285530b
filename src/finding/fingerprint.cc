#include "finding/fingerprint.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/digest.h"

namespace fairlead::finding {
namespace {

std::string_view FileName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string NameOf(const Where& where) {
  if (where.anchor != 0) return fmt::format("@{:x}", where.anchor);
  return fmt::format("{} {}", where.function, FileName(where.place.file));
}

bool IsWordLetter(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string WithoutNumbers(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (!IsDigit(text[i])) {
      const bool word = IsWordLetter(text[i]);
      result += text[i++];
      while (word && i < text.size() &&
             (IsWordLetter(text[i]) || IsDigit(text[i]))) {
        result += text[i++];
      }
      continue;
    }
    while (i < text.size() && (IsWordLetter(text[i]) || IsDigit(text[i]))) ++i;
    result += '#';
  }
  return result;
}

uint64_t Fingerprint(Kind kind, std::string_view cause,
                     const std::vector<Where>& sites) {
  std::vector<std::string> names;
  for (const Where& site : sites) names.push_back(NameOf(site));
  std::ranges::sort(names);
  const auto twice = std::ranges::unique(names);
  names.erase(twice.begin(), twice.end());
  std::string all =
      fmt::format("{}\n{}\n", WordOf(kind), WithoutNumbers(cause));
  for (const std::string& name : names) all += name + "\n";
  return DigestOf(all);
}

uint64_t Fingerprint(Kind kind, const Target& target) {
  return DigestOf(
      fmt::format("{}\ntarget {:x}\n", WordOf(kind), IdentityOf(target)));
}

}  // namespace fairlead::finding
