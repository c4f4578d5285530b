#include "analysis/condvar/condvar.h"

#include <algorithm>

#include "analysis/makers.h"

namespace fairlead::analysis {
namespace {

using order::LocksetId;
using trace::Event;
using trace::EventKind;

bool Overlap(uint64_t one, uint64_t one_bytes, uint64_t other,
             uint64_t other_bytes) {
  return one - other < other_bytes || other - one < one_bytes;
}

template <typename Access>
bool Overlap(const std::vector<Access>& some, const std::vector<Access>& rest) {
  return std::ranges::any_of(some, [&](const Access& one) {
    return std::ranges::any_of(rest, [&](const Access& other) {
      return Overlap(one.address, one.bytes, other.address, other.bytes);
    });
  });
}

// The locks that were held at `seq` and still are, given what is held now.
LocksetId HeldSince(uint64_t seq, std::span<const order::HeldLock> held,
                    order::Locksets& locks) {
  std::vector<order::Locksets::Member> members;
  for (const order::HeldLock& lock : held) {
    if (lock.seq < seq) members.push_back({lock.lock, lock.mode});
  }
  return locks.Intern(std::move(members));
}

// Replaces the entry with the same place, or adds it; the oldest goes.
template <typename Entry>
void Keep(std::vector<Entry>& entries, Entry entry, size_t limit) {
  for (Entry& each : entries) {
    if (each.spot.tid == entry.spot.tid &&
        each.spot.key() == entry.spot.key()) {
      each = std::move(entry);
      return;
    }
  }
  if (entries.size() == limit) entries.erase(entries.begin());
  entries.push_back(std::move(entry));
}

}  // namespace

void Condvar::OnOther(const Event& event, order::Model& order,
                      PredictionSink& out) {
  switch (event.kind) {
    case EventKind::kWait:
      EndOfSection(event, out);
      OnWait(event, order, out);
      return;
    case EventKind::kWaitDone:
      OnWaited(event);
      return;
    case EventKind::kUnlock:
      EndOfSection(event, out);
      return;
    case EventKind::kSignal:
    case EventKind::kBroadcast:
      OnSignal(event, order, out);
      return;
    case EventKind::kInit:
    case EventKind::kDestroy:
      condvars_.Forget(event.address, 1);
      return;
    case EventKind::kEnd:
      ThreadOf(event.tid) = {};
      return;
    default:
      if (order::EndsMemory(event.kind)) {
        condvars_.Forget(event.address, event.value);
      }
      return;
  }
}

void Condvar::OnAccess(const Event& event, order::Model& order,
                       PredictionSink&) {
  Thread& thread = ThreadOf(event.tid);
  const bool writes = order::Writes(order.kind());
  if (thread.woken.pending && !writes) LookAgain(thread, event);
  Access& access = (writes ? thread.writes : thread.reads).Add();
  access.spot = order::SpotOf(event);
  access.address = event.address;
  access.bytes = event.size;
  access.locks = order.locks().SetOf(event.tid);
}

void Condvar::LookAgain(Thread& thread, const Event& event) {
  const uint64_t place = order::SpotOf(event).key();
  for (const Access& read : thread.woken.wait.reads) {
    if (read.spot.key() == place) thread.woken.pending = false;
  }
}

std::vector<Condvar::Access> Condvar::Recent::List() const {
  std::vector<Access> list;
  const uint64_t first =
      num_added_ > kMaxAccesses ? num_added_ - kMaxAccesses : 0;
  for (uint64_t i = first; i < num_added_; ++i) {
    list.push_back(accesses_[i % kMaxAccesses]);
  }
  return list;
}

// `order` has let go of the mutex already; the section ends here.
void Condvar::OnWait(const Event& event, order::Model& order,
                     PredictionSink& out) {
  Thread& thread = ThreadOf(event.tid);
  Wait wait = {order::SpotOf(event),
               event.partner ? event.partner->object : 0,
               order.weak_epoch(),
               {},
               {},
               order.weak().SnapshotOf(event.tid)};
  // The condition: reads under the mutex, else the last read before.
  const auto under_mutex = [&](const Access& read) {
    const LocksetId mutex =
        order.locks().Intern({{wait.mutex, order::LockMode::kExclusive}});
    return read.spot.seq > thread.woken.wait.spot.seq &&
           order.locks().Exclude(read.locks, mutex);
  };
  const std::vector<Access> reads = thread.reads.List();
  for (const Access& read : reads) {
    if (under_mutex(read)) wait.reads.push_back(read);
  }
  const bool inside = !wait.reads.empty();
  if (!inside && !reads.empty()) wait.reads.push_back(reads.back());
  for (const Access& read : wait.reads) {
    // Locks held since the read; the mutex is one of them if it was read under
    // it, since the wait is what gives it up.
    const LocksetId since = HeldSince(
        read.spot.seq, order.locks().HeldBy(event.tid), order.locks());
    std::vector<order::Locksets::Member> members(
        order.locks().MembersOf(since).begin(),
        order.locks().MembersOf(since).end());
    if (inside) members.push_back({wait.mutex, order::LockMode::kExclusive});
    wait.over.push_back(order.locks().Intern(std::move(members)));
  }
  State& state = condvars_.At(event.address);
  for (const Wait& other : state.waits) {
    CompareWaits(event.address, other, wait, out);
  }
  for (const Signal& signal : state.signals) {
    Compare(event.address, wait, signal, order, out);
  }
  thread.waiting = wait;
  Keep(state.waits, std::move(wait), kMaxEntries);
}

void Condvar::OnWaited(const Event& event) {
  Thread& thread = ThreadOf(event.tid);
  thread.woken.wait = thread.waiting;
  thread.woken.condvar = event.address;
  thread.woken.pending =
      !thread.waiting.over.empty() && !event.has(abi::kFlagTimedOut);
}

// The section that goes on after a wait ends without another look.
void Condvar::EndOfSection(const Event& event, PredictionSink& out) {
  Woken& woken = ThreadOf(event.tid).woken;
  if (!woken.pending) return;
  const uint64_t lock = event.kind == EventKind::kWait
                            ? (event.partner ? event.partner->object : 0)
                            : event.address;
  if (lock != woken.wait.mutex) return;
  woken.pending = false;
  const order::Spot& read = woken.wait.reads.back().spot;
  if (!reported_.AddOrdered(woken.wait.spot.key(), read.key(), 1)) return;
  Prediction prediction =
      NewPrediction(name(), "condition not checked again after a wait");
  prediction.target.success = finding::Success::kFailure;
  const std::string condvar = AddObject(prediction, "c", woken.condvar);
  const std::string condition =
      AddObject(prediction, "x", woken.wait.reads.back().address);
  const uint32_t first = AddStep(prediction, read, condition);
  const uint32_t second = AddStep(prediction, woken.wait.spot, condvar);
  prediction.target.edges.push_back({.before = first, .after = second});
  out.Report(std::move(prediction));
}

void Condvar::OnSignal(const Event& event, order::Model& order,
                       PredictionSink& out) {
  Signal signal = {order::SpotOf(event), order.weak_epoch(),
                   ThreadOf(event.tid).writes.List(),
                   order.locks().SetOf(event.tid),
                   order.weak().SnapshotOf(event.tid)};
  State& state = condvars_.At(event.address);
  for (const Wait& wait : state.waits) {
    Compare(event.address, wait, signal, order, out);
  }
  if (event.kind == EventKind::kSignal) {
    WrongWaiter(event.address, state, signal, out);
  }
  Keep(state.signals, std::move(signal), kMaxEntries);
}

void Condvar::Compare(uint64_t condvar, const Wait& wait, const Signal& signal,
                      order::Model& order, PredictionSink& out) {
  if (wait.spot.tid == signal.spot.tid) return;
  if (wait.reads.empty()) {
    // Nothing is looked at, so a signal that comes first is lost.
    if (!wait.spot.instrumented || signal.knew->Covers(wait.epoch) ||
        wait.knew->Covers(signal.epoch) ||
        !reported_.AddOrdered(signal.spot.key(), wait.spot.key(), 2)) {
      return;
    }
    Prediction prediction = NewPrediction(name(), "lost wake-up");
    prediction.target.success = finding::Success::kDeadlock;
    const std::string object = AddObject(prediction, "c", condvar);
    const uint32_t first = AddStep(prediction, signal.spot, object);
    const uint32_t second = AddStep(prediction, wait.spot, object);
    prediction.target.edges.push_back({.before = first, .after = second});
    out.Report(std::move(prediction));
    return;
  }
  for (size_t i = 0; i < wait.reads.size(); ++i) {
    const Access& read = wait.reads[i];
    for (const Access& write : signal.writes) {
      if (!Overlap(read.address, read.bytes, write.address, write.bytes) ||
          order.locks().Exclude(wait.over[i], write.locks) ||
          signal.knew->Covers(wait.epoch) || wait.knew->Covers(signal.epoch) ||
          !reported_.AddOrdered(read.spot.key(), write.spot.key(),
                                signal.spot.key() ^ 3)) {
        continue;
      }
      Prediction prediction = NewPrediction(name(), "lost wake-up");
      prediction.target.success = finding::Success::kDeadlock;
      const std::string object = AddObject(prediction, "c", condvar);
      const std::string condition = AddObject(prediction, "x", read.address);
      const uint32_t steps[] = {AddStep(prediction, read.spot, condition),
                                AddStep(prediction, write.spot, condition),
                                AddStep(prediction, signal.spot, object),
                                AddStep(prediction, wait.spot, object)};
      for (size_t k = 0; k + 1 < std::size(steps); ++k) {
        prediction.target.edges.push_back(
            {.before = steps[k], .after = steps[k + 1]});
      }
      out.Report(std::move(prediction));
    }
  }
}

void Condvar::CompareWaits(uint64_t condvar, const Wait& one, const Wait& other,
                           PredictionSink& out) {
  if (one.mutex == other.mutex || one.spot.tid == other.spot.tid ||
      !reported_.Add(one.spot.key(), other.spot.key())) {
    return;
  }
  Prediction prediction =
      NewPrediction(name(), "condition variable with two mutexes");
  prediction.seen = true;
  prediction.target.success = finding::Success::kFailure;
  const std::string object = AddObject(prediction, "c", condvar);
  const uint32_t first = AddStep(prediction, one.spot, object);
  const uint32_t second = AddStep(prediction, other.spot, object);
  prediction.target.edges.push_back({.before = first, .after = second});
  out.Report(std::move(prediction));
}

void Condvar::WrongWaiter(uint64_t condvar, const State& state,
                          const Signal& signal, PredictionSink& out) {
  for (const Wait& meant : state.waits) {
    if (meant.spot.tid == signal.spot.tid ||
        !Overlap(meant.reads, signal.writes)) {
      continue;
    }
    for (const Wait& other : state.waits) {
      if (other.spot.tid == signal.spot.tid ||
          other.spot.tid == meant.spot.tid || other.reads.empty() ||
          other.spot.key() == meant.spot.key() ||
          Overlap(other.reads, signal.writes) ||
          meant.knew->Covers(other.epoch) || other.knew->Covers(meant.epoch) ||
          !reported_.AddOrdered(meant.spot.key(), other.spot.key(),
                                signal.spot.key())) {
        continue;
      }
      Prediction prediction =
          NewPrediction(name(), "signal may wake the wrong waiter");
      prediction.target.success = finding::Success::kDeadlock;
      const std::string object = AddObject(prediction, "c", condvar);
      const uint32_t first = AddStep(prediction, other.spot, object);
      const uint32_t second = AddStep(prediction, meant.spot, object);
      const uint32_t third = AddStep(prediction, signal.spot, object);
      prediction.target.edges.push_back({.before = first, .after = third});
      prediction.target.edges.push_back({.before = second, .after = third});
      out.Report(std::move(prediction));
    }
  }
}

std::unique_ptr<Analysis> MakeCondvar() { return std::make_unique<Condvar>(); }

}  // namespace fairlead::analysis
