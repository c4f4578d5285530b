#include "analysis/iroot/iroot.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <vector>

#include "base/digest.h"
#include "base/text.h"

namespace fairlead::analysis::iroot {
namespace {

constexpr Operation kOperations[] = {Operation::kRead, Operation::kWrite,
                                     Operation::kLock, Operation::kUnlock};
constexpr std::string_view kArrow = "=>";

std::string StepText(const Step& step) {
  return fmt::format("{}:0x{:x}", WordOf(step.operation), step.place);
}

std::optional<Step> ParseStep(std::string_view text) {
  const size_t colon = text.find(":0x");
  if (colon == std::string_view::npos) return {};
  Step step;
  bool known = false;
  for (const Operation operation : kOperations) {
    if (WordOf(operation) != text.substr(0, colon)) continue;
    step.operation = operation;
    known = true;
  }
  const std::string_view digits = text.substr(colon + 3);
  const auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), step.place, 16);
  if (!known || error != std::errc() || digits.empty() ||
      end != digits.data() + digits.size()) {
    return {};
  }
  return step;
}

// "a=>b", "a=>b=>c": the steps between the arrows.
std::vector<std::string_view> SplitAtArrows(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t arrow = text.find(kArrow);
    parts.push_back(text.substr(0, arrow));
    if (arrow == std::string_view::npos) return parts;
    text.remove_prefix(arrow + kArrow.size());
  }
}

Error Malformed(std::string_view text) {
  return Error(ErrorCode::kMalformed).Say("'{}' is no iRoot", text);
}

}  // namespace

std::string_view WordOf(Operation operation) {
  switch (operation) {
    case Operation::kRead:
      return "read";
    case Operation::kWrite:
      return "write";
    case Operation::kLock:
      return "lock";
    case Operation::kUnlock:
      return "unlock";
  }
  return "";
}

IRoot Canonical(IRoot root) {
  if (root.idiom != 5) return root;
  IRoot other = root;
  other.steps = {root.steps[2], root.steps[3], root.steps[0], root.steps[1]};
  return other < root ? other : root;
}

size_t IRootHash::operator()(const IRoot& root) const {
  uint64_t hash = root.idiom;
  for (const Step& step : root.used()) {
    hash = (hash ^ step.place << 2 ^ static_cast<uint64_t>(step.operation)) *
           0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

uint64_t IdentityOf(const IRoot& root) {
  const uint64_t digest = DigestOf(PrintIRoot(Canonical(root)));
  return digest == 0 ? 1 : digest;
}

std::string PrintIRoot(const IRoot& root) {
  std::string text = fmt::format("{} ", root.idiom);
  const std::span<const Step> steps = root.used();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i != 0) text += steps.size() == 4 && i == 2 ? " " : "=>";
    text += StepText(steps[i]);
  }
  return text;
}

Result<IRoot> ParseIRootUntrusted(std::string_view text) {
  const std::vector<std::string_view> words = Words(text);
  if (words.size() < 2 || words[0].size() != 1 || words[0][0] < '1' ||
      words[0][0] > '0' + kNumIdioms) {
    return Malformed(text);
  }
  IRoot root = {.idiom = static_cast<uint8_t>(words[0][0] - '0')};
  std::vector<std::string_view> parts;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::vector<std::string_view> chain = SplitAtArrows(words[i]);
    if (words.size() == 3 && chain.size() != 2) return Malformed(text);
    parts.insert(parts.end(), chain.begin(), chain.end());
  }
  const size_t num_words = NumSteps(root.idiom) == 4 ? 3 : 2;
  if (words.size() != num_words || parts.size() != NumSteps(root.idiom)) {
    return Malformed(text);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::optional<Step> step = ParseStep(parts[i]);
    if (!step) return Malformed(text);
    root.steps[i] = *step;
  }
  return Canonical(root);
}

}  // namespace fairlead::analysis::iroot
