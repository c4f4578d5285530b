// The models: one class each. States that are values are their numbers; those
// that are sequences or sets are numbered as they come up.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lin/model.h"

namespace fairlead::lin {
namespace {

bool Fits(ValueId result, ValueId expected) {
  return result == ValueId::kUnknown || result == expected;
}
bool FitsAnswer(ValueId result, bool expected) {
  // Many histories say nothing of what succeeded.
  if (expected && result != ValueId::kFalse) return true;
  return Fits(result, expected ? ValueId::kTrue : ValueId::kFalse);
}
State StateOf(ValueId value) { return static_cast<State>(value); }
ValueId ValueOf(State state) { return static_cast<ValueId>(state); }

// Read, write, compare-and-set.
class Register : public Model {
 public:
  Register(ValueTable& values, ValueId initial)
      : values_(values), initial_(initial) {}
  State Initial() override { return StateOf(initial_); }
  std::string TextOf(State state) const override {
    return values_.TextOf(ValueOf(state));
  }

  std::optional<State> Step(State state, const Operation& operation) override {
    switch (operation.call) {
      case Call::kRead:
        if (!Fits(operation.result, ValueOf(state))) return std::nullopt;
        return state;
      case Call::kWrite:
        return StateOf(operation.argument);
      case Call::kCas: {
        const bool matches = ValueOf(state) == operation.argument;
        if (operation.result == ValueId::kUnknown) {
          return matches ? StateOf(operation.second) : state;
        }
        if (!FitsAnswer(operation.result, matches)) return std::nullopt;
        return matches ? StateOf(operation.second) : state;
      }
      default:
        return std::nullopt;
    }
  }

 protected:
  ValueTable& values_;

 private:
  ValueId initial_;
};

// One key of a store: a register that can also be appended to and deleted.
class Key final : public Register {
 public:
  Key(ValueTable& values, ValueId initial)
      : Register(values, initial), empty_(values.Add("")) {}

  std::optional<State> Step(State state, const Operation& operation) override {
    switch (operation.call) {
      case Call::kRead:
        // Stores without nil answer "" for what is not there.
        if (ValueOf(state) == ValueId::kNil && operation.result == empty_) {
          return state;
        }
        return Register::Step(state, operation);
      case Call::kAppend:
        return StateOf(Joined(ValueOf(state), operation.argument));
      case Call::kDelete:
        return StateOf(ValueId::kNil);
      default:
        return Register::Step(state, operation);
    }
  }

 private:
  ValueId Joined(ValueId before, ValueId more) {
    const auto [at, is_new] = joined_.try_emplace({before, more});
    if (is_new) {
      at->second = values_.Add(CharactersOf(before) + values_.StringOf(more));
    }
    return at->second;
  }

  // What is appended to: a number is what is printed of it.
  std::string CharactersOf(ValueId value) const {
    return values_.NumberOf(value) ? values_.TextOf(value)
                                   : values_.StringOf(value);
  }

  ValueId empty_;
  std::map<std::pair<ValueId, ValueId>, ValueId> joined_;
};

// Numbers sequences of values.
class Sequences {
 public:
  using Sequence = std::vector<ValueId>;

  State NumberOf(Sequence sequence) {
    const auto [at, is_new] = numbers_.try_emplace(std::move(sequence), 0);
    if (is_new) {
      at->second = sequences_.size();
      sequences_.push_back(&at->first);
    }
    return at->second;
  }
  const Sequence& At(State state) const { return *sequences_[state]; }
  std::string TextOf(State state, const ValueTable& values) const {
    std::string text;
    for (const ValueId value : At(state)) {
      text += (text.empty() ? "" : " ") + values.TextOf(value);
    }
    return text.empty() ? "nothing" : text;
  }

 private:
  std::map<Sequence, State> numbers_;
  std::vector<const Sequence*> sequences_;  // nodes of the map stay
};

// When elements are taken, where each is put at most once: who is taken first
// must have been put first into a queue, so orders of puts need not be tried
// that no later take agrees with.
class Takes {
 public:
  // What never is taken is taken last.
  struct Interval {
    uint64_t begin = kNever;
    uint64_t end = kNever;
  };

  void Prepare(const History& history) {
    std::map<ValueId, int> puts;
    for (const Operation& each : history) {
      are_distinct_ &= each.call != Call::kPush || ++puts[each.argument] == 1;
      are_distinct_ &= each.call != Call::kRead;  // looking keeps things there
      if (each.call != Call::kPop) continue;
      if (each.result == ValueId::kUnknown) {
        any_unknown_ = true;
      } else {
        intervals_.try_emplace(each.result, Interval{each.begin, each.end});
      }
    }
  }

  bool are_distinct() const { return are_distinct_; }
  // Whether somebody may have taken something, and nobody knows what.
  bool any_unknown() const { return any_unknown_; }
  Interval Of(ValueId value) const {
    const auto known = intervals_.find(value);
    return known == intervals_.end() ? Interval{} : known->second;
  }

 private:
  bool are_distinct_ = true;
  bool any_unknown_ = false;
  std::map<ValueId, Interval> intervals_;
};

// First in, first out; or last in, first out.
template <bool kIsStack>
class Line final : public Model {
 public:
  Line(ValueTable& values, ValueId) : values_(values) {}
  void Prepare(const History& history) override { takes_.Prepare(history); }

  // Only one operation can take an element that is there once, and until then
  // others find what they find behind it.
  bool IsSafeNow(const Operation& operation) const override {
    return OnlyLooks(operation) ||
           (operation.call == Call::kPop && takes_.are_distinct() &&
            operation.result != ValueId::kUnknown);
  }
  uint64_t UrgentBefore(const Operation& operation) const override {
    if (kIsStack || operation.call != Call::kPush || !takes_.are_distinct()) {
      return 0;
    }
    return takes_.Of(operation.argument).end;
  }
  State Initial() override { return sequences_.NumberOf({}); }
  std::string TextOf(State state) const override {
    return sequences_.TextOf(state, values_);
  }

  std::optional<State> Step(State state, const Operation& operation) override {
    if (operation.call == Call::kPush) {
      if (ComesTooEarly(state, operation.argument)) return std::nullopt;
      Sequences::Sequence longer = sequences_.At(state);
      longer.push_back(operation.argument);
      return sequences_.NumberOf(std::move(longer));
    }
    if (operation.call == Call::kRead) return Look(state, operation);
    if (operation.call != Call::kPop) return std::nullopt;
    const Sequences::Sequence& now = sequences_.At(state);
    if (now.empty()) {
      if (!Fits(operation.result, ValueId::kNil)) return std::nullopt;
      return state;
    }
    if (!Fits(operation.result, kIsStack ? now.back() : now.front())) {
      return std::nullopt;
    }
    Sequences::Sequence shorter = now;
    shorter.erase(kIsStack ? shorter.end() - 1 : shorter.begin());
    return sequences_.NumberOf(std::move(shorter));
  }

 private:
  // Whether something stays in front of it that is taken only after it.
  bool ComesTooEarly(State state, ValueId value) const {
    if (kIsStack || !takes_.are_distinct() || takes_.any_unknown()) {
      return false;
    }
    const uint64_t end = takes_.Of(value).end;
    const Sequences::Sequence& now = sequences_.At(state);
    return end != kNever && std::ranges::any_of(now, [&](ValueId other) {
             return takes_.Of(other).begin > end;
           });
  }

  // What is at the end where elements are taken.
  std::optional<State> Look(State state, const Operation& operation) const {
    const Sequences::Sequence& now = sequences_.At(state);
    const ValueId next =
        now.empty() ? ValueId::kNil : (kIsStack ? now.back() : now.front());
    if (!Fits(operation.result, next)) return std::nullopt;
    return state;
  }

  ValueTable& values_;
  Sequences sequences_;
  Takes takes_;
};

// A set of values; what is read is an array of all of them, in any order.
class Set final : public Model {
 public:
  Set(ValueTable& values, ValueId) : values_(values) {}
  State Initial() override { return sequences_.NumberOf({}); }
  std::string TextOf(State state) const override {
    return sequences_.TextOf(state, values_);
  }

  std::optional<State> Step(State state, const Operation& operation) override {
    const Sequences::Sequence& now = sequences_.At(state);
    const auto at = std::ranges::lower_bound(now, operation.argument);
    const bool has = at != now.end() && *at == operation.argument;
    switch (operation.call) {
      case Call::kAdd:
        if (operation.result == ValueId::kFalse && !has) return std::nullopt;
        if (has) {
          if (operation.result == ValueId::kTrue) return std::nullopt;
          return state;
        }
        return With(now, at, operation.argument);
      case Call::kRemove:
        if (operation.result == ValueId::kFalse && has) return std::nullopt;
        if (!has) {
          if (operation.result == ValueId::kTrue) return std::nullopt;
          return state;
        }
        return Without(now, at);
      case Call::kContains:
        if (!Fits(operation.result, has ? ValueId::kTrue : ValueId::kFalse)) {
          return std::nullopt;
        }
        return state;
      case Call::kRead:
        if (!IsAll(operation.result, now)) return std::nullopt;
        return state;
      default:
        return std::nullopt;
    }
  }

 private:
  using Place = Sequences::Sequence::const_iterator;

  State With(const Sequences::Sequence& now, Place at, ValueId value) {
    Sequences::Sequence more(now.begin(), at);
    more.push_back(value);
    more.insert(more.end(), at, now.end());
    return sequences_.NumberOf(std::move(more));
  }
  State Without(const Sequences::Sequence& now, Place at) {
    Sequences::Sequence fewer(now.begin(), at);
    fewer.insert(fewer.end(), at + 1, now.end());
    return sequences_.NumberOf(std::move(fewer));
  }
  bool IsAll(ValueId result, const Sequences::Sequence& now) {
    if (result == ValueId::kUnknown) return true;
    const auto [at, is_new] = elements_.try_emplace(result);
    if (is_new && values_.At(result).is_array()) {
      const Json all = values_.At(result);
      for (const Json& element : all)
        at->second.push_back(values_.Add(element));
      std::ranges::sort(at->second);
      const auto [first, last] = std::ranges::unique(at->second);
      at->second.erase(first, last);
    }
    return at->second == now;
  }

  ValueTable& values_;
  Sequences sequences_;
  std::map<ValueId, Sequences::Sequence> elements_;  // of what was read
};

// Held or free. Who releases is not looked at.
class Mutex final : public Model {
 public:
  Mutex(ValueTable&, ValueId) {}
  State Initial() override { return 0; }
  std::string TextOf(State state) const override {
    return state != 0 ? "held" : "free";
  }

  std::optional<State> Step(State state, const Operation& operation) override {
    const bool held = state != 0;
    if (operation.call == Call::kAcquire) {
      if (operation.result == ValueId::kFalse) {
        return held ? std::optional<State>(state) : std::nullopt;
      }
      return held ? std::nullopt : std::optional<State>(1);
    }
    if (operation.call != Call::kRelease || !held) return std::nullopt;
    return 0;
  }
};

class Counter final : public Model {
 public:
  Counter(ValueTable& values, ValueId initial)
      : values_(values),
        initial_(static_cast<State>(values.NumberOf(initial).value_or(0))) {}
  State Initial() override { return initial_; }
  std::string TextOf(State state) const override {
    return fmt::format("{}", static_cast<int64_t>(state));
  }

  std::optional<State> Step(State state, const Operation& operation) override {
    if (operation.call == Call::kRead) {
      if (operation.result == ValueId::kUnknown) return state;
      const std::optional<int64_t> read = values_.NumberOf(operation.result);
      if (!read || static_cast<State>(*read) != state) return std::nullopt;
      return state;
    }
    if (operation.call != Call::kIncrease) return std::nullopt;
    const std::optional<int64_t> by = values_.NumberOf(operation.argument);
    return state + static_cast<State>(by.value_or(1));
  }

 private:
  ValueTable& values_;
  State initial_;
};

template <typename T>
std::unique_ptr<Model> Make(ValueTable& values, ValueId initial) {
  return std::make_unique<T>(values, initial);
}

}  // namespace

const std::vector<ModelKind>& ModelKinds() {
  static const std::vector<ModelKind> kKinds = {
      {"register", "read, write, cas (compare and set)", Make<Register>,
       ModelKind::Parts::kByKey},
      {"key-value", "get, put, append, delete, cas; keys by themselves",
       Make<Key>, ModelKind::Parts::kByKey},
      {"queue", "enqueue, dequeue: first in, first out", Make<Line<false>>,
       ModelKind::Parts::kByKey},
      {"stack", "push, pop: last in, first out", Make<Line<true>>,
       ModelKind::Parts::kByKey},
      {"set", "add, remove, contains, read (all elements)", Make<Set>,
       ModelKind::Parts::kByElement},
      {"mutex", "acquire, release", Make<Mutex>, ModelKind::Parts::kByKey},
      {"counter", "add, read", Make<Counter>, ModelKind::Parts::kByKey},
  };
  return kKinds;
}

const ModelKind* FindModel(std::string_view name) {
  static const std::map<std::string_view, std::string_view> kAliases = {
      {"cas-register", "register"},
      {"fifo-queue", "queue"},
      {"fifo", "queue"},
      {"lifo", "stack"},
      {"kv", "key-value"},
      {"map", "key-value"},
      {"lock", "mutex"}};
  const auto alias = kAliases.find(name);
  if (alias != kAliases.end()) name = alias->second;
  for (const ModelKind& kind : ModelKinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace fairlead::lin
