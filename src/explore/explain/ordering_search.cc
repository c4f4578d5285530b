#include "explore/explain/ordering_search.h"

#include <algorithm>
#include <bit>

#include "base/patience.h"
#include "explore/explain/common_orders.h"
#include "explore/explain/order_candidates.h"
#include "explore/explain/ordering_evidence.h"
#include "explore/explain/stable_order.h"
#include "explore/names/trace_keeper.h"

namespace fairlead::explore {
namespace {

using finding::Count;
using finding::Target;
using Orders = std::vector<OrderCandidate>;

// Executions that pass are compared with the one that fails: a few show what
// they disagree about. Where most fail, more are made to have a few.
constexpr size_t kPassing = 12;
constexpr uint64_t kMostToCompare = 48;
constexpr size_t kCandidates = 160;
constexpr size_t kAlone = 40;      // candidates that are tried alone
constexpr size_t kPairs = 80;      // pairs of them
constexpr uint64_t kFewSeeds = 4;  // to see whether it is worth more
constexpr size_t kMostOrders = 12;
constexpr size_t kMostConfirmed = 24;
// While a set grows: executions against it that are looked into, orders that
// are tried with it, with so many seeds each; and how often none may help.
constexpr size_t kAgainst = 8;
constexpr size_t kTriedWith = 16;
constexpr uint64_t kSomeSeeds = 12;
constexpr int kMostInVain = 3;
// What is compared at most: what passed without anything forced, and the last
// executions against.
constexpr size_t kCompared = 32;
static_assert(kCompared <= kMostCompared);
constexpr size_t kAlike = 16;

class Search {
 public:
  Search(Trials& trials, trace::Trace failed, const OrderingOptions& options)
      : trials_(trials),
        failed_(std::move(failed)),
        options_(options),
        limit_(trials.num_made() + options.limit) {}

  Result<SearchedOrdering> Run() {
    if (Status compared = Compare(); !compared) return compared.error();
    if (others_.passed.empty()) {
      return SearchedOrdering{{},
                              control_.tried == 0
                                  ? "no time was left to compare executions"
                                  : "every schedule that was tried fails"};
    }
    Refresh();
    if (candidates_.empty()) {
      return SearchedOrdering{{}, "no order of two events made a difference"};
    }
    for (const auto step :
         {&Search::TryAlone, &Search::TryPairs, &Search::Grow}) {
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
    finding::Ordering ordering = OrderingOf(best_, failed_, others_);
    if (Status done = CountEvidence(trials_, ordering, options_.seeds); !done) {
      return done.error();
    }
    if (ordering.sufficient()) {
      if (Status done = AddCommon(trials_, failed_, others_, best_, ordering);
          !done) {
        return done.error();
      }
    }
    return SearchedOrdering{std::move(ordering), ""};
  }

 private:
  bool Over() const { return ShouldStop() || trials_.num_made() >= limit_; }

  // One execution, of which the events are kept beside others' as it ended.
  Result<Likeness> Watch(const Target* target, uint64_t seed) {
    TraceKeeper keeper;
    const Result<Likeness> likeness = trials_.Force(target, seed, &keeper);
    if (!likeness || *likeness == Likeness::kStopped) return likeness;
    const bool alike = *likeness == Likeness::kSame;
    if (alike && others_.alike.size() == kAlike) return likeness;
    Namer namer(*trials_.last().executed.memory);
    OrderedEvents events(keeper.Take(namer), *likeness != Likeness::kOk);
    if (alike) {
      others_.alike.push_back(std::move(events));
      return likeness;
    }
    if (others_.passed.size() == kCompared) {
      others_.passed.erase(others_.passed.begin() +
                           static_cast<ptrdiff_t>(num_free_));
    }
    others_.passed.push_back(std::move(events));
    return likeness;
  }

  // The first executions without anything forced, with their events.
  Status Compare() {
    for (uint64_t seed = 0; seed < kMostToCompare && !Over(); ++seed) {
      if (others_.passed.size() == kPassing) break;
      const Result<Likeness> likeness = Watch(nullptr, seed);
      if (!likeness) return likeness.error();
      ++control_.tried;
      control_.failed += *likeness == Likeness::kSame;
    }
    num_free_ = others_.passed.size();
    return {};
  }

  void Refresh() { candidates_ = CandidatesOf(failed_, others_, kCandidates); }

  // How often it fails with these forced; gives up once `least` of `seeds`
  // cannot be had any more.
  Result<Count> Fails(const Orders& orders, uint64_t seeds, uint64_t least) {
    const Target target = OrderingOf(orders, failed_, others_).target;
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
    return ~uint64_t{0} >> (kMostCompared - others_.passed.size());
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
                             a.reversed + b.reversed + 20 * (a.kept + b.kept)});
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

  // With `orders` forced: executions that do not fail alike are kept, at most
  // kAgainst, and there were so many in so many.
  Result<Count> LookAgainst(const Orders& orders) {
    Target target;
    if (!orders.empty()) target = OrderingOf(orders, failed_, others_).target;
    Count count;
    while (count.tried < options_.seeds && !Over()) {
      const Result<Likeness> likeness =
          Watch(orders.empty() ? nullptr : &target, count.tried);
      if (!likeness) return likeness.error();
      ++count.tried;
      count.failed += *likeness == Likeness::kSame;
      if (count.tried - count.failed == kAgainst) break;
    }
    return count;
  }

  // Candidates that most of the last `number` compared lack.
  Orders MissingIn(size_t number, const Orders& orders) const {
    const size_t size = others_.passed.size();
    const uint64_t last =
        Everybody() & ~((uint64_t{1} << (size - std::min(size, number))) - 1);
    Orders list;
    for (const OrderCandidate& candidate : candidates_) {
      const bool known = std::ranges::any_of(orders, [&](const auto& order) {
        return order.before == candidate.before &&
               order.after == candidate.after;
      });
      if (!known && (candidate.lacking & last) != 0) list.push_back(candidate);
    }
    SortStablyBy(list, [&](const OrderCandidate& candidate) {
      return -std::popcount(candidate.lacking & last);
    });
    if (list.size() > kTriedWith) list.resize(kTriedWith);
    return list;
  }

  // The best of `orders` with one more of `list`; `rate` is how often `orders`
  // fails in kSomeSeeds, and becomes that of the result.
  Result<Orders> WithOneMore(const Orders& orders, const Orders& list,
                             uint64_t& rate) {
    Orders better;
    for (const OrderCandidate& candidate : list) {
      if (Over() || rate == kSomeSeeds) break;
      Orders more = orders;
      more.push_back(candidate);
      const Result<Count> some = Fails(more, kSomeSeeds, rate + 1);
      if (!some) return some.error();
      if (some->failed <= rate) continue;
      rate = some->failed;
      better = std::move(more);
    }
    return better;
  }

  // What did best so far, and what the executions against it lack.
  Status Grow() {
    Orders orders = best_;
    int in_vain = 0;
    while (!enough_ && !Over()) {
      const Result<Count> sure = LookAgainst(orders);
      if (!sure) return sure.error();
      if (!orders.empty() && sure->failed * 50 > best_rate_ * sure->tried) {
        best_rate_ = sure->failed * 50 / sure->tried;
        best_ = orders;
      }
      enough_ = sure->tried == options_.seeds && sure->failed == sure->tried;
      if (enough_ || orders.size() == kMostOrders || Over()) break;
      Refresh();
      const Orders list = MissingIn(sure->tried - sure->failed, orders);
      if (list.empty()) break;
      const Result<Count> now = orders.empty() ? Result<Count>(Count{})
                                               : Fails(orders, kSomeSeeds, 0);
      if (!now) return now.error();
      uint64_t rate = now->failed;
      Result<Orders> more = WithOneMore(orders, list, rate);
      if (!more) return more.error();
      if (more->empty()) {
        if (++in_vain == kMostInVain) break;
        // Each of the executions against lacks it, so it says something.
        *more = orders;
        more->push_back(list.front());
      }
      orders = *std::move(more);
    }
    return {};
  }

  // Each that changes nothing is left out.
  Status LeaveOut() {
    if (!enough_) return {};
    for (size_t i = 0; best_.size() > 1 && i < best_.size() && !Over();) {
      Orders fewer = best_;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
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
  Compared others_;
  size_t num_free_ = 0;  // of those that passed, without anything forced
  Count control_;
  Orders candidates_;
  Orders best_;
  uint64_t best_few_ = 0;
  uint64_t best_sure_ = 0;
  uint64_t best_rate_ = 0;  // of 50, while it grows
  size_t num_confirmed_ = 0;
  bool enough_ = false;
};

}  // namespace

Result<SearchedOrdering> SearchOrdering(Trials& trials, trace::Trace failed,
                                        const OrderingOptions& options) {
  return Search(trials, std::move(failed), options).Run();
}

}  // namespace fairlead::explore
