#include "order/happens_before.h"

#include <algorithm>

#include "trace/kinds.h"

namespace fairlead::order {
namespace {

using trace::EventGroup;

}  // namespace

HappensBefore::Thread& HappensBefore::NewThread(Tid tid) {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) threads_.resize(index + 1);
  // Segments count from 1, so that 0 is before all of them.
  threads_[index].clock.Set(tid, 1);
  threads_[index].exists = true;
  return threads_[index];
}

// A thread that an event names; null when there can be no such thread.
HappensBefore::Thread* HappensBefore::OtherThread(uint64_t number) {
  if (number >= abi::kMaxThreads) return nullptr;
  return &ThreadOf(Tid{static_cast<uint16_t>(number)});
}

std::shared_ptr<const VectorClock> HappensBefore::SnapshotOf(Tid tid) {
  Thread& thread = ThreadOf(tid);
  if (thread.snapshot == nullptr) {
    thread.snapshot = std::make_shared<const VectorClock>(thread.clock);
  }
  return thread.snapshot;
}

void HappensBefore::Learn(Thread& thread, const Knowledge& knowledge) {
  Acquire(thread, *knowledge.clock);
  if (thread.clock.Covers(knowledge.own)) return;
  thread.clock.Set(knowledge.own.tid(), knowledge.own.number());
  thread.snapshot.reset();
}

void HappensBefore::Publish(const Event& event, Epoch stamp) {
  custom_.Publish(event, {SnapshotOf(event.tid), stamp});
}

Epoch HappensBefore::OnAtomicAccess(const Event& event, AccessKind kind) {
  Thread& thread = ThreadOf(event.tid);
  const bool recognises =
      edges_.has(EdgeKind::kRecognised) && recognise_ == Recognise::kAll;
  if (recognises) {
    if (const Knowledge* knowledge = custom_.Learns(event, kind)) {
      Learn(thread, *knowledge);
    }
  }
  const bool counts = edges_.has(EdgeKind::kAtomics);
  if (counts && Reads(kind)) {
    if (const VectorClock* known = atomics_.Find(event.address)) {
      if (Acquires(event.order())) {
        Acquire(thread, *known);
      } else {
        thread.relaxed.Join(*known);
      }
    }
  }
  const Epoch stamp(event.tid, thread.clock.Of(event.tid));
  if (!Writes(kind)) return stamp;
  bool releases = false;
  if (counts) {
    OnAtomic(event, thread);
    releases = Releases(event.order());
  }
  if (recognises && custom_.Publishes(event)) {
    Publish(event, stamp);
    releases = true;
  }
  if (releases) EndSegment(event.tid);
  return stamp;
}

// The writing half: what those who read from here will learn. A
// read-modify-write goes on with the release sequence; a store begins a new
// one.
void HappensBefore::OnAtomic(const Event& event, Thread& thread) {
  const VectorClock& given =
      Releases(event.order()) ? thread.clock : thread.fence;
  const bool continues = AccessOf(event) == AccessKind::kUpdate;
  if (given.empty()) {
    VectorClock* known = continues ? nullptr : atomics_.Find(event.address);
    if (known != nullptr) known->Clear();
    return;
  }
  VectorClock& known = atomics_.At(event.address);
  if (continues) {
    known.Join(given);
  } else {
    known = given;
  }
}

void HappensBefore::OnFence(const Event& event, Thread& thread) {
  if (!edges_.has(EdgeKind::kAtomics)) return;
  if (Acquires(event.order())) Acquire(thread, thread.relaxed);
  if (!Releases(event.order())) return;
  thread.fence = thread.clock;
}

Epoch HappensBefore::OnOther(const Event& event) {
  Thread& thread = ThreadOf(event.tid);
  // What ends a segment is stamped with the segment that it ends.
  const uint64_t before = thread.clock.Of(event.tid);
  switch (trace::GroupOf(event.kind)) {
    case EventGroup::kAccess:  // a fence
      OnFence(event, thread);
      if (edges_.has(EdgeKind::kAtomics) && Releases(event.order())) {
        EndSegment(event.tid);
      }
      break;
    case EventGroup::kSync:
      OnSync(event, thread);
      break;
    case EventGroup::kWake:
      OnWake(event, thread);
      break;
    case EventGroup::kThread:
      OnThreadLife(event, thread);
      break;
    case EventGroup::kOutside:
      if (edges_.has(EdgeKind::kOutside)) OnOutside(event, thread);
      break;
    case EventGroup::kMemory:
      if (edges_.has(EdgeKind::kRecognised)) custom_.OnMemory(event);
      if (EndsMemory(event.kind)) EndObjects(event.address, event.value);
      break;
    case EventGroup::kFile:
    case EventGroup::kFault:
    case EventGroup::kFrame:
    case EventGroup::kRequest:
    case EventGroup::kMark:
    case EventGroup::kExtension:
      break;  // order nothing
  }
  return Epoch(event.tid, before);
}

void HappensBefore::EndObjects(uint64_t address, uint64_t bytes) {
  locks_.Forget(address, bytes);
  semaphores_.Forget(address, bytes);
  annotated_.Forget(address, bytes);
  atomics_.Forget(address, bytes);
  condvars_.Forget(address, bytes);
  barriers_.Forget(address, bytes);
  onces_.Forget(address, bytes);
}

void HappensBefore::OnThreadLife(const Event& event, Thread& thread) {
  if (!edges_.has(EdgeKind::kCreate)) return;
  switch (event.kind) {
    case EventKind::kFork: {
      Thread* child = OtherThread(event.value);
      if (child == nullptr) return;
      // `child` may have moved the table.
      Acquire(*child, ThreadOf(event.tid).clock);
      EndSegment(event.tid);
      return;
    }
    case EventKind::kBegin:
      thread.began = true;
      return;
    case EventKind::kEnd:
      thread.ended = true;
      return;
    case EventKind::kJoin:
      OnJoin(event, thread);
      return;
    case EventKind::kCancel: {
      Thread* other = OtherThread(event.value);
      if (other == nullptr) return;
      other->canceled.Join(ThreadOf(event.tid).clock);
      EndSegment(event.tid);
      return;
    }
    case EventKind::kCanceled:
      Acquire(thread, thread.canceled);
      return;
    case EventKind::kDetach:
    case EventKind::kThreadName:
#define FL_OTHER_kThread(name)
#include "abi/other_groups.inc"
      return;
  }
}

// A join that failed comes before the end of its thread. Fixtures that leave
// out thread life mean every join.
void HappensBefore::OnJoin(const Event& event, Thread&) {
  Thread* other = OtherThread(event.value);
  if (other == nullptr || event.value == abi::Index(event.tid)) return;
  if (other->began && !other->ended) return;
  Acquire(ThreadOf(event.tid), other->clock);
  // Whatever such a thread does afterwards is not part of it.
  EndSegment(Tid{static_cast<uint16_t>(event.value)});
}

void HappensBefore::OnOutside(const Event& event, Thread& thread) {
  switch (event.kind) {
    case EventKind::kSignalSent: {
      const uint64_t to =
          event.partner ? abi::Index(event.partner->tid) : abi::kMaxThreads;
      Thread* other = OtherThread(to);
      VectorClock& clock = other == nullptr ? signalled_ : other->signalled;
      clock.Join(ThreadOf(event.tid).clock);
      EndSegment(event.tid);
      return;
    }
    case EventKind::kSignalDelivered:
      Acquire(thread, thread.signalled);
      Acquire(thread, signalled_);
      return;
    // Of waits and what ends them more is said by wakes and signals.
    case EventKind::kPark:
    case EventKind::kUnpark:
    case EventKind::kTimer:
    case EventKind::kInput:
    case EventKind::kSignalWait:
#define FL_OTHER_kOutside(name)
#include "abi/other_groups.inc"
      return;
  }
}

void HappensBefore::OnWake(const Event& event, Thread& thread) {
  switch (event.kind) {
    case EventKind::kWakeSignal:
    case EventKind::kWakeFutex:
      if (edges_.has(EdgeKind::kCondvar)) WokenBy(event, thread);
      return;
    case EventKind::kWakeCancel:
      if (edges_.has(EdgeKind::kCreate)) Acquire(thread, thread.canceled);
      return;
    // The event that follows says the same.
    case EventKind::kWakePost:
    case EventKind::kWakeBarrier:
    case EventKind::kWakeUnlock:
    case EventKind::kWakeCreate:
    case EventKind::kWakeEnd:
    case EventKind::kWakeOnce:
    case EventKind::kWakeKill:
#define FL_OTHER_kWake(name)
#include "abi/other_groups.inc"
      return;
  }
}

}  // namespace fairlead::order
