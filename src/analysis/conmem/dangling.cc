#include "analysis/conmem/dangling.h"

#include <algorithm>

#include "analysis/conmem/held.h"
#include "analysis/makers.h"

namespace fairlead::analysis {

using conmem::Counting;
using conmem::Life;
using conmem::Use;
using conmem::Way;
using trace::Event;
using trace::EventKind;

namespace {

// A call on a primitive that another thread may make on it at any time.
bool UsesPrimitive(EventKind kind) {
  switch (kind) {
    case EventKind::kLock:
    case EventKind::kUnlock:
    case EventKind::kTryLock:
    case EventKind::kWait:
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kBarrierWait:
    case EventKind::kSemWait:
    case EventKind::kSemPost:
      return true;
    default:
      return false;
  }
}

const Counting* CountingOf(const Life& life, Tid tid, uint64_t location) {
  for (const Counting& each : life.counting) {
    if (each.tid == tid && each.location == location) return &each;
  }
  return nullptr;
}

// The counter by which `user` and `ender` share the block; null = none.
const Counting* SharedCounting(const Life& life, Tid user, Tid ender) {
  for (const Counting& each : life.counting) {
    if (each.tid != user || each.last_down == 0) continue;
    const Counting* other = CountingOf(life, ender, each.location);
    if (other != nullptr && other->last_down > each.last_down) return &each;
  }
  return nullptr;
}

std::string_view EndOf(EventKind kind) {
  switch (kind) {
    case EventKind::kUnmap:
      return "use after munmap";
    case EventKind::kDestroy:
      return "use after destruction";
    case EventKind::kClose:
      return "use after close";
    default:
      return "use after free";
  }
}

}  // namespace

void Dangling::OnAccess(const Event& event, order::Model& order,
                        PredictionSink& out) {
  twice_.OnAccess(event, lives_, order, [&](const conmem::FreedTwice& twice) {
    ReportTwice(twice, out);
  });
  told_.OnAccess(event, order);
  lives_.OnUse(event, order);
  lives_.OnPointer(event, order, [&](const conmem::Missed& missed) {
    ReportMissed(missed, out);
  });
  stacks_.OnEvent(event, order, [&](const conmem::LateOnStack& late) {
    ReportOnStack(late, out);
  });
}

void Dangling::OnOther(const Event& event, order::Model& order,
                       PredictionSink& out) {
  told_.OnOther(order);
  twice_.OnOther(event, order);
  lives_.OnOther(event, order);
  const auto report = [&](const conmem::LateOnStack& late) {
    ReportOnStack(late, out);
  };
  stacks_.OnThread(event, order, report);
  stacks_.OnEvent(event, order, report);
  switch (event.kind) {
    case EventKind::kAlloc:
    case EventKind::kRealloc:
      lives_.End(event.address, event.value, [](const Life&) {});
      primitives_.Forget(event.address, event.value);
      lives_.Begin(event, abi::BlockClass::kHeap);
      return;
    case EventKind::kMap:
      lives_.End(event.address, event.value, [](const Life&) {});
      lives_.Begin(event, abi::BlockClass::kMapped);
      return;
    case EventKind::kFree:
    case EventKind::kUnmap: {
      const End end = {event, order::SpotOf(event), EndOf(event.kind), order,
                       out};
      lives_.LeaveAll(event, order);
      lives_.End(event.address, event.value, [&](const Life& life) {
        JudgeAll(life.uses, &life, end);
        if (event.kind != EventKind::kFree) return;
        twice_.OnFree(event, life, [&](const conmem::FreedTwice& twice) {
          ReportTwice(twice, out);
        });
        lives_.OnFree(event, life, [&](const conmem::Missed& missed) {
          ReportMissed(missed, out);
        });
      });
      primitives_.Forget(event.address, event.value);
      return;
    }
    case EventKind::kOpen:
    case EventKind::kUse:
    case EventKind::kClose:
      OnDescriptor(event, order, out);
      return;
    default:
      OnSync(event, order, out);
  }
}

void Dangling::OnSync(const Event& event, order::Model& order,
                      PredictionSink& out) {
  if (event.kind == EventKind::kInit) primitives_.Forget(event.address, 1);
  if (UsesPrimitive(event.kind)) {
    Keep(primitives_.At(event.address), event, order);
    lives_.OnUse(event, order);
  }
  if (event.kind != EventKind::kDestroy) return;
  lives_.OnUse(event, order);
  if (const Uses* uses = primitives_.Find(event.address)) {
    JudgeAll(*uses, lives_.At(event.address),
             {event, order::SpotOf(event), EndOf(event.kind), order, out});
  }
  primitives_.Forget(event.address, 1);
}

void Dangling::OnDescriptor(const Event& event, order::Model& order,
                            PredictionSink& out) {
  if (event.kind == EventKind::kUse) {
    Keep(descriptors_[event.value], event, order);
    return;
  }
  const auto known = descriptors_.find(event.value);
  if (known == descriptors_.end()) return;
  if (event.kind == EventKind::kClose) {
    JudgeAll(known->second, nullptr,
             {event, order::SpotOf(event), EndOf(event.kind), order, out});
  }
  descriptors_.erase(known);
}

// The last one at each place and in each thread.
void Dangling::Keep(Uses& uses, const Event& event, order::Model& order) {
  const order::Spot spot = order::SpotOf(event);
  auto own = std::ranges::find_if(uses, [&](const Use& use) {
    return use.spot.tid == spot.tid && use.spot.key() == spot.key();
  });
  if (own == uses.end()) {
    if (uses.size() >= conmem::Lives::kMaxUses) {
      uses.erase(std::ranges::min_element(
          uses, {}, [](const Use& use) { return use.spot.seq; }));
    }
    uses.emplace_back();
    own = uses.end() - 1;
  }
  own->spot = spot;
  own->address = event.address;
  own->weak = static_cast<uint32_t>(order.weak_epoch().number());
  own->loose = static_cast<uint32_t>(order.loose_epoch().number());
}

void Dangling::JudgeAll(const Uses& uses, const Life* life, const End& end) {
  std::vector<const Use*> late;
  for (const Use& use : uses) {
    if (MayComeLater(use, life, end)) late.push_back(&use);
  }
  std::ranges::sort(late, {}, [](const Use* use) {
    return std::pair(use->spot.tid, ~use->spot.seq);
  });
  size_t num_told = 0;
  const Use* last = nullptr;
  for (const Use* use : late) {
    if (last == nullptr || last->spot.tid != use->spot.tid) num_told = 0;
    last = use;
    if (num_told++ < kReportsOfThread) Report(*use, life, end);
  }
}

bool Dangling::MayComeLater(const Use& use, const Life* life, const End& end) {
  const Tid user = use.spot.tid;
  const Tid ender = end.event.tid;
  // What gives a lock back has taken it, and that is the use that matters.
  if (user == ender || use.spot.kind == EventKind::kUnlock) return false;
  uint32_t segment = use.weak;
  const order::VectorClock* known = &end.order.weak().ClockOf(ender);
  if (life != nullptr) {
    if (const Counting* own = SharedCounting(*life, user, ender)) {
      const uint64_t up = own->net < 0 ? 0 : own->first_up;
      if (use.spot.seq > up && use.spot.seq <= own->last_down) return false;
      if (use.spot.seq <= up) {
        segment = use.loose;
        known = &end.order.loose().ClockOf(ender);
      }
    }
    for (const conmem::HandOver& each : life->handed) {
      if (each.to == ender && each.from.tid() == user &&
          each.from.number() >= use.weak) {
        return false;
      }
    }
  }
  return known->Of(user) < segment && !IsUnlinked(use, end);
}

bool Dangling::IsUnlinked(const Use& use, const End& end) {
  if (!use.ways) return false;
  const order::LocksetId held = end.order.locks().SetOf(end.event.tid);
  for (const Way& way : *use.ways) {
    if (end.order.locks().Exclude(way.over, held)) return true;
    const conmem::Unlink* unlink = lives_.UnlinkAt(way.location);
    if (unlink == nullptr || unlink->seq < way.seq) continue;
    const bool before =
        unlink->weak.tid() == end.event.tid ||
        end.order.weak().ClockOf(end.event.tid).Covers(unlink->weak);
    if (before && end.order.locks().Exclude(way.over, unlink->locks)) {
      return true;
    }
  }
  return false;
}

void Dangling::Report(const Use& use, const Life* life, const End& end) {
  if (!reported_.AddOrdered(end.spot.key(), use.spot.key())) return;
  Prediction prediction = NewPrediction(name(), end.kind);
  const bool is_block =
      end.event.kind == EventKind::kFree || end.event.kind == EventKind::kUnmap;
  const std::string object =
      AddObject(prediction, "x", is_block ? life->begin : end.event.address);
  if (is_block) {
    prediction.made = life->made;
    prediction.made_bytes = life->bytes;
  }
  std::string used = object;
  const uint32_t first = AddStep(prediction, end.spot, object);
  if (is_block) {
    used = AddObject(prediction, "field", use.address,
                     finding::Relation::kInsideFreed, object);
  }
  const uint32_t second = AddStep(prediction, use.spot, used);
  prediction.target.edges.push_back({.before = first,
                                     .after = second,
                                     .adjacency = finding::Adjacency::kNobody});
  prediction.holds[second] = conmem::HoldSpot(use.hold);
  prediction.likely = end.event.kind != EventKind::kClose &&
                      !told_.Knows(end.event.tid, use.spot.tid, use.spot.seq);
  end.out.Report(std::move(prediction));
}

// The second thread has looked, or has come as far as to the last use, when the
// first one frees; what it does then, nobody need say.
void Dangling::ReportTwice(const conmem::FreedTwice& twice,
                           PredictionSink& out) {
  order::Spot use = twice.last_use;
  use.tid = twice.look.tid;
  const bool looked = reported_.AddOrdered(twice.free.key(), twice.look.key());
  const bool used =
      use.seq != 0 && reported_.AddOrdered(twice.free.key(), use.key(), 1);
  for (const bool by_use : {false, true}) {
    if (by_use ? !used : !looked) continue;
    Prediction prediction = NewPrediction(name(), "double free");
    prediction.likely = twice.at_pointer && !by_use;
    prediction.made = twice.made;
    prediction.made_bytes = twice.bytes;
    const std::string block = AddObject(prediction, "x", twice.block);
    const std::string seen =
        by_use ? AddObject(prediction, "field", twice.used,
                           finding::Relation::kInsideFreed, block)
               : AddObject(prediction, "mark", twice.location);
    const uint32_t first = AddStep(prediction, by_use ? use : twice.look, seen);
    if (!by_use) {
      prediction.target.steps[first].value =
          twice.null ? finding::ValueIs::kZero : finding::ValueIs::kNonzero;
    }
    const uint32_t second = AddStep(prediction, twice.free, block);
    prediction.target.edges.push_back({.before = first, .after = second});
    out.Report(std::move(prediction));
  }
}

// Who came too late reads the pointer before the block is freed; what it would
// have done with it, this execution does not show.
void Dangling::ReportMissed(const conmem::Missed& missed, PredictionSink& out) {
  const order::Spot& free = missed.freed.spot;
  if (num_missed_ >= kMostMissed || missed.read.tid == free.tid ||
      !reported_.AddOrdered(free.key(), missed.read.key())) {
    return;
  }
  ++num_missed_;
  Prediction prediction = NewPrediction(name(), "use after free");
  prediction.likely = false;
  prediction.made = missed.freed.made;
  prediction.made_bytes = missed.freed.bytes;
  const std::string block = AddObject(prediction, "x", missed.freed.begin);
  const std::string pointer = AddObject(prediction, "p", missed.location);
  const uint32_t first = AddStep(prediction, missed.read, pointer);
  prediction.target.steps[first].value = finding::ValueIs::kNonzero;
  // The pointer may be taken away ahead of the free, or only behind it.
  uint32_t last = first;
  if (missed.gone.tid == free.tid && missed.gone.seq < free.seq) {
    const uint32_t gone = AddStep(prediction, missed.gone, pointer);
    prediction.holds[gone] = conmem::HoldSpot(missed.hold);
    prediction.target.edges.push_back({.before = first, .after = gone});
    last = gone;
  }
  const uint32_t second = AddStep(prediction, free, block);
  prediction.target.edges.push_back({.before = last, .after = second});
  out.Report(std::move(prediction));
}

void Dangling::OnEnd(PredictionSink& out) {
  stacks_.OnEnd(
      [&](const conmem::LateOnStack& late) { ReportOnStack(late, out); });
}

void Dangling::ReportOnStack(const conmem::LateOnStack& late,
                             PredictionSink& out) {
  if (num_on_stacks_ >= kMostOnStacks ||
      !reported_.AddOrdered(late.after.key(), late.use.key())) {
    return;
  }
  ++num_on_stacks_;
  Prediction prediction = NewPrediction(
      name(), late.ended ? "use after the thread's end" : "use after return");
  prediction.likely = false;
  const std::string object = AddObject(prediction, "x", late.address);
  const std::string other = AddObject(prediction, "at", late.after_address);
  const uint32_t first = AddStep(prediction, late.after, other);
  const uint32_t second = AddStep(prediction, late.use, object);
  prediction.holds[second] = conmem::HoldSpot(late.hold);
  prediction.target.edges.push_back({.before = first, .after = second});
  out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeDangling() {
  return std::make_unique<Dangling>();
}

}  // namespace fairlead::analysis
