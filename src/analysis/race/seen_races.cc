#include "analysis/race/seen_races.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/race/race_prediction.h"
#include "trace/kinds.h"

namespace fairlead::analysis {
namespace {

using order::AccessKind;

using trace::Event;
using trace::EventGroup;
using trace::EventKind;
using trace::Tid;

// What code of others may have synchronised by, as an object of its own.
constexpr uint64_t kOutThere = 1;

constexpr uint64_t kMostAtOnce = 8;  // bytes that a machine moves in one piece

bool IsInOnePiece(const Event& event) {
  return event.size <= kMostAtOnce && event.size != 0 &&
         event.address % event.size == 0;
}

bool IsSmallVolatile(const Event& event) {
  return event.has(abi::kFlagVolatile) && IsInOnePiece(event);
}

// Assembly, and operations of libatomic, have an order without being atomics.
Event AsItCounts(const Event& event) {
  const bool plain =
      event.kind == EventKind::kRead || event.kind == EventKind::kWrite;
  if (!plain || event.order() == abi::MemoryOrder::kPlain) return event;
  Event counts = event;
  counts.kind =
      event.kind == EventKind::kRead ? EventKind::kAtomicLoad : EventKind::kRmw;
  return counts;
}

// A volatile access as hand-made synchronisation uses it.
Event AsAtomic(const Event& event) {
  Event atomic = event;
  const bool writes = event.kind == EventKind::kWrite;
  atomic.kind = writes ? EventKind::kAtomicStore : EventKind::kAtomicLoad;
  const auto order =
      writes ? abi::MemoryOrder::kRelease : abi::MemoryOrder::kAcquire;
  atomic.flags =
      static_cast<uint16_t>((event.flags & ~uint32_t{abi::kFlagOrderMask}) |
                            static_cast<uint32_t>(order));
  return atomic;
}

// What may pass knowledge on without being an edge of the language's order.
// What threads print is nothing that they wait for.
bool GoesOutside(const Event& event) {
  const EventGroup group = trace::GroupOf(event.kind);
  if (group == EventGroup::kFile) return event.value != 1 && event.value != 2;
  return group == EventGroup::kOutside;
}

// How much there is to say about a race.
int RankOf(const SeenRace& race) {
  if (!race.realised()) return 0;
  return race.matters() ? 2 : 1;
}

}  // namespace

SeenRaces::Thread& SeenRaces::ThreadOf(Tid tid) {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) threads_.resize(index + 1);
  return threads_[index];
}

void SeenRaces::OnEvent(const Event& event) {
  if (abi::Index(event.tid) >= abi::kMaxThreads) return;
  Note(event);
  const Event counts = AsItCounts(event);
  const Entry now = Order(counts);
  if (order::AccessOf(counts) != AccessKind::kNone) {
    if (!threaded_) NoteEarly(event);
    if (threaded_ && event.instrumented()) OnAccess(counts, now);
    return;
  }
  if (event.kind == EventKind::kFork) threaded_ = true;
  if (event.kind == EventKind::kBenign) {
    benign_.Add(event.address, event.value);
  }
  if (order::EndsMemory(event.kind)) OnEnd(event, now);
  TellGuard(event);
}

// A static local's guard is also an atomic, which code that was compiled with
// us reads before it calls anybody; who initialises writes it in the library.
void SeenRaces::TellGuard(const Event& event) {
  if (event.kind == EventKind::kOnceBegin) {
    if (event.has(abi::kFlagSuccess)) {
      initialisers_[event.address] = event.tid;
    } else {
      TellGuardAccess(event, EventKind::kAtomicLoad,
                      abi::MemoryOrder::kAcquire);
    }
  }
  if (event.kind != EventKind::kOnceDone) return;
  const auto initialiser = initialisers_.find(event.address);
  if (initialiser == initialisers_.end() || initialiser->second != event.tid) {
    return;
  }
  initialisers_.erase(initialiser);
  TellGuardAccess(event, EventKind::kAtomicStore, abi::MemoryOrder::kRelease);
}

void SeenRaces::TellGuardAccess(const Event& event, EventKind kind,
                                abi::MemoryOrder order_of) {
  const Event access = {.seq = event.seq,
                        .tid = event.tid,
                        .kind = kind,
                        .flags = static_cast<uint16_t>(order_of),
                        .size = 1,
                        .address = event.address};
  for (order::HappensBefore* order : {&full_, &hand_, &wary_}) {
    order->OnEvent(access);
  }
}

// Who has been where.
void SeenRaces::Note(const Event& event) {
  Thread& thread = ThreadOf(event.tid);
  const bool foreign = event.has(abi::kFlagForeign);
  thread.before = thread.now;
  thread.now = event.seq + 1;
  if (foreign) thread.foreign = event.seq + 1;
  if (event.kind == EventKind::kEnd) thread.ended = true;
  if (!thread.open.empty()) Settle(thread, foreign);
}

// Where the thread has been until its event at hand is known now.
void SeenRaces::Settle(Thread& thread, bool foreign) {
  for (SeenRace& race : std::exchange(thread.open, {})) {
    if (foreign) race.proof = SeenRace::Proof::kPossible;
    Keep(race);
  }
}

// Whether it may be hand-made synchronisation: volatile, or a plain write to
// what is volatile for others.
bool SeenRaces::IsOfHand(const Event& event) {
  const bool writes = event.kind == EventKind::kWrite;
  if (!writes && event.kind != EventKind::kRead) return false;
  if (IsSmallVolatile(event)) {
    volatile_.insert(event.address);
    return true;
  }
  return writes && IsInOnePiece(event) && volatile_.contains(event.address);
}

SeenRaces::Entry SeenRaces::Order(const Event& event) {
  Entry entry;
  if (event.has(abi::kFlagForeign) || GoesOutside(event)) {
    Event passing = {.seq = event.seq, .tid = event.tid, .address = kOutThere};
    for (const EventKind kind : {EventKind::kRelease, EventKind::kAcquire}) {
      passing.kind = kind;
      wary_.OnEvent(passing);
    }
  }
  entry.full = full_.OnEvent(event);
  entry.wary = wary_.OnEvent(event);
  entry.hand = hand_.OnEvent(IsOfHand(event) ? AsAtomic(event) : event);
  if (order::AccessOf(event) == AccessKind::kNone) locks_.OnEvent(event);
  entry.spot = order::SpotOf(event);
  entry.locks = locks_.SetOf(event.tid);
  entry.writes = order::Writes(order::AccessOf(event)) || IsFree(event.kind);
  entry.atomic = order::IsAtomic(event);
  return entry;
}

void SeenRaces::OnAccess(const Event& event, const Entry& now) {
  for (uint64_t done = 0; done < event.size; done += order::kMaxAccessBytes) {
    memory_.Touch(event.address + done,
                  std::min(event.size - done, order::kMaxAccessBytes),
                  [&](uint64_t address, State& state) {
                    Touch(address, state, event, now);
                  });
  }
}

// What a constructor has put into its object before the first thread began is
// what its destructor may write again.
void SeenRaces::NoteEarly(const Event& event) {
  constexpr size_t kMostEarly = size_t{1} << 16;
  constexpr uint64_t kLeastPointer = 4096;
  if (event.kind != EventKind::kWrite || event.size != sizeof(uint64_t)) return;
  const auto known = early_words_.find(event.address);
  if (known != early_words_.end()) {
    known->second = event.value;
  } else if (event.value >= kLeastPointer && early_words_.size() < kMostEarly) {
    early_words_.emplace(event.address, event.value);
  }
}

// Whether it is known to write something else than was there. Where sites are
// idle, the constructor's own store may not have been told.
bool SeenRaces::Changes(uint64_t address, State& state, const Event& event) {
  const bool writes = order::Writes(order::AccessOf(event));
  if (event.size != sizeof(uint64_t) || address != event.address) {
    state.word_known = state.word_known && !writes;
    return writes;
  }
  if (!state.word_known) {
    const auto early = early_words_.find(address);
    if (early != early_words_.end()) {
      state.word = early->second;
      state.word_known = true;
    }
  }
  const bool same = !state.word_known || state.word == event.value;
  state.word = event.value;
  state.word_known = true;
  return writes && !same;
}

void SeenRaces::Touch(uint64_t address, State& state, const Event& event,
                      const Entry& entry) {
  Entry now = entry;
  now.changes = Changes(address, state, event);
  if (!IsSmallVolatile(event) && !(now.atomic && IsInOnePiece(event))) {
    state.other_than_volatile = true;
    if (state.told) not_volatile_.insert(address);
  }
  CheckAll(address, state, event, now);
  Add(state.entries, now);
}

// Drops what `now` makes superfluous: whatever races with it races with `now`
// as well.
void SeenRaces::Add(std::vector<Entry>& entries, const Entry& now) {
  if (now.writes && !now.atomic) {
    entries.clear();
  } else {
    const order::VectorClock& clock = full_.ClockOf(now.spot.tid);
    std::erase_if(entries, [&](const Entry& each) {
      const bool same = each.writes == now.writes && each.atomic == now.atomic;
      return same && (each.spot.tid == now.spot.tid || clock.Covers(each.full));
    });
  }
  entries.push_back(now);
}

void SeenRaces::OnEnd(const Event& event, const Entry& now) {
  const uint64_t end = event.address + event.value;
  if (end > event.address) {
    volatile_.erase(volatile_.lower_bound(event.address),
                    volatile_.lower_bound(end));
  }
  if (!threaded_) return;
  const bool frees = IsFree(event.kind);
  memory_.Forget(event.address, event.value,
                 [&](uint64_t address, State& state) {
                   if (frees) CheckAll(address, state, event, now);
                 });
  benign_.Forget(event.address, event.value);
}

void SeenRaces::CheckAll(uint64_t address, State& state, const Event& event,
                         const Entry& now) {
  const order::VectorClock& clock = full_.ClockOf(event.tid);
  for (const Entry& earlier : state.entries) {
    if (earlier.spot.tid == event.tid || clock.Covers(earlier.full)) continue;
    if (!earlier.writes && !now.writes) continue;
    if (earlier.atomic && now.atomic) continue;
    if (!benign_.Has(address)) Report(address, state, earlier, event, now);
  }
}

void SeenRaces::Report(uint64_t address, State& state, const Entry& earlier,
                       const Event& event, const Entry& now) {
  const Tid tid = event.tid;
  state.told = true;
  SeenRace race = {.earlier = earlier.spot,
                   .later = now.spot,
                   .address = address,
                   .proof = ProofOf(earlier, event),
                   .by_hand = hand_.ClockOf(tid).Covers(earlier.hand),
                   .all_volatile = !state.other_than_volatile,
                   .changes_nothing = !earlier.changes && !now.changes &&
                                      !IsFree(now.spot.kind)};
  const auto known =
      races_.find(std::minmax({race.earlier.key(), race.later.key()}));
  if (known != races_.end() && RankOf(known->second) >= RankOf(race)) return;
  race.earlier_locks = LocksOf(earlier.locks);
  race.later_locks = LocksOf(now.locks);
  Thread& other = ThreadOf(earlier.spot.tid);
  if (race.proof != SeenRace::Proof::kUnordered || other.ended) {
    Keep(race);
    return;
  }
  // Where it has gone since its last event its next one tells.
  std::vector<SeenRace>& open = other.open;
  const bool again = std::ranges::any_of(open, [&](const SeenRace& each) {
    return each.earlier.key() == race.earlier.key() &&
           each.later.key() == race.later.key();
  });
  if (!again) open.push_back(std::move(race));
}

SeenRace::Proof SeenRaces::ProofOf(const Entry& earlier, const Event& event) {
  using Proof = SeenRace::Proof;
  const Thread& own = ThreadOf(event.tid);
  const uint64_t since = earlier.spot.seq + 1;
  const bool foreign = event.has(abi::kFlagForeign);
  // It came to its point before, and has done nothing since.
  if (event.has(abi::kFlagPoint) && own.before < since && !foreign) {
    return Proof::kTogether;
  }
  if (!complete_ || own.foreign >= since ||
      ThreadOf(earlier.spot.tid).foreign > since ||
      wary_.ClockOf(event.tid).Covers(earlier.wary)) {
    return Proof::kPossible;
  }
  return Proof::kUnordered;
}

void SeenRaces::Keep(const SeenRace& race) {
  const Key key = std::minmax({race.earlier.key(), race.later.key()});
  const auto known = races_.find(key);
  if (known == races_.end()) {
    if (races_.size() < kMaxRaces) races_.emplace(key, race);
  } else if (RankOf(race) > RankOf(known->second)) {
    known->second = race;
  }
}

std::vector<uint64_t> SeenRaces::LocksOf(order::LocksetId set) const {
  std::vector<uint64_t> locks;
  for (const order::Locksets::Member& member : locks_.MembersOf(set)) {
    locks.push_back(member.lock);
  }
  return locks;
}

std::vector<SeenRace> SeenRaces::Finish() {
  // Where a thread without a further event went is not known.
  for (Thread& thread : threads_) Settle(thread, true);
  std::vector<SeenRace> races;
  for (auto& [key, race] : races_) {
    if (not_volatile_.contains(race.address)) race.all_volatile = false;
    races.push_back(std::move(race));
  }
  races_.clear();
  std::ranges::sort(races, {}, [](const SeenRace& race) {
    return std::tuple(race.later.seq, race.earlier.seq);
  });
  return races;
}

}  // namespace fairlead::analysis
