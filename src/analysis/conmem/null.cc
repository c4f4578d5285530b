#include "analysis/conmem/null.h"

#include <algorithm>

#include "analysis/conmem/held.h"
#include "analysis/makers.h"
#include "analysis/site_pairs.h"

namespace fairlead::analysis {

using conmem::LoadFor;
using order::LocksetId;
using trace::Event;
using trace::EventKind;

namespace {

constexpr uint64_t kPointerBytes = 8;
// Of more sites, passes are not counted.
constexpr uint32_t kMaxSites = 1u << 20;
// No pointer is below: nothing is mapped there.
constexpr uint64_t kFirstAddress = 0x10000;

// The entry of this thread and place, the oldest or a new one.
template <typename T>
T& EntryOf(std::vector<T>& list, const order::Spot& spot, size_t most) {
  for (T& each : list) {
    if (each.spot.tid == spot.tid && each.spot.key() == spot.key()) return each;
  }
  if (list.size() < most) return list.emplace_back();
  return *std::ranges::min_element(list, {},
                                   [](const T& each) { return each.spot.seq; });
}

// A place as a check: an accessor is one in one call, and none in another.
uint64_t CheckKey(const order::Spot& spot) {
  return spot.key() ^ static_cast<uint64_t>(spot.node) << 36;
}

// Whether a read can be the check of another one.
bool IsCheckOf(const order::Spot& check, const order::Spot& read) {
  return check.key() != read.key() || check.node != read.node;
}

}  // namespace

Null::Own& Null::OwnOf(Location& location, Tid tid) {
  for (Own& own : location.own) {
    if (own.tid == tid) return own;
  }
  return location.own.emplace_back(tid);
}

void Null::OnAccess(const Event& event, order::Model& order, PredictionSink&) {
  derefs_.OnTouch(event, [&](const Read& read) { OnUse(read, order); });
  emptied_.OnAccess(event, order, before_);
  if (event.size == kPointerBytes) {
    if (Reads(order.kind())) OnRead(event, order);
    if (Writes(order.kind())) OnWrite(event, order, By::kStore);
  } else if (event.size > kPointerBytes && Writes(order.kind())) {
    OnRange(event, order);
  }
  before_.Done(event.tid, order);
}

void Null::OnOther(const Event& event, order::Model& order, PredictionSink&) {
  emptied_.OnOther(event);
  if (event.kind == EventKind::kModuleData) {
    statics_.Add(event.address, event.value);
  } else if (order::EndsMemory(event.kind)) {
    locations_.Forget(event.address, event.value);
  } else if (event.address != 0) {
    derefs_.OnTouch(event, [&](const Read& read) { OnUse(read, order); });
  }
  before_.Done(event.tid, order);
}

void Null::OnRead(const Event& event, order::Model& order) {
  const uint64_t value = event.old_value.value_or(event.value);
  const uint32_t pass = PassOf(event);
  if (value == 0) {
    const uint64_t key = CheckKey(order::SpotOf(event));
    uint64_t& recent = recent_checks_[key / 2 % recent_checks_.size()];
    if (recent != key) checks_.insert(recent = key);
    OnNull(event, order);
  }
  if (value < kFirstAddress) return;
  Location* known = locations_.Find(event.address);
  Own* own = known == nullptr ? nullptr : &OwnOf(*known, event.tid);
  const LoadFor purpose = conmem::PurposeOf(event, tables_);
  derefs_.LoadedAgain(event.tid, value);
  if (purpose != LoadFor::kCheck) {
    Read read = {.spot = order::SpotOf(event),
                 .location = event.address,
                 .weak = static_cast<uint32_t>(order.weak_epoch().number()),
                 .locks = order.locks().SetOf(event.tid)};
    if (own != nullptr && own->write != 0) {
      read.own_write = own->write;
      read.since_write =
          conmem::HeldSince(own->write, event.tid, order.locks());
    }
    read.knew = before_.Of(event.tid, order);
    const uint64_t last = own == nullptr ? 0 : own->read.seq;
    if (last != 0) {
      read.since_read = conmem::HeldSince(last, event.tid, order.locks());
      if (IsCheckOf(own->read, read.spot)) read.check = own->read;
    }
    read.hold = conmem::FirstTakenSince(last, event.tid, order.locks());
    read.certain = purpose == LoadFor::kUse;
    read.pass = pass;
    if (read.certain) {
      OnUse(read, order);
    } else {
      derefs_.Await(event, value, read);
    }
  }
  if (known == nullptr) known = &locations_.At(event.address);
  known->pointed = true;
  OwnOf(*known, event.tid).read = order::SpotOf(event);
}

uint32_t Null::PassOf(const Event& event) {
  if (!event.instrumented() || event.site >= kMaxSites) return 0;
  const size_t index = abi::Index(event.tid);
  if (index >= passes_.size()) passes_.resize(index + 1);
  std::vector<uint32_t>& sites = passes_[index];
  if (event.site >= sites.size()) sites.resize(event.site + 1);
  return ++sites[event.site];
}

// Which nulls of other threads the thread could have come ahead of.
void Null::OnNull(const Event& event, order::Model& order) {
  Location* known = locations_.Find(event.address);
  if (known == nullptr || known->nulls.empty() ||
      (!known->pointed && !statics_.Has(event.address)) ||
      late_.size() >= kMostLate || order.IsBenign(event.address)) {
    return;
  }
  const order::Spot read = order::SpotOf(event);
  const LocksetId locks = order.locks().SetOf(event.tid);
  for (const Write& null : known->nulls) {
    if (null.spot.tid == event.tid || null.by == By::kRange ||
        before_.Of(event.tid, order)->Of(null.spot.tid) >= null.weak ||
        order.locks().Exclude(locks, null.locks) ||
        std::ranges::any_of(late_, [&](const Late& each) {
          return each.read.key() == read.key() &&
                 each.null.key() == null.spot.key();
        })) {
      continue;
    }
    late_.push_back({event.address, read, null.spot, null.hold});
  }
}

void Null::OnUse(const Read& read, order::Model& order) {
  Location& location = locations_.At(read.location);
  Read& entry = EntryOf(location.uses, read.spot, kMost);
  const bool same = entry.spot.key() == read.spot.key() &&
                    entry.spot.tid == read.spot.tid &&
                    entry.weak == read.weak && entry.locks == read.locks &&
                    entry.own_write == read.own_write;
  entry = read;
  if (same) return;
  for (Write& null : location.nulls) {
    Judge(null, entry, read.spot.tid, order);
  }
}

// A write of many bytes says which of its words are null
// (docs/design/trace.md); pointers that nobody has read yet are left out, since
// memset is how most of memory begins.
void Null::OnRange(const Event& event, order::Model& order) {
  constexpr uint64_t kWords = 64;
  const uint64_t begin =
      (event.address + kPointerBytes - 1) / kPointerBytes * kPointerBytes;
  const uint64_t skipped = begin - event.address;
  if (event.size < skipped + kPointerBytes || begin < event.address) return;
  const uint64_t words =
      std::min(kWords, (event.size - skipped) / kPointerBytes);
  Event word = event;
  word.size = kPointerBytes;
  for (uint64_t i = 0; i < words; ++i) {
    word.address = begin + i * kPointerBytes;
    if (locations_.Find(word.address) == nullptr) continue;
    word.value = (event.value >> i & 1) != 0 ? 0 : kFirstAddress;
    OnWrite(word, order, By::kRange);
  }
}

void Null::OnWrite(const Event& event, order::Model& order, By by) {
  if (event.value != 0 && event.value < kFirstAddress &&
      locations_.Find(event.address) == nullptr) {
    return;
  }
  Location& location = locations_.At(event.address);
  const auto weak = static_cast<uint32_t>(order.weak_epoch().number());
  for (Write& null : location.nulls) {
    if (null.spot.tid != event.tid || null.next != 0) continue;
    null.next = event.seq;
    null.next_weak = weak;
    const LocksetId over =
        conmem::HeldSince(null.spot.seq, event.tid, order.locks());
    null.over = over;
    for (const size_t suspect : null.suspects) {
      Suspect& each = suspects_[suspect];
      if (order.locks().Exclude(over, each.read.locks)) each.covered = true;
    }
  }
  OwnOf(location, event.tid).write = event.seq;
  if (event.value != 0) {
    location.pointed = true;
    return;
  }
  const order::Spot spot = order::SpotOf(event);
  Write& null = EntryOf(location.nulls, spot, kMost);
  null = {};
  null.spot = spot;
  null.weak = weak;
  null.locks = order.locks().SetOf(event.tid);
  null.library = event.has(abi::kFlagLibrary);
  null.by = by;
  null.hold = conmem::FirstTakenSince(0, event.tid, order.locks());
  for (const Read& read : location.uses) Judge(null, read, event.tid, order);
}

void Null::Judge(Write& null, const Read& read, Tid later,
                 order::Model& order) {
  if (null.spot.tid == read.spot.tid || suspects_.size() >= kMaxSuspects) {
    return;
  }
  bool first = false;  // the null comes first in every schedule
  if (later == null.spot.tid) {
    if (order.weak().ClockOf(later).Of(read.spot.tid) >= read.weak) return;
  } else {
    const uint64_t knows = read.knew->Of(null.spot.tid);
    first = knows >= null.weak;
    if (first && null.library) return;
    if (null.next != 0 && (knows >= null.next_weak ||
                           order.locks().Exclude(null.over, read.locks))) {
      return;
    }
    if (knows >= null.weak && null.spot.seq < read.own_write) return;
  }
  if (order.locks().Exclude(read.since_write, null.locks) ||
      order.locks().Exclude(read.since_read, null.locks) ||
      order.IsBenign(read.location)) {
    return;
  }
  null.suspects.push_back(suspects_.size());
  // What is cleared with the rest of its structure is often told by another
  // field, which the reader looks at in the same section.
  const bool told =
      null.by == By::kRange && order.locks().Exclude(read.locks, null.locks);
  suspects_.push_back(
      {read.location, null.spot, read, false, !first && !told, null.by});
}

void Null::OnEnd(PredictionSink& out) {
  SitePairs reported;
  size_t num_passes = 0;
  for (const Suspect& each : suspects_) {
    const Read& read = each.read;
    const bool went_on = checks_.contains(CheckKey(read.spot));
    if (each.covered || (went_on && !read.certain)) continue;
    if (reported.AddOrdered(each.null.key(), read.spot.key())) {
      Report(each, went_on, 0, out);
    }
    if (read.check.seq == 0 && read.pass > 1 && read.pass <= kLastPass &&
        num_passes < kMostPasses &&
        reported.AddOrdered(each.null.key(), read.spot.key(), read.pass)) {
      ++num_passes;
      Report(each, went_on, read.pass, out);
    }
  }
  suspects_.clear();
  ReportLate(out);
  ReportEmptied(out);
}

// `pass`: of the reader over its place; 0 = any, and it may wait ahead of it.
void Null::Report(const Suspect& suspect, bool went_on, uint32_t pass,
                  PredictionSink& out) {
  const Read& read = suspect.read;
  Prediction prediction = NewPrediction(name(), "null pointer");
  const std::string object = AddObject(prediction, "p", suspect.location);
  if (read.check.seq != 0 && pass == 0) {
    prediction.by_calls = read.check.key() == read.spot.key();
    const uint32_t check = AddStep(prediction, read.check, object);
    prediction.target.edges.push_back({.before = check, .after = check + 1});
  }
  const uint32_t first = AddStep(prediction, suspect.null, object);
  const uint32_t second = AddStep(prediction, read.spot, object);
  if (suspect.by == By::kStore) {
    prediction.target.steps[first].value = finding::ValueIs::kZero;
  }
  prediction.likely = suspect.likely && !went_on && pass == 0;
  prediction.target.edges.push_back({.before = first,
                                     .after = second,
                                     .adjacency = finding::Adjacency::kNobody});
  if (pass == 0) {
    prediction.holds[second] = conmem::HoldSpot(read.hold);
  } else {
    prediction.target.steps[second].occurrence = pass;
  }
  out.Report(std::move(prediction));
}

void Null::ReportLate(PredictionSink& out) {
  for (const Late& each : late_) {
    Prediction prediction = NewPrediction(name(), "null pointer");
    prediction.likely = false;
    const std::string object = AddObject(prediction, "p", each.location);
    const uint32_t first = AddStep(prediction, each.read, object);
    prediction.target.steps[first].value = finding::ValueIs::kNonzero;
    const uint32_t second = AddStep(prediction, each.null, object);
    prediction.holds[second] = conmem::HoldSpot(each.hold);
    prediction.target.edges.push_back({.before = first, .after = second});
    out.Report(std::move(prediction));
  }
  late_.clear();
}

void Null::ReportEmptied(PredictionSink& out) {
  for (const conmem::FoundEmpty& each : emptied_.found()) {
    Prediction prediction = NewPrediction(name(), "nothing left");
    prediction.likely = false;
    const std::string object = AddObject(prediction, "n", each.location);
    const uint32_t first = AddStep(prediction, each.look, object);
    prediction.target.steps[first].value = finding::ValueIs::kNonzero;
    const uint32_t second = AddStep(prediction, each.last, object);
    prediction.holds[second] = conmem::HoldSpot(each.hold);
    prediction.target.edges.push_back({.before = first, .after = second});
    out.Report(std::move(prediction));
  }
}

std::unique_ptr<Analysis> MakeNull() { return std::make_unique<Null>(); }

}  // namespace fairlead::analysis
