#include "explore/run/strategy_spec.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/closest.h"
#include "base/text.h"
#include "sched/change_points.h"

namespace fairlead::explore {
namespace {

struct Param {
  std::string_view name;
  uint64_t standard;
};

// The parameters of the table, in the order of plan.params.
std::vector<Param> ParamsOf(const sched::StrategyEntry& entry) {
  std::vector<Param> params;
  for (const std::string_view word : Words(entry.params)) {
    const size_t equals = word.find('=');
    params.push_back({word.substr(0, equals),
                      ParseNumber(word.substr(equals + 1)).value_or(0)});
  }
  return params;
}

// The largest value that makes a difference: beyond it, what was asked for
// would not be what is done.
uint64_t MostOf(sched::StrategyId id, std::string_view param) {
  using sched::StrategyId;
  // Nearly all parameters count steps of one execution, or some of them.
  constexpr uint64_t kSteps = 1'000'000'000;
  const bool changes = id == StrategyId::kPct || id == StrategyId::kPctLarge;
  if (changes && param == "c") return sched::kMaxChangePoints;
  return id == StrategyId::kSurw ? UINT16_MAX : kSteps;
}

bool CanBeAskedFor(const sched::StrategyEntry& entry) {
  return entry.id != sched::StrategyId::kReplay &&
         entry.id != sched::StrategyId::kPrefix &&
         entry.id != sched::StrategyId::kSketch &&
         entry.id != sched::StrategyId::kSerial &&
         entry.id != sched::StrategyId::kDirector;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const sched::StrategyEntry& entry : sched::kStrategies) {
    if (CanBeAskedFor(entry)) names.emplace_back(entry.name);
  }
  return names;
}

// "did you mean 'pos'? " or nothing.
std::string Meant(std::string_view name) {
  const std::string meant = DidYouMean(name, Names());
  return meant.empty() ? "" : meant + " ";
}

std::string ParamNames(const std::vector<Param>& params) {
  std::string names;
  for (const Param& param : params) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", param.name,
                         param.standard);
  }
  return names;
}

}  // namespace

StrategySpec DefaultSpec(sched::StrategyId id) {
  StrategySpec spec = {.id = id};
  if (const sched::StrategyEntry* entry = sched::FindStrategy(id)) {
    size_t index = 0;
    for (const Param& param : ParamsOf(*entry)) {
      spec.params[index++] = param.standard;
    }
  }
  return spec;
}

Result<StrategySpec> ParseStrategySpec(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const sched::StrategyEntry* entry = sched::FindStrategy(name);
  if (entry == nullptr || !CanBeAskedFor(*entry)) {
    return Error(ErrorCode::kUsage)
        .Say("no strategy is called '{}'", name)
        .Hint("{}there are: {}", Meant(name), fmt::join(Names(), ", "));
  }
  StrategySpec spec = DefaultSpec(entry->id);
  if (colon == std::string_view::npos) return spec;
  const std::vector<Param> params = ParamsOf(*entry);
  const std::string known =
      params.empty() ? fmt::format("{} has none", name)
                     : fmt::format("{} has: {}", name, ParamNames(params));
  size_t next = 0;
  for (const std::string_view part : Split(text.substr(colon + 1), ',')) {
    const size_t equals = part.find('=');
    size_t index = next;
    if (equals != std::string_view::npos) {
      index = 0;
      while (index < params.size() &&
             params[index].name != part.substr(0, equals)) {
        ++index;
      }
    }
    const std::optional<uint64_t> value = ParseNumber(
        equals == std::string_view::npos ? part : part.substr(equals + 1));
    if (index >= params.size() || !value) {
      return Error(ErrorCode::kUsage)
          .Say("'{}' is no parameter of a strategy", part)
          .Hint("{}", known);
    }
    const uint64_t most = MostOf(entry->id, params[index].name);
    if (*value > most) {
      return Error(ErrorCode::kUsage)
          .Say("'{}' is too large: {} of {} is at most {}", part,
               params[index].name, name, most)
          .Hint("{}", known);
    }
    spec.params[index] = *value;
    next = index + 1;
  }
  return spec;
}

std::string FormatStrategySpec(const StrategySpec& spec) {
  const sched::StrategyEntry* entry = sched::FindStrategy(spec.id);
  if (entry == nullptr) return "?";
  std::string text(entry->name);
  char separator = ':';
  size_t index = 0;
  for (const Param& param : ParamsOf(*entry)) {
    const uint64_t value = spec.params[index++];
    if (value == param.standard) continue;
    text += fmt::format("{}{}={}", separator, param.name, value);
    separator = ',';
  }
  return text;
}

std::string StrategyHelp() {
  std::string text;
  for (const sched::StrategyEntry& entry : sched::kStrategies) {
    if (!CanBeAskedFor(entry)) continue;
    text += fmt::format("  {:<12} {}", entry.name, entry.help);
    const std::vector<Param> params = ParamsOf(entry);
    if (!params.empty()) text += fmt::format("; {}", ParamNames(params));
    text += '\n';
  }
  return text;
}

}  // namespace fairlead::explore
