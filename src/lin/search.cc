#include "lin/search.h"

#include <algorithm>

#include "lin/configurations.h"
#include "lin/timeline.h"

namespace fairlead::lin {
namespace {

// How many configurations are looked at between two looks at the budget: few
// milliseconds.
constexpr uint64_t kBetweenLooks = 4096;
// Operations under way at once that a search can keep apart.
constexpr size_t kMaxSlots = 4096;

// The longest order so far. An order grows and shrinks at its end with every
// step of the search, so it is copied only before it shrinks, and only what
// differs.
class LongestOrder {
 public:
  // `end` is how far in time the order at hand has come.
  void Reach(size_t end) {
    if (end < end_ || (end == end_ && any_)) return;
    end_ = end;
    any_ = true;
    is_current_ = true;
  }
  void BeforeShrinking(const std::vector<uint32_t>& order, size_t to) {
    if (is_current_) Copy(order);
    is_current_ = false;
    same_ = std::min(same_, to);
  }
  std::vector<uint32_t> Take(const std::vector<uint32_t>& order) {
    if (is_current_) Copy(order);
    return std::move(longest_);
  }
  size_t end() const { return end_; }

 private:
  void Copy(const std::vector<uint32_t>& order) {
    longest_.resize(order.size());
    std::copy(order.begin() + static_cast<ptrdiff_t>(same_), order.end(),
              longest_.begin() + static_cast<ptrdiff_t>(same_));
    same_ = order.size();
  }

  std::vector<uint32_t> longest_;
  size_t same_ = 0;  // entries in which the order at hand is like it
  size_t end_ = 0;
  bool any_ = false;
  bool is_current_ = false;  // the order at hand is the longest
};

template <size_t kWords>
class Searcher {
 public:
  Searcher(const History& history, const Timeline& timeline, Model& model,
           const Budget& budget)
      : history_(history),
        timeline_(timeline),
        model_(model),
        budget_(budget) {}

  Linearization Run() {
    Entry first{.event = 0, .state = model_.Initial()};
    Linearization answer;
    answer.verdict = Enter(first) ? Verdict::kYes : Explore();
    answer.order = answer.verdict == Verdict::kYes ? std::move(order_)
                                                   : longest_.Take(order_);
    if (answer.verdict != Verdict::kYes) {
      answer.stuck = timeline_.EndAt(longest_.end());
    }
    answer.num_configurations = seen_.size();
    answer.out_of_memory = out_of_memory_;
    return answer;
  }

 private:
  using Entry = Configuration<kWords>;

  // A configuration from which some steps have been tried.
  struct Frame {
    Entry entry;
    size_t next = 0;    // of the steps from here
    size_t length = 0;  // of the order on coming here
  };

  bool IsDone(const Entry& entry, uint32_t operation) const {
    const uint32_t slot = timeline_.SlotOf(operation);
    return ((entry.done[slot / 64] >> (slot % 64)) & 1) != 0;
  }
  void SetDone(Entry& entry, uint32_t operation) const {
    const uint32_t slot = timeline_.SlotOf(operation);
    entry.done[slot / 64] |= uint64_t{1} << (slot % 64);
  }
  void ClearDone(Entry& entry, uint32_t operation) const {
    const uint32_t slot = timeline_.SlotOf(operation);
    entry.done[slot / 64] &= ~(uint64_t{1} << (slot % 64));
  }

  // Takes what fits and is in nobody's way. One may make room for another.
  void TakeSafe(Entry& entry, std::span<const uint32_t> operations) {
    for (bool again = true; again;) {
      again = false;
      for (const uint32_t i : operations) {
        if (IsDone(entry, i) || !model_.IsSafeNow(history_[i])) continue;
        const std::optional<State> next = model_.Step(entry.state, history_[i]);
        if (!next) continue;
        again |= *next != entry.state;
        entry.state = *next;
        SetDone(entry, i);
        order_.push_back(i);
      }
    }
  }

  // Passes the ends of what is in the order. True: all are passed.
  bool PassEnds(Entry& entry) {
    while (entry.event < timeline_.num_ends()) {
      const uint32_t ending = timeline_.EndAt(entry.event);
      if (!IsDone(entry, ending)) {
        TakeSafe(entry, timeline_.OpenAt(entry.event));
        if (!IsDone(entry, ending)) return false;
      }
      ClearDone(entry, ending);
      ++entry.event;
    }
    return true;
  }

  // Comes into a configuration. True: the search is at its goal.
  bool Enter(Entry entry) {
    const size_t length = order_.size();
    if (PassEnds(entry)) return true;
    longest_.Reach(entry.event);
    if (seen_.Add(entry)) {
      frames_.push_back({.entry = entry, .next = 0, .length = length});
    } else {
      Shrink(length);
    }
    return false;
  }

  void Shrink(size_t length) {
    longest_.BeforeShrinking(order_, length);
    order_.resize(length);
  }

  // The operation that is tried as the `number`th from there; false: none.
  bool Choose(const Entry& entry, size_t number, uint32_t& chosen) const {
    const auto open = timeline_.OpenAt(entry.event);
    if (number < open.size()) {
      chosen = open[number];
      return true;
    }
    const auto endless = timeline_.EndlessAt(entry.event);
    number -= open.size();
    if (number >= endless.size()) return false;
    chosen = endless[number];
    return true;
  }
  bool IsWorthTrying(const Entry& entry, uint32_t operation) const {
    if (IsDone(entry, operation)) return false;
    if (model_.IsSafeNow(history_[operation])) return false;  // it fits not
    if (history_[operation].end != kNever) return true;
    const uint32_t twin = timeline_.TwinOf(operation);
    return twin == operation || IsDone(entry, twin);
  }

  Verdict Explore() {
    uint64_t looks = 0;
    while (!frames_.empty()) {
      if (++looks % kBetweenLooks == 0 && budget_.is_over()) {
        return Verdict::kUnknown;
      }
      if (seen_.IsFull() && seen_.NextBytes() > budget_.max_bytes) {
        out_of_memory_ = true;
        return Verdict::kUnknown;
      }
      if (TryNext()) return Verdict::kYes;
    }
    return Verdict::kNo;
  }

  // One step from the last configuration; true: to the goal.
  bool TryNext() {
    Frame& frame = frames_.back();
    uint32_t chosen = 0;
    if (!Choose(frame.entry, frame.next++, chosen)) {
      const size_t length = frame.length;
      frames_.pop_back();
      Shrink(length);
      return false;
    }
    if (!IsWorthTrying(frame.entry, chosen)) return false;
    const std::optional<State> next =
        model_.Step(frame.entry.state, history_[chosen]);
    if (!next) return false;
    Entry entry = frame.entry;
    SetDone(entry, chosen);
    entry.state = *next;
    const size_t length = order_.size();
    order_.push_back(chosen);
    const size_t depth = frames_.size();
    if (Enter(entry)) return true;
    if (frames_.size() > depth) {
      frames_.back().length = length;
    } else {
      Shrink(length);
    }
    return false;
  }

  const History& history_;
  const Timeline& timeline_;
  Model& model_;
  const Budget& budget_;
  Configurations<kWords> seen_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> order_;
  LongestOrder longest_;
  bool out_of_memory_ = false;
};

template <size_t kWords>
Linearization SearchWith(const History& history, const Timeline& timeline,
                         Model& model, const Budget& budget) {
  if constexpr (kWords * 64 < kMaxSlots) {
    if (timeline.num_slots() > kWords * 64) {
      return SearchWith<kWords * 4>(history, timeline, model, budget);
    }
  }
  return Searcher<kWords>(history, timeline, model, budget).Run();
}

}  // namespace

Linearization Search(const History& history, Model& model,
                     const Budget& budget) {
  model.Prepare(history);
  const Timeline timeline(history, [&model](const Operation& each) {
    return model.UrgentBefore(each);
  });
  if (timeline.num_slots() > kMaxSlots) {
    return {.verdict = Verdict::kUnknown, .order = {}, .out_of_memory = true};
  }
  return SearchWith<1>(history, timeline, model, budget);
}

}  // namespace fairlead::lin
