#include "analysis/iroot/profiler.h"

namespace fairlead::analysis::iroot {
namespace {

using order::EventKind;

// Locations of one event that windows look at; a copy of a block has many.
constexpr size_t kMaxNear = 8;

bool WaitsForOutside(EventKind kind) {
  return kind == EventKind::kPark || kind == EventKind::kSignalWait ||
         kind == EventKind::kSignalDelivered;
}

}  // namespace

void Profiler::OnEvent(const trace::Event& event) {
  const size_t index = abi::Index(event.tid);
  while (index >= instructions_.size()) {
    histories_.OnThreadBegin(Tid{static_cast<uint16_t>(instructions_.size())});
    instructions_.push_back(0);
    after_outside_.push_back(false);
    passes_.emplace_back();
  }
  instructions_[index] += event.instructions;
  segments_.OnEvent(event);
  const order::LocksetId before = locks_.SetOf(event.tid);
  const std::optional<Touch> touch = TouchOf(event);
  if (touch && !IsLock(touch->shape)) {
    OnTouch(event, *touch, before);
    return;
  }
  if (touch && touch->shape == Shape::kLock && options_.compound) {
    lock_pairs_.OnLock(event, *touch, locks_, segments_, instructions_[index]);
  }
  locks_.OnEvent(event);
  if (touch) {
    // The lock itself does not count among those held.
    OnTouch(event, *touch,
            touch->shape == Shape::kLock ? before : locks_.SetOf(event.tid));
    return;
  }
  if (order::EndsMemory(event.kind)) {
    histories_.EndMemory(event.address, event.value);
  } else if (event.kind == EventKind::kInit ||
             event.kind == EventKind::kDestroy) {
    histories_.EndLock(event.address);
  } else if (WaitsForOutside(event.kind)) {
    after_outside_[index] = true;
  } else {
    OnThreadLife(event);
  }
}

void Profiler::OnThreadLife(const trace::Event& event) {
  if (event.kind == EventKind::kFork && event.value < abi::kMaxThreads) {
    histories_.OnThreadBegin(Tid{static_cast<uint16_t>(event.value)});
  } else if (event.kind == EventKind::kEnd) {
    histories_.OnThreadEnd(event.tid);
  }
}

bool Profiler::InWindow(uint64_t place, bool shared_location) {
  if (!options_.find_shared) return true;
  if (place >= shared_places_.size()) shared_places_.resize(place + 1);
  if (shared_location) shared_places_[place] = true;
  return shared_places_[place] || ++num_unknown_ <= options_.max_unknown;
}

// Most zeros are counters, not pointers: only the compiler knows.
bool Profiler::WritesNull(const trace::Event& event, const Touch& touch) {
  return touch.shape == Shape::kWrite && event.value == 0 &&
         event.size == sizeof(void*) && tables_ != nullptr &&
         tables_->SiteOf(event).has(abi::kSitePointer);
}

void Profiler::OnTouch(const trace::Event& event, const Touch& touch,
                       order::LocksetId locks) {
  const uint64_t place = order::SiteKey(event);
  now_.seq = event.seq;
  now_.tid = event.tid;
  now_.kind = nodes_.Of({.place = place,
                         .locks = locks,
                         .tid = event.tid,
                         .shape = touch.shape,
                         .exclusive = touch.exclusive,
                         .atomic = touch.atomic});
  segments_.Now(event.tid, now_.moment);
  const uint64_t instructions = instructions_[abi::Index(event.tid)];
  const bool after_outside = after_outside_[abi::Index(event.tid)];
  std::vector<uint32_t>& passes = passes_[abi::Index(event.tid)];
  if (place >= passes.size()) passes.resize(place + 1);
  const uint32_t pass = ++passes[place];
  const bool writes_null = WritesNull(event, touch);
  size_t num_near = 0;
  histories_.Add(touch, now_, [&](const Histories::Seen& seen) {
    Node& node = nodes_[seen.node];
    if (after_outside) node.after_outside = true;
    if (node.occurrence == 0) node.occurrence = pass;
    node.null |= writes_null;
    if (!options_.compound) return;
    if (!InWindow(place, seen.shared) || num_near++ == kMaxNear) return;
    pairs_.Add(event.tid,
               {.node = seen.node,
                .address = seen.address,
                .lock = IsLock(touch.shape),
                .seq = event.seq,
                .instructions = instructions,
                .pass = pass,
                .own_before = seen.own_before},
               locks_);
  });
}

void Profiler::OnEnd() {
  histories_.OnEnd();
  Join();
}

}  // namespace fairlead::analysis::iroot
