#include "instrument/cc/arguments.h"

#include <algorithm>

namespace fairlead::cc {
namespace {

constexpr std::string_view kTakeNext[] = {
#define CC_TAKES_NEXT(spelling) spelling,
#define CC_PREFIX_TAKES_NEXT(spelling)
#include "instrument/cc/option_values.inc"
#undef CC_TAKES_NEXT
#undef CC_PREFIX_TAKES_NEXT
};

constexpr std::string_view kPrefixTakesNext[] = {
#define CC_TAKES_NEXT(spelling)
#define CC_PREFIX_TAKES_NEXT(spelling) spelling,
#include "instrument/cc/option_values.inc"
#undef CC_TAKES_NEXT
#undef CC_PREFIX_TAKES_NEXT
};

bool TakesNext(std::string_view option) {
  return std::ranges::count(kTakeNext, option) > 0 ||
         std::ranges::any_of(kPrefixTakesNext, [&](std::string_view prefix) {
           return option.starts_with(prefix);
         });
}

}  // namespace

std::vector<Argument> CutArguments(std::span<const std::string> args) {
  std::vector<Argument> cut;
  bool behind_dashes = false;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string_view text = args[i];
    if (behind_dashes || text == "-" || !text.starts_with('-')) {
      cut.push_back({ArgumentKind::kInput, text, {}, i});
    } else if (text == "--") {
      behind_dashes = true;
      cut.push_back({ArgumentKind::kDashes, text, {}, i});
    } else if (TakesNext(text) && i + 1 == args.size()) {
      cut.push_back({ArgumentKind::kDangling, text, {}, i});
    } else if (TakesNext(text)) {
      cut.push_back({ArgumentKind::kValued, text, args[i + 1], i});
      ++i;
    } else {
      cut.push_back({ArgumentKind::kOption, text, {}, i});
    }
  }
  return cut;
}

std::string_view ValueOf(const Argument& argument, std::string_view name) {
  if (argument.kind == ArgumentKind::kValued) {
    return argument.text == name ? argument.value : std::string_view();
  }
  if (argument.kind == ArgumentKind::kOption &&
      argument.text.starts_with(name)) {
    return argument.text.substr(name.size());
  }
  return {};
}

}  // namespace fairlead::cc
