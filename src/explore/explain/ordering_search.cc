#include "explore/explain/ordering_search.h"

#include <algorithm>
#include <bit>
#include <set>

#include "base/patience.h"
#include "explore/explain/order_candidates.h"
#include "explore/explain/stable_order.h"
#include "explore/names/trace_keeper.h"

namespace fairlead::explore {
namespace {

using finding::Count;
using finding::Target;
using Orders = std::vector<OrderCandidate>;

// Executions that pass are compared with the one that fails: a few show what
// they disagree about. Where most fail, more are made to have a few.
constexpr size_t kCompared = 12;
constexpr uint64_t kMostToCompare = 48;
constexpr size_t kAlone = 40;      // candidates that are tried alone
constexpr size_t kPairs = 80;      // pairs of them
constexpr uint64_t kFewSeeds = 4;  // to see whether it is worth more
constexpr size_t kMostOrders = 8;
constexpr size_t kMostConfirmed = 8;

class Search {
 public:
  Search(Trials& trials, trace::Trace failed, const OrderingOptions& options)
      : trials_(trials),
        failed_(std::move(failed)),
        options_(options),
        limit_(trials.num_made() + options.limit) {}

  Result<SearchedOrdering> Run() {
    if (Status compared = Compare(); !compared) return compared.error();
    if (passed_.empty()) {
      return SearchedOrdering{{},
                              control_.tried == 0
                                  ? "no time was left to compare executions"
                                  : "every schedule that was tried fails"};
    }
    candidates_ = CandidatesOf(failed_, passed_, 4 * kAlone);
    if (candidates_.empty()) {
      return SearchedOrdering{{}, "no order of two events made a difference"};
    }
    for (const auto step :
         {&Search::TryAlone, &Search::TryPairs, &Search::AddToBest}) {
      if (enough_ || Over()) break;
      if (Status done = (this->*step)(); !done) return done.error();
    }
    if (best_.empty()) {
      return SearchedOrdering{
          {},
          Over() ? "the search for orders was cut by its limit"
                 : "no few orders were enough to make it fail"};
    }
    if (Status done = LeaveOut(); !done) return done.error();
    finding::Ordering ordering = OrderingOf(best_, failed_, passed_);
    if (Status done = CountEvidence(trials_, ordering, options_.seeds); !done) {
      return done.error();
    }
    return SearchedOrdering{std::move(ordering), ""};
  }

 private:
  bool Over() const { return ShouldStop() || trials_.num_made() >= limit_; }

  // The first executions without anything forced, with their events.
  Status Compare() {
    for (uint64_t seed = 0; seed < kMostToCompare && !Over(); ++seed) {
      if (passed_.size() == kCompared) break;
      TraceKeeper keeper;
      const Result<Likeness> likeness = trials_.Force(nullptr, seed, &keeper);
      if (!likeness) return likeness.error();
      ++control_.tried;
      control_.failed += *likeness == Likeness::kSame;
      if (*likeness != Likeness::kOk) continue;
      Namer namer(*trials_.last().executed.memory);
      passed_.emplace_back(keeper.Take(namer));
    }
    return {};
  }

  // How often it fails with these forced; gives up once `least` of `seeds`
  // cannot be had any more.
  Result<Count> Fails(const Orders& orders, uint64_t seeds, uint64_t least) {
    const Target target = OrderingOf(orders, failed_, passed_).target;
    Count count;
    if (!finding::CheckTarget(target)) return count;
    while (count.tried < seeds && !Over()) {
      const Result<Likeness> likeness = trials_.Force(&target, count.tried);
      if (!likeness) return likeness.error();
      ++count.tried;
      count.failed += *likeness == Likeness::kSame;
      if (count.failed + (seeds - count.tried) < least) break;
    }
    return count;
  }

  // Keeps the better one; says whether it is as good as can be.
  Status Consider(const Orders& orders, Count few) {
    const bool worth = few.tried != 0 && few.failed == few.tried;
    if (!worth || num_confirmed_ >= kMostConfirmed) {
      if (few.failed > best_few_ && best_sure_ == 0) {
        best_few_ = few.failed;
        best_ = orders;
      }
      return {};
    }
    ++num_confirmed_;
    const Result<Count> all = Fails(orders, options_.seeds, best_sure_ + 1);
    if (!all) return all.error();
    if (all->failed > best_sure_ ||
        (all->failed == best_sure_ && orders.size() < best_.size())) {
      best_sure_ = all->failed;
      best_ = orders;
    }
    enough_ = all->failed == options_.seeds;
    return {};
  }

  Status TryAlone() {
    size_t tried = 0;
    for (const OrderCandidate& candidate : candidates_) {
      if (enough_ || Over() || tried == kAlone) break;
      if (candidate.lacking != Everybody()) continue;
      ++tried;
      const Result<Count> few = Fails({candidate}, kFewSeeds, 0);
      if (!few) return few.error();
      if (Status done = Consider({candidate}, *few); !done) return done;
    }
    return {};
  }

  // All that are compared: one that has an order and passes shows that it is
  // not enough.
  uint64_t Everybody() const {
    return ~uint64_t{0} >> (kMostCompared - passed_.size());
  }

  static bool GoesBack(const OrderCandidate& a, const OrderCandidate& b) {
    return a.before.thread == b.after.thread &&
           a.after.thread == b.before.thread;
  }

  Status TryPairs() {
    struct Two {
      size_t a, b;
      size_t score;
    };
    std::vector<Two> pairs;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      for (size_t j = i + 1; j < candidates_.size(); ++j) {
        const OrderCandidate& a = candidates_[i];
        const OrderCandidate& b = candidates_[j];
        if ((a.lacking | b.lacking) != Everybody()) continue;
        // Around one event, or from thread to thread and back.
        const bool around = a.after == b.before || b.after == a.before;
        pairs.push_back({i, j,
                         (GoesBack(a, b) ? 200u : 0u) + (around ? 100u : 0u) +
                             a.reversed + b.reversed});
      }
    }
    SortStably(pairs,
               [](const Two& a, const Two& b) { return a.score > b.score; });
    if (pairs.size() > kPairs) pairs.resize(kPairs);
    for (const Two& two : pairs) {
      if (enough_ || Over()) break;
      const Orders orders = {candidates_[two.a], candidates_[two.b]};
      const Result<Count> few = Fails(orders, kFewSeeds, 0);
      if (!few) return few.error();
      if (Status done = Consider(orders, *few); !done) return done;
    }
    return {};
  }

  // Those that, with `orders`, most executions that pass lack one of.
  Orders MostLacking(const Orders& orders) const {
    uint64_t lacking = 0;
    for (const OrderCandidate& order : orders) lacking |= order.lacking;
    Orders list = candidates_;
    SortStablyBy(list, [&](const OrderCandidate& candidate) {
      return -std::popcount(lacking | candidate.lacking);
    });
    if (list.size() > kAlone) list.resize(kAlone);
    return list;
  }

  // What did best so far with one more, as long as that helps.
  Status AddToBest() {
    uint64_t reached = best_sure_;
    constexpr uint64_t kSome = 12;
    Orders orders = best_;
    uint64_t rate = 0;
    while (orders.size() < kMostOrders && !enough_ && !Over()) {
      Orders better;
      for (const OrderCandidate& candidate : MostLacking(orders)) {
        if (Over()) break;
        Orders more = orders;
        more.push_back(candidate);
        const Result<Count> some = Fails(more, kSome, rate + 1);
        if (!some) return some.error();
        if (some->failed <= rate) continue;
        rate = some->failed;
        better = std::move(more);
        if (rate == kSome) break;
      }
      if (better.empty()) return {};
      orders = better;
      if (rate < kSome) continue;
      num_confirmed_ = 0;
      if (Status done = Consider(orders, {rate, kSome}); !done) return done;
      if (best_sure_ == reached) return {};
      reached = best_sure_;
      rate = 0;
    }
    if (best_sure_ == 0 && !orders.empty()) best_ = orders;
    return {};
  }

  // Each that changes nothing is left out.
  Status LeaveOut() {
    if (!enough_) return {};
    for (size_t i = 0; best_.size() > 1 && i < best_.size() && !Over();) {
      Orders fewer = best_;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      // An execution that has them all and passes: they are not enough.
      uint64_t lacking = 0;
      for (const OrderCandidate& order : fewer) lacking |= order.lacking;
      if (lacking != Everybody()) {
        ++i;
        continue;
      }
      const Result<Count> all = Fails(fewer, options_.seeds, options_.seeds);
      if (!all) return all.error();
      if (all->failed == options_.seeds) {
        best_ = std::move(fewer);
      } else {
        ++i;
      }
    }
    return {};
  }

  Trials& trials_;
  OrderedEvents failed_;
  OrderingOptions options_;
  uint64_t limit_;
  std::vector<OrderedEvents> passed_;
  Count control_;
  Orders candidates_;
  Orders best_;
  uint64_t best_few_ = 0;
  uint64_t best_sure_ = 0;
  size_t num_confirmed_ = 0;
  bool enough_ = false;
};

Result<Count> CountOf(Trials& trials, const Target* target, uint64_t seeds) {
  Count count;
  while (count.tried < seeds && !ShouldStop()) {
    const Result<Likeness> likeness = trials.Force(target, count.tried);
    if (!likeness) return likeness.error();
    if (*likeness == Likeness::kStopped) break;
    ++count.tried;
    count.failed += *likeness == Likeness::kSame;
  }
  return count;
}

Result<Count> CountIf(Trials& trials, const std::optional<Target>& target,
                      uint64_t seeds) {
  if (!target) return Count{.possible = false};
  return CountOf(trials, &*target, seeds);
}

// Steps that no edge names are dropped, and objects that no step is about.
Target WithoutIdleSteps(Target target) {
  std::set<uint32_t> used;
  for (const finding::TargetEdge& edge : target.edges) {
    used.insert(edge.before);
    used.insert(edge.after);
  }
  std::vector<uint32_t> index(target.steps.size());
  std::vector<finding::TargetStep> steps;
  for (const uint32_t step : used) {
    index[step] = static_cast<uint32_t>(steps.size());
    steps.push_back(target.steps[step]);
  }
  target.steps = std::move(steps);
  for (finding::TargetEdge& edge : target.edges) {
    edge.before = index[edge.before];
    edge.after = index[edge.after];
  }
  return target;
}

}  // namespace

std::optional<Target> Released(const Target& target, size_t edge) {
  Target without = target;
  without.edges.erase(without.edges.begin() + static_cast<ptrdiff_t>(edge));
  if (without.edges.empty()) return {};
  without = WithoutIdleSteps(std::move(without));
  if (!finding::CheckTarget(without)) return {};
  return without;
}

std::optional<Target> Reversed(const Target& target, size_t edge) {
  Target reversed = target;
  std::swap(reversed.edges[edge].before, reversed.edges[edge].after);
  // Steps of one thread are in order besides.
  Target whole = reversed;
  for (uint32_t i = 0; i < whole.steps.size(); ++i) {
    for (uint32_t j = i + 1; j < whole.steps.size(); ++j) {
      if (whole.steps[i].thread == whole.steps[j].thread) {
        whole.edges.push_back({.before = i, .after = j});
      }
    }
  }
  if (!finding::CheckTarget(whole)) return {};
  return reversed;
}

Status CountEvidence(Trials& trials, finding::Ordering& ordering,
                     uint64_t seeds) {
  const Target& target = ordering.target;
  const Result<Count> all = CountOf(trials, &target, seeds);
  if (!all) return all.error();
  const Result<Count> none = CountOf(trials, nullptr, seeds);
  if (!none) return none.error();
  ordering.all = *all;
  ordering.none = *none;
  ordering.edges.clear();
  for (size_t i = 0; i < target.edges.size(); ++i) {
    // Where it is the only one, nothing is forced without it.
    const std::optional<Target> released = Released(target, i);
    const Result<Count> without =
        released ? CountOf(trials, &*released, seeds) : Result<Count>(*none);
    if (!without) return without.error();
    const Result<Count> turned = CountIf(trials, Reversed(target, i), seeds);
    if (!turned) return turned.error();
    ordering.edges.push_back({.released = *without, .reversed = *turned});
  }
  return {};
}

Result<SearchedOrdering> SearchOrdering(Trials& trials, trace::Trace failed,
                                        const OrderingOptions& options) {
  return Search(trials, std::move(failed), options).Run();
}

}  // namespace fairlead::explore
