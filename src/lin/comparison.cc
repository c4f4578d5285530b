#include "lin/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace fairlead::lin {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Each number as one '#'.
std::string WithoutNumbers(std::string_view text) {
  std::string without;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsDigit(text[i])) {
      without += text[i];
    } else if (i == 0 || !IsDigit(text[i - 1])) {
      without += '#';
    }
  }
  return without;
}

Component WithoutNumbers(const Component& component) {
  Component without = {.kind = component.kind};
  for (const std::string& each : component.sequence) {
    without.sequence.push_back(WithoutNumbers(each));
  }
  // A number may have been all that told two elements apart.
  for (const auto& [element, times] : component.elements) {
    without.elements[WithoutNumbers(element)] += times;
  }
  for (const auto& [key, value] : component.values) {
    ++without.elements[WithoutNumbers(key + " = " + value)];
  }
  if (component.value) without.value = WithoutNumbers(*component.value);
  return without;
}

std::vector<std::string_view> SortedLines(std::string_view text) {
  std::vector<std::string_view> lines = Split(text, '\n');
  std::ranges::sort(lines);
  return lines;
}

bool Allows(ReplyRule rule, std::string_view one, std::string_view two) {
  switch (rule) {
    case ReplyRule::kNumbers:
      return WithoutNumbers(one) == WithoutNumbers(two);
    case ReplyRule::kRows:
      return SortedLines(one) == SortedLines(two);
    case ReplyRule::kText:
      return true;
  }
  return false;
}

// Takes back more only.
bool Widen(std::map<std::string, Own>& own, const std::string& name, Own how) {
  const auto [at, is_new] = own.try_emplace(name, how);
  if (is_new) return true;
  if (at->second >= how) return false;
  at->second = how;
  return true;
}

}  // namespace

bool Fits(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t at = star; at <= text.size(); ++at) {
    if (Fits(rest, text.substr(at))) return true;
  }
  return false;
}

bool Comparison::LearnOwn(const std::string& asks, const Answer& one,
                          const Answer& two) {
  if (one == two) return false;
  const bool numbers = one.status == two.status &&
                       WithoutNumbers(one.reply) == WithoutNumbers(two.reply);
  return Widen(own_replies_, asks, numbers ? Own::kNumbers : Own::kAll);
}

bool Comparison::LearnOwn(const std::string& component, const Component& one,
                          const Component& two) {
  if (one == two) return false;
  const bool numbers = WithoutNumbers(one) == WithoutNumbers(two);
  return Widen(own_components_, component, numbers ? Own::kNumbers : Own::kAll);
}

bool Comparison::SameAnswer(const std::string& asks, const Answer& serial,
                            const Answer& concurrent) const {
  if (serial == concurrent) return true;
  const auto own = own_replies_.find(asks);
  if (own != own_replies_.end() && own->second == Own::kAll) return true;
  if (serial.status != concurrent.status) return false;
  if (own != own_replies_.end() &&
      Allows(ReplyRule::kNumbers, serial.reply, concurrent.reply)) {
    return true;
  }
  for (const RequestRule& rule : requests_) {
    if (!Fits(rule.pattern, asks)) continue;
    if (!Allows(rule.rule, serial.reply, concurrent.reply)) continue;
    used_.insert(TextOf(rule));
    return true;
  }
  return false;
}

bool Comparison::SameState(const Components& serial,
                           const Components& concurrent) const {
  static const Component kNone;
  const auto of = [](const Components& state, const std::string& name) {
    const auto found = state.find(name);
    return found == state.end() ? kNone : found->second;
  };
  for (const auto& [name, component] : serial) {
    if (!SameComponent(name, component, of(concurrent, name))) return false;
  }
  for (const auto& [name, component] : concurrent) {
    if (!serial.contains(name) && !SameComponent(name, kNone, component)) {
      return false;
    }
  }
  return true;
}

bool Comparison::SameComponent(const std::string& name, const Component& serial,
                               const Component& concurrent) const {
  if (!DifferenceOf(serial, concurrent).any()) return true;
  if (SameOwn(name, serial, concurrent)) return true;
  for (const ComponentRule& rule : components_) {
    if (!Fits(rule.pattern, name)) continue;
    if (!ByRule(rule, serial, concurrent)) continue;
    used_.insert(TextOf(rule));
    return true;
  }
  return !commutations_.empty() && Commuted(serial, concurrent);
}

bool Comparison::SameOwn(const std::string& name, const Component& serial,
                         const Component& concurrent) const {
  const auto own = own_components_.find(name);
  if (own == own_components_.end()) return false;
  return own->second == Own::kAll ||
         WithoutNumbers(serial) == WithoutNumbers(concurrent);
}

bool Comparison::ByRule(const ComponentRule& rule, const Component& serial,
                        const Component& concurrent) const {
  switch (rule.rule) {
    case StateRule::kEqual:
      return false;
    case StateRule::kConcurrentWithin:
      return IsWithin(concurrent, serial);
    case StateRule::kSerialWithin:
      return IsWithin(serial, concurrent);
    case StateRule::kIgnore:
      return true;
  }
  return false;
}

bool Comparison::MayChangePlaces(std::string_view one,
                                 std::string_view two) const {
  for (const Commutation& each : commutations_) {
    if ((Fits(each.a, one) && Fits(each.b, two)) ||
        (Fits(each.b, one) && Fits(each.a, two))) {
      used_.insert(TextOf(each));
      return true;
    }
  }
  return false;
}

// Two sequences are one up to changing places exactly if the first element of
// one can always be brought to the front of the other (Cartier and Foata).
bool Comparison::Commuted(const Component& serial,
                          const Component& concurrent) const {
  const ComponentDifference difference = DifferenceOf(serial, concurrent);
  if (!difference.missing.empty() || !difference.extra.empty()) return false;
  std::vector<std::string> left = concurrent.sequence;
  for (const std::string& element : serial.sequence) {
    const auto at = std::ranges::find(left, element);
    if (at == left.end()) return false;
    for (auto before = left.begin(); before != at; ++before) {
      if (!MayChangePlaces(*before, element)) return false;
    }
    left.erase(at);
  }
  return true;
}

std::vector<std::string> Comparison::Unused() const {
  std::vector<std::string> unused;
  const auto add = [&](const auto& rules) {
    for (const auto& rule : rules) {
      if (!used_.contains(TextOf(rule))) unused.push_back(TextOf(rule));
    }
  };
  add(components_);
  add(requests_);
  add(commutations_);
  return unused;
}

std::string TextOf(const ComponentRule& rule) {
  switch (rule.rule) {
    case StateRule::kEqual:
      return fmt::format("component {} equal", rule.pattern);
    case StateRule::kConcurrentWithin:
      return fmt::format("component {} concurrent-within-sequential",
                         rule.pattern);
    case StateRule::kSerialWithin:
      return fmt::format("component {} sequential-within-concurrent",
                         rule.pattern);
    case StateRule::kIgnore:
      return fmt::format("component {} ignore", rule.pattern);
  }
  return "";
}

std::string TextOf(const RequestRule& rule) {
  switch (rule.rule) {
    case ReplyRule::kNumbers:
      return fmt::format("reply {} numbers", rule.pattern);
    case ReplyRule::kRows:
      return fmt::format("reply {} rows", rule.pattern);
    case ReplyRule::kText:
      return fmt::format("reply {} ignore", rule.pattern);
  }
  return "";
}

std::string TextOf(const Commutation& commutation) {
  return fmt::format("commutes {} {}", commutation.a, commutation.b);
}

}  // namespace fairlead::lin
