#include "analysis/conmem/overflow.h"

#include <algorithm>

#include "analysis/conmem/held.h"
#include "analysis/makers.h"

namespace fairlead::analysis {

using trace::Event;

namespace {

constexpr uint64_t kLargest = 8;  // bytes of an index

enum class Feeds : uint8_t {
  kNoIndex,
  kPerhaps,  // the condition of a loop
  kIndex,    // … that counts up to it, or an index or length
};

Feeds FeedsIndex(const Event& event, trace::ProgramTables& tables) {
  const trace::SiteName& site = tables.SiteOf(event);
  if (site.has(abi::kSitePointer)) return Feeds::kNoIndex;
  if ((site.flags & (abi::kSiteFeedsIndex | abi::kSiteBound)) != 0) {
    return Feeds::kIndex;
  }
  const bool decides = site.loop != 0 && site.has(abi::kSiteFeedsBranch);
  return decides ? Feeds::kPerhaps : Feeds::kNoIndex;
}

}  // namespace

Overflow::Access Overflow::AccessOf(const Event& event, order::Model& order) {
  return {.spot = order::SpotOf(event),
          .weak = static_cast<uint32_t>(order.weak_epoch().number()),
          .locks = order.locks().SetOf(event.tid),
          .check = {},
          .hold = 0};
}

order::Spot Overflow::CheckOf(const State& state, const order::Spot& spot) {
  for (const Access& each : state.uses) {
    if (each.spot.tid == spot.tid && each.spot.key() == spot.key()) {
      return each.check;
    }
  }
  return {};
}

void Overflow::OnAccess(const Event& event, order::Model& order,
                        PredictionSink& out) {
  if (tables_ == nullptr) return;
  const bool fits = event.size <= kLargest;
  variables_.Touch(order.variables(), [&](uint64_t address, State& state) {
    if (!fits) return;
    const auto keep = [&](std::vector<Access>& list, const Access& access) {
      for (Access& each : list) {
        if (each.spot.tid != access.spot.tid ||
            each.spot.key() != access.spot.key()) {
          continue;
        }
        const bool same =
            each.weak == access.weak && each.locks == access.locks;
        each = access;
        return !same;
      }
      if (list.size() < kMost) list.push_back(access);
      return true;
    };
    if (Writes(order.kind())) {
      const Access write = AccessOf(event, order);
      if (keep(state.writes, write)) {
        for (const Access& use : state.uses) {
          Judge(address, write, use, event.tid, order, out);
        }
      }
    }
    if (order.kind() != order::AccessKind::kRead) return;
    const auto own =
        std::ranges::find(state.reads, event.tid, &order::Spot::tid);
    if (!state.uses.empty() && !state.writes.empty()) {
      OnLook(address, state, AccessOf(event, order), order, out);
    }
    const Feeds feeds = FeedsIndex(event, *tables_);
    if (feeds != Feeds::kNoIndex) {
      Access use = AccessOf(event, order);
      const uint64_t last = own == state.reads.end() ? 0 : own->seq;
      if (last != 0 && own->key() != use.spot.key()) {
        use.check = *own;
      } else if (last != 0) {
        use.check = CheckOf(state, use.spot);  // that of the round before
      }
      if (use.check.seq != 0) {
        use.locks = conmem::HeldSince(use.check.seq, event.tid, order.locks());
      }
      use.hold = conmem::FirstTakenSince(last, event.tid, order.locks());
      const bool known = feeds == Feeds::kIndex || use.check.seq != 0;
      if (known && keep(state.uses, use)) {
        for (const Access& write : state.writes) {
          Judge(address, write, use, event.tid, order, out);
        }
      }
    }
    if (own != state.reads.end()) {
      *own = order::SpotOf(event);
    } else if (state.reads.size() < kMost) {
      state.reads.push_back(order::SpotOf(event));
    }
  });
}

void Overflow::OnOther(const Event&, order::Model& order, PredictionSink&) {
  if (tables_ == nullptr) return;
  variables_.Forget(order.variables(), [](uint64_t, State&) {});
}

void Overflow::Judge(uint64_t address, const Access& write, const Access& use,
                     Tid later, order::Model& order, PredictionSink& out) {
  if (write.spot.tid == use.spot.tid) return;
  const Access& early = later == use.spot.tid ? write : use;
  if (order.weak().ClockOf(later).Of(early.spot.tid) >= early.weak ||
      order.locks().Exclude(use.locks, write.locks) ||
      order.IsBenign(address) ||
      !reported_.AddOrdered(write.spot.key(), use.spot.key(),
                            use.check.seq == 0 ? 0 : use.check.key())) {
    return;
  }
  Report(address, use.check, write.spot, use.spot, use.hold, out);
}

void Overflow::OnLook(uint64_t address, const State& state, const Access& look,
                      order::Model& order, PredictionSink& out) {
  const Tid tid = look.spot.tid;
  for (const Access& use : state.uses) {
    if (use.spot.tid == tid || use.check.key() != look.spot.key()) continue;
    for (const Access& write : state.writes) {
      if (write.spot.tid != use.spot.tid || write.spot.seq < use.spot.seq ||
          order.weak().ClockOf(tid).Of(write.spot.tid) >= write.weak ||
          order.locks().Exclude(look.locks, use.locks) ||
          order.IsBenign(address) ||
          !reported_.AddOrdered(write.spot.key(), use.spot.key(),
                                look.spot.key() + 1)) {
        continue;
      }
      order::Spot there = use.spot;
      there.tid = tid;
      Report(address, look.spot, write.spot, there, 0, out);
    }
  }
}

// `check` may be none: seq 0.
void Overflow::Report(uint64_t address, const order::Spot& check,
                      const order::Spot& write, const order::Spot& use,
                      uint64_t hold, PredictionSink& out) {
  Prediction prediction = NewPrediction(name(), "index or length may change");
  prediction.likely = false;
  const std::string object = AddObject(prediction, "n", address);
  if (check.seq != 0) {
    const uint32_t step = AddStep(prediction, check, object);
    prediction.target.edges.push_back({.before = step, .after = step + 1});
  }
  const uint32_t first = AddStep(prediction, write, object);
  const uint32_t second = AddStep(prediction, use, object);
  prediction.target.edges.push_back({.before = first,
                                     .after = second,
                                     .adjacency = finding::Adjacency::kNobody});
  prediction.holds[second] = conmem::HoldSpot(hold);
  out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeOverflow() {
  return std::make_unique<Overflow>();
}

}  // namespace fairlead::analysis
