#include "analysis/asset/compare.h"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

namespace fairlead::analysis::asset {
namespace {

using order::HeldLock;
using order::LockMode;

std::span<const HeldLock> LocksOf(const UnitStep& step) {
  if (step.locks == nullptr) return {};
  return *step.locks;
}

const HeldLock* Find(const UnitStep& step, uint64_t lock) {
  for (const HeldLock& held : LocksOf(step)) {
    if (held.lock == lock) return &held;
  }
  return nullptr;
}

// Whether `before` happens before `after` in every schedule.
bool IsOrdered(const UnitStep& before, const UnitStep& after) {
  return after.clock != nullptr && after.clock->Covers(before.epoch);
}

// Whether one acquisition is held over both steps, and keeps `inside` out.
bool KeepsOut(const UnitStep& first, const UnitStep& second,
              const UnitStep& inside) {
  for (const HeldLock& held : LocksOf(first)) {
    const HeldLock* later = Find(second, held.lock);
    if (later == nullptr || later->section != held.section) continue;
    const HeldLock* other = Find(inside, held.lock);
    if (other == nullptr) continue;
    if (held.mode == LockMode::kExclusive ||
        other->mode == LockMode::kExclusive) {
      return true;
    }
  }
  return false;
}

class Comparison {
 public:
  Comparison(const UnitSteps& u, const UnitSteps& other, LockRule rule,
             bool accesses_only)
      : units_{&u, &other}, rule_(rule), accesses_only_(accesses_only) {}

  std::vector<Violation> Run() {
    for (const Pattern& pattern : Patterns()) {
      pattern_ = &pattern;
      Place(0);
    }
    return std::move(found_);
  }

 private:
  const UnitStep& At(size_t step) const {
    const size_t side = static_cast<size_t>(pattern_->steps[step].side);
    return (*units_[side])[at_[step]];
  }

  static bool IsWay(const UnitStep& step, Way way) {
    return way == Way::kRead ? order::Reads(step.kind)
                             : order::Writes(step.kind);
  }

  // Where in its unit the step may be, after those of the same unit.
  size_t From(size_t step) const {
    for (size_t i = step; i-- > 0;) {
      if (pattern_->steps[i].side != pattern_->steps[step].side) continue;
      return at_[i] + 1;
    }
    return 0;
  }

  bool LocationsFit(size_t step) const {
    for (size_t i = 0; i < step; ++i) {
      const bool one =
          pattern_->steps[i].location == pattern_->steps[step].location;
      if ((At(i).field == At(step).field) != one) return false;
      // Of an array, threads may each have their own elements.
      const bool alone = pattern_->form == Form::kAlone;
      if (alone && At(i).wide && At(i).address != At(step).address) {
        return false;
      }
    }
    return true;
  }

  void Place(size_t step) {
    if (step == pattern_->num_steps()) {
      Take();
      return;
    }
    const PatternStep& wanted = pattern_->steps[step];
    const UnitSteps& unit = *units_[static_cast<size_t>(wanted.side)];
    for (size_t i = From(step); i < unit.size(); ++i) {
      if (!IsWay(unit[i], wanted.way)) continue;
      at_[step] = i;
      if (!LocationsFit(step) || !OrderFits(step)) continue;
      Place(step + 1);
    }
  }

  bool OrderFits(size_t step) const {
    if (accesses_only_) return true;
    for (size_t i = 0; i < step; ++i) {
      if (pattern_->steps[i].side == pattern_->steps[step].side) continue;
      if (IsOrdered(At(step), At(i))) return false;
    }
    return true;
  }

  // Indices of the steps of u, and of u'.
  std::pair<size_t, size_t> Window() const {
    return {0, pattern_->form == Form::kAcross ? 2 : pattern_->num_steps() - 1};
  }

  bool ExactFits() const {
    switch (pattern_->form) {
      case Form::kAlone:
        return !KeepsOut(At(0), At(2), At(1));
      case Form::kInside:
        return !KeepsOut(At(0), At(3), At(1)) && !KeepsOut(At(0), At(3), At(2));
      case Form::kAcross:
        return !KeepsOut(At(0), At(2), At(1)) && !KeepsOut(At(1), At(3), At(2));
    }
    return false;
  }

  // Locks that all steps hold; those of them that u gives back in between.
  std::pair<size_t, std::vector<uint64_t>> Common() const {
    const auto [first, last] = Window();
    size_t common = 0;
    std::vector<uint64_t> released;
    for (const HeldLock& held : LocksOf(At(first))) {
      bool all = true;
      for (size_t i = 0; i < pattern_->num_steps(); ++i) {
        all = all && Find(At(i), held.lock) != nullptr;
      }
      if (!all) continue;
      ++common;
      if (Find(At(last), held.lock)->section != held.section) {
        released.push_back(held.lock);
      }
    }
    return {common, released};
  }

  void Take() {
    auto [common, released] = Common();
    if (!accesses_only_) {
      const bool fits = rule_ == LockRule::kExact
                            ? ExactFits()
                            : common == 0 || !released.empty();
      if (!fits) return;
    }
    const uint32_t first = At(0).field;
    uint32_t second = first;
    for (size_t i = 1; i < pattern_->num_steps(); ++i) {
      if (At(i).field != first) second = At(i).field;
    }
    if (!seen_.emplace(pattern_->number, first, second).second) return;
    found_.push_back({pattern_, at_, std::move(released)});
  }

  std::array<const UnitSteps*, 2> units_;
  LockRule rule_;
  bool accesses_only_;
  const Pattern* pattern_ = nullptr;
  std::array<size_t, 4> at_ = {};
  std::set<std::tuple<int, uint32_t, uint32_t>> seen_;
  std::vector<Violation> found_;
};

}  // namespace

std::vector<Violation> Compare(const UnitSteps& u, const UnitSteps& other,
                               LockRule rule) {
  return Comparison(u, other, rule, false).Run();
}

bool CouldMatch(const UnitSteps& u, const UnitSteps& other) {
  return !Comparison(u, other, LockRule::kExact, true).Run().empty();
}

}  // namespace fairlead::analysis::asset
