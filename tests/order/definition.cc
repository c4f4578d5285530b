#include "tests/order/definition.h"

#include <algorithm>
#include <optional>

#include "order/access.h"

namespace fairlead::order {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Tid;
using Events = std::vector<Event>;

bool Is(const Event& event, std::initializer_list<EventKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), event.kind) != kinds.end();
}

// Whether an object at `address` that exists at event i is the same at event j.
bool Lives(const Events& events, size_t i, size_t j, uint64_t address) {
  for (size_t k = i + 1; k < j; ++k) {
    const Event& event = events[k];
    if (Is(event, {EventKind::kInit, EventKind::kDestroy}) &&
        event.address == address) {
      return false;
    }
    if (EndsMemory(event.kind) && address - event.address < event.value) {
      return false;
    }
  }
  return true;
}

// The lock that an event takes or gives, in which mode.
struct LockUse {
  uint64_t lock = 0;
  bool shared = false;
};
std::optional<LockUse> Takes(const Event& event) {
  if (event.has(abi::kFlagRecursive)) return {};
  const bool shared = event.has(abi::kFlagShared);
  if (event.kind == EventKind::kLock) return LockUse{event.address, shared};
  if (event.kind == EventKind::kTryLock && event.has(abi::kFlagSuccess)) {
    return LockUse{event.address, shared};
  }
  if (event.kind == EventKind::kWaitDone && event.partner) {
    return LockUse{event.partner->object, false};
  }
  return {};
}
std::optional<LockUse> Gives(const Event& event) {
  if (event.has(abi::kFlagRecursive)) return {};
  const bool shared = event.has(abi::kFlagShared);
  if (event.kind == EventKind::kUnlock) return LockUse{event.address, shared};
  if (event.kind == EventKind::kWait && event.partner) {
    return LockUse{event.partner->object, false};
  }
  return {};
}

bool LockEdge(const Event& a, const Event& b) {
  const auto given = Gives(a);
  const auto taken = Takes(b);
  return given && taken && given->lock == taken->lock &&
         !(given->shared && taken->shared);
}

bool CreateEdge(const Events& events, size_t i, size_t j) {
  const Event& a = events[i];
  const Event& b = events[j];
  if (a.kind == EventKind::kFork && abi::Index(b.tid) == a.value) return true;
  if (b.kind == EventKind::kJoin && abi::Index(a.tid) == b.value) {
    bool began = false;
    bool ended = false;
    for (size_t k = 0; k < j; ++k) {
      if (events[k].tid != a.tid) continue;
      began |= events[k].kind == EventKind::kBegin;
      ended |= events[k].kind == EventKind::kEnd;
    }
    return !began || ended;
  }
  return a.kind == EventKind::kCancel && abi::Index(b.tid) == a.value &&
         Is(b, {EventKind::kCanceled, EventKind::kWakeCancel});
}

bool BarrierEdge(const Events& events, size_t i, size_t j) {
  if (events[i].kind != EventKind::kBarrierWait ||
      events[j].kind != EventKind::kBarrierDone ||
      events[i].address != events[j].address) {
    return false;
  }
  for (size_t k = j; k-- > 0;) {  // when did this thread arrive?
    if (events[k].tid == events[j].tid &&
        events[k].kind == EventKind::kBarrierWait &&
        events[k].address == events[j].address) {
      return events[k].value == events[i].value;
    }
  }
  return false;
}

bool CondvarEdge(const Events& events, size_t i, size_t j) {
  const Event& a = events[i];
  const Event& b = events[j];
  if (!Is(a, {EventKind::kSignal, EventKind::kBroadcast}) ||
      b.kind != EventKind::kWakeSignal || a.address != b.address ||
      b.partner->tid != a.tid) {
    return false;
  }
  if (b.value != 0) return b.value == a.seq;
  size_t wait = j;  // when the woken thread began to wait
  while (wait != 0 &&
         !(events[wait].kind == EventKind::kWait && events[wait].tid == b.tid &&
           events[wait].address == b.address)) {
    --wait;
  }
  for (size_t k = wait; k < j; ++k) {  // the first signal since then
    if (events[k].tid == a.tid && events[k].address == a.address &&
        Is(events[k], {EventKind::kSignal, EventKind::kBroadcast})) {
      return k == i;
    }
  }
  return false;
}

bool OnceEdge(const Events& events, size_t i, size_t j) {
  if (events[i].kind != EventKind::kOnceDone ||
      events[j].kind != EventKind::kOnceDone ||
      events[i].address != events[j].address) {
    return false;
  }
  for (size_t k = i; k-- > 0;) {
    if (events[k].address != events[i].address) continue;
    if (events[k].kind == EventKind::kOnceDone &&
        events[k].tid == events[i].tid) {
      return false;
    }
    if (events[k].kind == EventKind::kOnceBegin) {
      return events[k].tid == events[i].tid;
    }
  }
  return false;
}

// The events that release what a reader of write `w` learns: itself, or the
// last release fence before it.
std::vector<size_t> ReleasesOf(const Events& events, size_t w) {
  if (Releases(events[w].order())) return {w};
  for (size_t k = w; k-- > 0;) {
    if (events[k].tid == events[w].tid && events[k].kind == EventKind::kFence &&
        Releases(events[k].order())) {
      return {k};
    }
  }
  return {};
}

// The events that acquire by load `l`: itself, or all later acquire fences.
std::vector<size_t> AcquiresOf(const Events& events, size_t l) {
  if (Acquires(events[l].order())) return {l};
  std::vector<size_t> fences;
  for (size_t k = l + 1; k < events.size(); ++k) {
    if (events[k].tid == events[l].tid && events[k].kind == EventKind::kFence &&
        Acquires(events[k].order())) {
      fences.push_back(k);
    }
  }
  return fences;
}

void AtomicEdges(const Events& events, std::vector<std::vector<bool>>& edges) {
  for (size_t l = 0; l < events.size(); ++l) {
    if (!IsAtomic(events[l]) || !Reads(AccessOf(events[l]))) continue;
    for (size_t w = l; w-- > 0;) {
      const Event& write = events[w];
      if (!IsAtomic(write) || !Writes(AccessOf(write)) ||
          write.address != events[l].address) {
        continue;
      }
      if (!Lives(events, w, l, write.address)) break;
      for (const size_t from : ReleasesOf(events, w)) {
        for (const size_t to : AcquiresOf(events, l)) edges[from][to] = true;
      }
      if (AccessOf(write) != AccessKind::kUpdate) break;  // begins a sequence
    }
  }
}

// The last write of a location before event j; or its number.
size_t LastWrite(const Events& events, size_t j) {
  for (size_t k = j; k-- > 0;) {
    if (Writes(AccessOf(events[k])) && events[k].address == events[j].address) {
      return k;
    }
  }
  return j;
}

// The accesses of the thread of event j just before it, latest first.
std::vector<size_t> AccessesBefore(const Events& events, size_t j) {
  std::vector<size_t> found;
  for (size_t k = j; k-- > 0;) {
    if (events[k].tid == events[j].tid &&
        AccessOf(events[k]) != AccessKind::kNone) {
      found.push_back(k);
    }
  }
  return found;
}

uint64_t Seen(const Event& event) {
  return event.old_value.value_or(event.value);
}

bool SpinEnds(const Events& events, size_t j) {
  const std::vector<size_t> before = AccessesBefore(events, j);
  if (before.size() < 2) return false;
  const Event& a = events[before[1]];
  const Event& b = events[before[0]];
  const Event& c = events[j];
  for (const Event* each : {&a, &b, &c}) {
    if (!Reads(AccessOf(*each)) || each->address != c.address ||
        SiteKey(*each) != SiteKey(c)) {
      return false;
    }
  }
  return Seen(a) == Seen(b) && Seen(b) != Seen(c);
}

// Whether event j reads a pointer to a block that its thread did not know.
bool LearnsBlock(const Events& events, size_t j) {
  if (events[j].size != 8) return false;
  for (size_t k = j; k-- > 0;) {
    const Event& alloc = events[k];
    if (EndsMemory(alloc.kind) &&
        Seen(events[j]) - alloc.address < alloc.value) {
      if (alloc.kind != EventKind::kAlloc || alloc.tid == events[j].tid) {
        return false;
      }
      for (size_t l = k + 1; l < j; ++l) {
        const Event& each = events[l];
        if (each.tid != events[j].tid || AccessOf(each) == AccessKind::kNone) {
          continue;
        }
        if (each.address - alloc.address < alloc.value) return false;
        if (each.size == 8 && each.value - alloc.address < alloc.value) {
          return false;
        }
      }
      return true;
    }
  }
  return false;
}

bool RecognisedEdge(const Events& events, size_t i, size_t j) {
  if (!Reads(AccessOf(events[j])) || LastWrite(events, j) != i || i == j ||
      events[i].value != Seen(events[j])) {
    return false;
  }
  return SpinEnds(events, j) || LearnsBlock(events, j);
}

bool SameObject(const Events& events, size_t i, size_t j, EventKind from,
                EventKind to) {
  return events[i].kind == from && events[j].kind == to &&
         events[i].address == events[j].address &&
         Lives(events, i, j, events[i].address);
}

bool Edge(const Events& events, size_t i, size_t j, EdgeSet kinds) {
  const Event& a = events[i];
  const Event& b = events[j];
  if (a.tid == b.tid) return true;
  if (kinds.has(EdgeKind::kCreate) && CreateEdge(events, i, j)) return true;
  if (kinds.has(EdgeKind::kBarrier) && BarrierEdge(events, i, j)) return true;
  if (kinds.has(EdgeKind::kCondvar) && CondvarEdge(events, i, j)) return true;
  if (kinds.has(EdgeKind::kSemaphore) && b.has(abi::kFlagSuccess) &&
      SameObject(events, i, j, EventKind::kSemPost, EventKind::kSemWait)) {
    return true;
  }
  if (kinds.has(EdgeKind::kOnce) && OnceEdge(events, i, j)) return true;
  if (kinds.has(EdgeKind::kMutex) && LockEdge(a, b) &&
      Lives(events, i, j, Gives(a)->lock)) {
    return true;
  }
  if (kinds.has(EdgeKind::kOutside) && a.kind == EventKind::kSignalSent &&
      b.kind == EventKind::kSignalDelivered && a.partner->tid == b.tid) {
    return true;
  }
  if (kinds.has(EdgeKind::kAnnotated) &&
      SameObject(events, i, j, EventKind::kRelease, EventKind::kAcquire)) {
    return true;
  }
  return kinds.has(EdgeKind::kRecognised) && RecognisedEdge(events, i, j);
}

}  // namespace

// Mutexes and read-write locks are left out together here: which of the two a
// lock is, events tell only once it was used in read mode.
Definition::Definition(const trace::Trace& trace, EdgeSet kinds) {
  const Events& events = trace.events;
  const size_t n = events.size();
  reach_.assign(n, std::vector<bool>(n));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) {
      reach_[i][j] = Edge(events, i, j, kinds);
    }
  }
  if (kinds.has(EdgeKind::kAtomics)) AtomicEdges(events, reach_);
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < k; ++i) {
      if (!reach_[i][k]) continue;
      for (size_t j = k + 1; j < n; ++j) {
        if (reach_[k][j]) reach_[i][j] = true;
      }
    }
  }
}

}  // namespace fairlead::order
