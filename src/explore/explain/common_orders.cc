#include "explore/explain/common_orders.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/patience.h"
#include "explore/explain/ordering_evidence.h"
#include "explore/explain/stable_order.h"
#include "explore/names/trace_keeper.h"

namespace fairlead::explore {
namespace {

using finding::Target;
using Orders = std::vector<OrderCandidate>;

// So many that failed are compared; of so many orders that all of them had, it
// is tried whether it fails with the order reversed, so many times each.
constexpr size_t kAlike = 24;
constexpr size_t kLookedAt = 4000;
constexpr size_t kTried = 48;
constexpr uint64_t kSeeds = 12;
constexpr size_t kMostNeeded = 10;
// Of orders at the same two places.
constexpr int kOfOnePlace = 2;
// Steps that a target can have.
constexpr size_t kMostSteps = finding::kMaxSteps;

class Finder {
 public:
  Finder(Trials& trials, const OrderedEvents& failed, Compared& others,
         const Orders& enough)
      : trials_(trials), failed_(failed), others_(others), enough_(enough) {}

  Result<std::vector<CommonOrder>> Run() {
    if (Status seen = SeeMore(); !seen) return seen.error();
    for (const OrderCandidate& order : enough_) {
      if (Count(order)) common_.push_back({order, true});
    }
    size_t tried = 0;
    size_t needed = 0;
    std::vector<OrderCandidate> others;
    for (const OrderCandidate& candidate : Kept()) {
      if (ShouldStop()) break;
      if (IsEnough(candidate)) continue;
      bool is = false;
      if (tried < kTried && needed < kMostNeeded) {
        ++tried;
        const Result<bool> found = IsNeeded(candidate);
        if (!found) return found.error();
        is = *found;
      }
      if (!is) {
        others.push_back(candidate);
      } else if (Count(candidate)) {
        ++needed;
        common_.push_back({candidate, true});
      }
    }
    for (const OrderCandidate& candidate : others) {
      if (Count(candidate)) common_.push_back({candidate, false});
    }
    return std::move(common_);
  }

 private:
  // Whether there is room for its steps.
  bool Count(const OrderCandidate& order) {
    // Other passes over the same places say little more.
    int& alike = places_[std::tuple(order.before.thread, order.before.anchor,
                                    order.after.thread, order.after.anchor)];
    if (alike == kOfOnePlace) return false;
    std::set<EventKey> more = steps_;
    more.insert(order.before);
    more.insert(order.after);
    if (more.size() > kMostSteps) return false;
    steps_ = std::move(more);
    ++alike;
    return true;
  }

  // Executions that fail in this way: with what is enough forced, and no more.
  Status SeeMore() {
    others_.alike.clear();
    const Target target = OrderingOf(enough_, failed_, others_).target;
    for (uint64_t seed = 0; seed < 2 * kAlike && !ShouldStop(); ++seed) {
      if (others_.alike.size() >= kAlike) break;
      TraceKeeper keeper;
      const Result<Likeness> likeness = trials_.Force(&target, seed, &keeper);
      if (!likeness) return likeness.error();
      if (*likeness != Likeness::kSame) continue;
      Namer namer(*trials_.last().executed.memory);
      others_.alike.emplace_back(keeper.Take(namer), true);
    }
    return {};
  }

  // Orders that all of them had, if need be with other threads in the same
  // parts; those of the program's own accesses first.
  Orders Kept() const {
    Orders kept = CandidatesOf(failed_, others_, kLookedAt, 0);
    std::erase_if(kept, [&](const OrderCandidate& order) {
      return order.kept != others_.alike.size() &&
             !std::ranges::all_of(
                 others_.alike, [&](const OrderedEvents& other) {
                   return other.BeforeInAny(order.before, order.after);
                 });
    });
    SortStablyBy(kept, [&](const OrderCandidate& order) {
      const bool own = IsOwnAccess(order.before, failed_, others_) &&
                       IsOwnAccess(order.after, failed_, others_);
      // A deadlock is about locks, and what else differs follows from it.
      const bool about = IsDeadlock() ? !own : own;
      // A critical section forbids an order with one that leads back.
      const bool back =
          std::ranges::any_of(enough_, [&](const OrderCandidate& other) {
            return other.before.thread == order.after.thread &&
                   other.after.thread == order.before.thread;
          });
      return std::pair(about ? 0 : 1, back ? 0 : 1);
    });
    return kept;
  }

  bool IsDeadlock() const {
    return trials_.subject().finding->kind == finding::Kind::kDeadlock;
  }

  bool IsEnough(const OrderCandidate& order) const {
    return std::ranges::any_of(enough_, [&](const OrderCandidate& other) {
      return other.before == order.before && other.after == order.after;
    });
  }

  Result<bool> NeverFails(const Orders& orders) {
    const Target target = OrderingOf(orders, failed_, others_).target;
    if (!finding::CheckTarget(target)) return true;
    for (uint64_t seed = 0; seed < kSeeds && !ShouldStop(); ++seed) {
      const Result<Likeness> likeness = trials_.Force(&target, seed);
      if (!likeness) return likeness.error();
      if (*likeness == Likeness::kSame) return false;
    }
    return !ShouldStop();
  }

  Result<bool> IsNeeded(const OrderCandidate& order) {
    OrderCandidate reversed = order;
    std::swap(reversed.before, reversed.after);
    // Where threads do the same, others may have failed with them exchanged.
    if (order.kept == others_.alike.size()) {
      const Result<bool> alone = NeverFails({reversed});
      if (!alone || !*alone) return alone;
    }
    // Beside the others, where most executions would fail.
    Orders beside = enough_;
    std::erase_if(beside, [&](const OrderCandidate& other) {
      return other.before == order.before && other.after == order.after;
    });
    beside.push_back(reversed);
    return NeverFails(beside);
  }

  Trials& trials_;
  const OrderedEvents& failed_;
  Compared& others_;
  const Orders& enough_;
  std::set<EventKey> steps_;
  std::map<std::tuple<std::string, uint64_t, std::string, uint64_t>, int>
      places_;
  std::vector<CommonOrder> common_;
};

}  // namespace

Status AddCommon(Trials& trials, const OrderedEvents& failed, Compared& others,
                 const Orders& enough, finding::Ordering& ordering) {
  const Result<std::vector<CommonOrder>> common =
      Finder(trials, failed, others, enough).Run();
  if (!common) return common.error();
  finding::Ordering whole = OrderingOf(enough, failed, others, *common);
  ordering.target = std::move(whole.target);
  ordering.names = std::move(whole.names);
  ordering.common = std::move(whole.common);
  return {};
}

}  // namespace fairlead::explore
