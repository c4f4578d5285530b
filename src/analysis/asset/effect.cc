#include "analysis/asset/effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fairlead::analysis::asset {
namespace {

using finding::Target;
using finding::TargetStep;

// Which of the two units a step is of: that of the first step, or the other.
size_t SideOf(const Target& target, size_t step) {
  return target.steps[step].thread == target.steps[0].thread ? 0 : 1;
}

bool Fits(const NamedLog& log, const LoggedAccess& access,
          const TargetStep& step) {
  if (access.set == nullptr || log.AnchorOf(access) != step.anchor)
    return false;
  return step.context == 0 || log.ContextOf(access) == step.context;
}

// Places the steps of a target one after the other.
class Search {
 public:
  Search(const NamedLog& log, const Target& target)
      : target_(target), entries_(log.log->entries()) {
    fits_.resize(target.steps.size());
    for (size_t i = 0; i < entries_.size(); ++i) {
      for (size_t s = 0; s < target.steps.size(); ++s) {
        if (Fits(log, entries_[i], target.steps[s])) fits_[s].push_back(i);
      }
    }
    at_.resize(target.steps.size());
  }

  bool Place(size_t step) {
    if (step == at_.size()) return true;
    if (++num_tried_ > kMostTried) return false;
    const size_t from = step == 0 ? 0 : at_[step - 1] + 1;
    const auto begin = std::ranges::lower_bound(fits_[step], from);
    for (auto each = begin; each != fits_[step].end(); ++each) {
      if (!Belongs(step, entries_[*each])) continue;
      at_[step] = *each;
      if (Place(step + 1)) return true;
    }
    return false;
  }
  const LoggedAccess& At(size_t step) const { return entries_[at_[step]]; }

 private:
  static constexpr size_t kMostTried = 100'000;

  bool Belongs(size_t step, const LoggedAccess& access) const {
    for (size_t i = 0; i < step; ++i) {
      const LoggedAccess& placed = At(i);
      const bool one = SideOf(target_, i) == SideOf(target_, step);
      if (placed.set != access.set) return false;
      if (one ? placed.tid != access.tid ||
                    placed.unit.activation != access.unit.activation
              : placed.tid == access.tid) {
        return false;
      }
    }
    return true;
  }

  const Target& target_;
  const std::vector<LoggedAccess>& entries_;
  std::vector<std::vector<size_t>> fits_;  // by step
  std::vector<size_t> at_;
  size_t num_tried_ = 0;
};

size_t FirstStepOf(const Target& target, size_t side) {
  for (size_t i = 0; i < target.steps.size(); ++i) {
    if (SideOf(target, i) == side) return i;
  }
  return 0;
}

std::string PathOf(const NamedLog& log, trace::Tid tid) {
  const auto path = log.threads.find(tid);
  return path == log.threads.end() ? "" : path->second;
}

// Calls `visit` with each activation of that thread which comes to `step`, once
// each; until it says false.
template <typename Visit>
void ForEachActivation(const NamedLog& log, const std::string& thread,
                       const TargetStep& step, Visit visit) {
  std::set<UnitId> seen;
  for (const LoggedAccess& each : log.log->entries()) {
    if (!Fits(log, each, step) || PathOf(log, each.tid) != thread) continue;
    const UnitId unit = {each.unit.activation, 0};
    const bool alone = each.unit.activation == 0;
    if (!alone && !seen.insert(unit).second) continue;
    if (!visit(each)) return;
  }
}

// Memory as sets see it, as far as it has been read or written.
class Memory {
 public:
  explicit Memory(const std::map<const SetInstance*, uint32_t>& roles)
      : roles_(roles) {}

  void Apply(const LoggedAccess& access) {
    if (access.set == nullptr) {
      bytes_.erase(bytes_.lower_bound(access.address),
                   bytes_.lower_bound(access.address + access.bytes));
      return;
    }
    if (!roles_.contains(access.set.get())) return;
    if (!access.known) {
      bytes_.erase(access.address);
      return;
    }
    bytes_[access.address] = {KeyOf(access), access.value};
  }
  State Take() const {
    State state;
    for (const auto& [address, each] : bytes_) {
      state[each.first].push_back(each.second);
    }
    for (auto& [key, values] : state) std::ranges::sort(values);
    return state;
  }
  StateKey KeyOf(const LoggedAccess& access) const {
    const bool statics = access.set->layout == nullptr;
    return {roles_.at(access.set.get()), access.field,
            statics ? 0 : access.offset, access.buffer};
  }

 private:
  const std::map<const SetInstance*, uint32_t>& roles_;
  std::map<uint64_t, std::pair<StateKey, uint64_t>> bytes_;  // by address
};

std::string NameOf(const LoggedAccess& access) {
  const Layout* layout = access.set->layout;
  if (layout == nullptr) return "a variable of " + access.set->file;
  return fmt::format("`{}` of `{}`", layout->fields[access.field].name,
                     layout->name);
}

State Without(State state, const std::set<StateKey>& keys) {
  for (const StateKey& key : keys) state.erase(key);
  return state;
}

std::set<StateKey> KeysThatDiffer(const State& a, const State& b) {
  std::set<StateKey> keys;
  for (const auto& [key, values] : a) {
    const auto other = b.find(key);
    if (other == b.end() || other->second != values) keys.insert(key);
  }
  for (const auto& [key, values] : b) {
    if (!a.contains(key)) keys.insert(key);
  }
  return keys;
}

// Only what both know.
bool AgreeOnCommon(const State& a, const State& b) {
  return std::ranges::all_of(a, [&](const auto& each) {
    const auto other = b.find(each.first);
    return other == b.end() || other->second == each.second;
  });
}

std::string ValueText(const std::vector<uint64_t>& values) {
  if (values.size() != 1) return "other contents";
  const auto value = static_cast<int64_t>(values[0]);
  constexpr int64_t kReadable = 1'000'000'000;
  if (value > -kReadable && value < kReadable) return fmt::format("{}", value);
  return fmt::format("{:#x}", values[0]);
}

}  // namespace

uint64_t NamedLog::AnchorOf(const LoggedAccess& access) const {
  const auto anchor = anchors.find(access.site);
  return anchor == anchors.end() ? 0 : anchor->second;
}

uint64_t NamedLog::ContextOf(const LoggedAccess& access) const {
  const auto context = contexts.find(access.node);
  return context == contexts.end() ? 0 : context->second;
}

std::optional<UnitPair> FindPair(const NamedLog& log, const Target& target) {
  if (target.steps.empty() || !log.log->is_complete()) return {};
  Search search(log, target);
  if (!search.Place(0)) return {};
  UnitPair pair;
  for (size_t side = 0; side < 2; ++side) {
    const size_t step = FirstStepOf(target, side);
    const LoggedAccess& at = search.At(step);
    pair.threads[side] = PathOf(log, at.tid);
    ForEachActivation(log, pair.threads[side], target.steps[step],
                      [&](const LoggedAccess& each) {
                        ++pair.occurrences[side];
                        return at.unit.activation != 0
                                   ? each.unit.activation != at.unit.activation
                                   : each.seq != at.seq;
                      });
  }
  return pair;
}

std::optional<Effect> EffectOf(const NamedLog& log, const Target& target,
                               const UnitPair& pair) {
  const std::vector<LoggedAccess>& entries = log.log->entries();
  std::array<const LoggedAccess*, 2> found = {};
  for (size_t side = 0; side < 2; ++side) {
    uint64_t number = 0;
    ForEachActivation(log, pair.threads[side],
                      target.steps[FirstStepOf(target, side)],
                      [&](const LoggedAccess& each) {
                        found[side] = &each;
                        return ++number != pair.occurrences[side];
                      });
    if (found[side] == nullptr || number != pair.occurrences[side]) return {};
  }
  const auto side_of = [&](const LoggedAccess& each) -> std::optional<size_t> {
    for (size_t side = 0; side < 2; ++side) {
      const bool alone = found[side]->unit.activation == 0;
      if (alone ? each.seq == found[side]->seq
                : each.unit.activation == found[side]->unit.activation) {
        return side;
      }
    }
    return {};
  };
  const SetInstance* set = found[0]->set.get();
  if (found[1]->set.get() != set) return {};

  Effect effect;
  std::map<const SetInstance*, uint32_t> roles;
  std::array<size_t, 2> begin = {entries.size(), entries.size()};
  std::array<size_t, 2> end = {};
  // Sets are numbered as u comes to them, then as u' does.
  for (size_t side = 0; side < 2; ++side) {
    for (size_t i = 0; i < entries.size(); ++i) {
      const LoggedAccess& each = entries[i];
      if (each.set == nullptr || side_of(each) != side) continue;
      const bool fresh =
          roles.emplace(each.set.get(), static_cast<uint32_t>(roles.size()))
              .second;
      if (fresh) effect.set_names.push_back(NameOf(each));
      if (each.set.get() == set) {
        if (begin[side] == entries.size()) {
          effect.first[side] = each;
          begin[side] = i;
        }
        effect.last[side] = each;
      }
      end[side] = i;
    }
    if (begin[side] == entries.size()) return {};
  }
  const size_t first = std::min(begin[0], begin[1]);
  const size_t last = std::max(end[0], end[1]);
  Memory memory(roles);
  for (size_t i = 0; i <= last; ++i) {
    const LoggedAccess& each = entries[i];
    if (i == first) effect.before = memory.Take();
    memory.Apply(each);
    if (each.set == nullptr) continue;
    if (roles.contains(each.set.get())) {
      effect.names.emplace(memory.KeyOf(each), NameOf(each));
    }
    const std::optional<size_t> side = side_of(each);
    effect.disturbed |=
        i > first && !side && each.writes && each.set.get() == set;
  }
  effect.after = memory.Take();
  if (effect.last[0].seq < effect.first[1].seq) {
    effect.order = UnitOrder::kFirstFirst;
  } else if (effect.last[1].seq < effect.first[0].seq) {
    effect.order = UnitOrder::kOtherFirst;
  }
  return effect;
}

Target SerialTarget(const NamedLog& log, const Target& target,
                    const Effect& mixed, UnitOrder order) {
  Target serial;
  serial.kind = target.kind;
  const size_t leading = order == UnitOrder::kOtherFirst ? 1 : 0;
  for (const size_t side : {leading, 1 - leading}) {
    const TargetStep& of = target.steps[FirstStepOf(target, side)];
    for (const LoggedAccess* access : {&mixed.first[side], &mixed.last[side]}) {
      TargetStep step;
      step.thread = of.thread;
      step.anchor = log.AnchorOf(*access);
      step.context = log.ContextOf(*access);
      step.operation = access->writes && !access->reads
                           ? finding::Operation::kWrite
                           : finding::Operation::kRead;
      if (access->writes && access->reads) {
        step.operation = finding::Operation::kRmw;
      }
      for (const LoggedAccess& each : log.log->entries()) {
        if (each.seq > access->seq) break;
        step.occurrence += each.set != nullptr && each.tid == access->tid &&
                           each.site == access->site;
      }
      if (access == &mixed.first[side] && side != leading) {
        step.hold_at = of.hold_at;
      }
      const bool one = access == &mixed.last[side] &&
                       mixed.last[side].seq == mixed.first[side].seq;
      if (!one) serial.steps.push_back(std::move(step));
    }
  }
  for (uint32_t i = 1; i < serial.steps.size(); ++i) {
    serial.edges.push_back({.before = i - 1, .after = i});
  }
  return serial;
}

std::string Difference(const Effect& mixed,
                       const std::vector<Effect>& first_first,
                       const std::vector<Effect>& other_first) {
  const auto usable = [&](const std::vector<Effect>& effects, UnitOrder order) {
    std::vector<const Effect*> used;
    for (const Effect& each : effects) {
      if (each.order == order && !each.disturbed &&
          AgreeOnCommon(each.before, mixed.before)) {
        used.push_back(&each);
      }
    }
    return used;
  };
  const auto one = usable(first_first, UnitOrder::kFirstFirst);
  const auto other = usable(other_first, UnitOrder::kOtherFirst);
  if (mixed.disturbed || one.size() < 2 || other.size() < 2) return "";
  std::set<StateKey> masked;
  for (const auto& order : {one, other}) {
    for (const Effect* each : order) {
      masked.merge(KeysThatDiffer(order[0]->after, each->after));
    }
  }
  const State got = Without(mixed.after, masked);
  const State wanted[] = {Without(one[0]->after, masked),
                          Without(other[0]->after, masked)};
  if (got == wanted[0] || got == wanted[1]) return "";
  // The locations that tell the three apart, as far as a line has room.
  constexpr size_t kMostNamed = 3;
  std::string texts[3];
  size_t num_named = 0;
  for (const auto& [key, values] : got) {
    const auto a = wanted[0].find(key);
    const auto b = wanted[1].find(key);
    if (a == wanted[0].end() || b == wanted[1].end()) continue;
    if (a->second == values && b->second == values) continue;
    if (num_named++ == kMostNamed) break;
    const std::string link = texts[0].empty() ? "" : ", ";
    texts[0] +=
        fmt::format("{}{} = {}", link, mixed.names.at(key), ValueText(values));
    texts[1] += link + ValueText(a->second);
    texts[2] += link + ValueText(b->second);
  }
  if (num_named != 0) {
    return fmt::format(
        "mixed, they leave {}; one after the other {}, or in the other order "
        "{}",
        texts[0], texts[1], texts[2]);
  }
  return "what both leave is what neither order leaves";
}

}  // namespace fairlead::analysis::asset
