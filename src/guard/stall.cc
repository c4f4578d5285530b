#include "guard/stall.h"

#include "guard/backoff.h"
#include "guard/board.h"
#include "guard/locks.h"
#include "guard/log.h"
#include "guard/rules.h"
#include "guard/self.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

// Waiter::state; a number, since atomic operations take no enumeration.
constexpr uint32_t kFree = 0;
constexpr uint32_t kWaiting = 1;
constexpr uint32_t kGranted = 2;

struct Waiter {
  uint32_t state;
  uint32_t mask;
  Granule* granule;
  Self* thread;
  uint32_t number;  // of the thread
  uint32_t site;
  uint32_t without_locks;  // 1 = it has given up locks for the stall
  uint32_t hopeless;       // 1 = who could end it waits for a lock of ours
  uint32_t futex;
};

constexpr uint32_t kMaxWaiters = 64;
Waiter waiters[kMaxWaiters];

template <typename T>
T Get(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_ACQUIRE);
}
template <typename T>
void Set(T& to, T value) {
  __atomic_store_n(&to, value, __ATOMIC_RELEASE);
}

void Poke(Waiter& waiter) {
  __atomic_fetch_add(&waiter.futex, 1, __ATOMIC_RELEASE);
  sys::Wake(&waiter.futex);
}

Waiter* TakeWaiter() {
  for (Waiter& waiter : waiters) {
    uint32_t state = kFree;
    if (Get(waiter.state) == state &&
        __atomic_compare_exchange_n(&waiter.state, &state, kWaiting, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      return &waiter;
    }
  }
  return nullptr;
}

bool AllAllowed(const Granule& granule, uint32_t mask, uint32_t thread,
                uint32_t site) {
  const Predecessors all = Look(granule, mask, thread);
  for (uint32_t i = 0; i < all.count; ++i) {
    if (!IsAllowed(site, all.places[i])) return false;
  }
  return true;
}

// One stall, from the violation to its end.
class Stall {
 public:
  Stall(Waiter& waiter, uint64_t begin)
      : waiter_(waiter), deadline_(begin + options.stall_ns) {}

  StallEnd Run() {
    num_yielded_ = YieldLocks();
    if (num_yielded_ != 0) Count(&abi::GuardCounters::yielded);
    Set(waiter_.without_locks, num_yielded_ != 0 ? 1u : 0u);
    StallEnd end = WaitOnce();
    // With its locks back, somebody else may have come first.
    while (num_yielded_ != 0) {
      TakeLocksBack(num_yielded_);
      Set(waiter_.without_locks, 0u);
      if (end != StallEnd::kResolved || IsRight()) break;
      num_yielded_ = YieldLocks();
      Set(waiter_.without_locks, num_yielded_ != 0 ? 1u : 0u);
      end = WaitOnce();
    }
    return end;
  }

 private:
  bool IsRight() {
    if (!Hold(*waiter_.granule)) return false;
    const bool right = AllAllowed(*waiter_.granule, waiter_.mask,
                                  waiter_.number, waiter_.site);
    Release(*waiter_.granule);
    return right;
  }

  StallEnd WaitOnce() {
    while (true) {
      const uint32_t seen = Get(waiter_.futex);
      if (IsRight()) return StallEnd::kResolved;
      if (Get(waiter_.hopeless) != 0 || IsHopeless() ||
          !OthersCanRun(Get(num_waiters) - 1)) {
        return StallEnd::kHopeless;
      }
      const uint64_t now = sys::Now();
      if (now >= deadline_ || IsOff()) return StallEnd::kUnresolved;
      Set(waiter_.state, kWaiting);
      sys::Wait(&waiter_.futex, seen, deadline_ - now);
    }
  }

  // Whether somebody waits already for a lock that this thread holds.
  static bool IsHopeless() {
    for (Self*& other : lock_waiters) {
      Self* thread = Get(other);
      if (thread == nullptr || thread == &self) continue;
      if (Holds(self, Get(thread->waits_for))) return true;
    }
    return false;
  }

  Waiter& waiter_;
  const uint64_t deadline_;
  uint32_t num_yielded_ = 0;
};

void CountEnd(StallEnd end, uint64_t ns) {
  Count(&abi::GuardCounters::stalled_ns, ns);
  switch (end) {
    case StallEnd::kResolved:
      return Count(&abi::GuardCounters::resolved);
    case StallEnd::kUnresolved:
      return Count(&abi::GuardCounters::unresolved);
    case StallEnd::kHopeless:
      return Count(&abi::GuardCounters::hopeless);
    case StallEnd::kOverBudget:
      return Count(&abi::GuardCounters::over_budget);
    case StallEnd::kBackedOff:
      return Count(&abi::GuardCounters::backed_off);
    case StallEnd::kObserved:
      return;
  }
}

}  // namespace

uint32_t num_waiters = 0;

bool StallAccess(Granule& granule, uint32_t mask, uint32_t site,
                 uint32_t place) {
  Count(&abi::GuardCounters::violations);
  const uint64_t begin = sys::Now();
  StallEnd end = MayStall(site, place, begin);
  Waiter* waiter = nullptr;
  if (end == StallEnd::kResolved) {
    waiter = TakeWaiter();
    if (waiter == nullptr) end = StallEnd::kOverBudget;
  }
  if (waiter == nullptr) {
    CountEnd(end, 0);
    LogStall(site, place, end, 0);
    return Hold(granule);
  }
  Count(&abi::GuardCounters::stalls);
  // A handler that leaves by longjmp would leave a waiter behind, and locks
  // that were given up.
  const sys::Blocked signals(sys::kAsynchronous);
  waiter->mask = mask;
  waiter->granule = &granule;
  waiter->thread = &self;
  waiter->number = self.number;
  waiter->site = site;
  waiter->hopeless = 0;
  __atomic_fetch_add(&num_waiters, 1, __ATOMIC_SEQ_CST);
  Stall stall(*waiter, begin);
  bool held = false;
  while (true) {
    end = stall.Run();
    held = Hold(granule);
    // Between looking and holding, somebody else may have come.
    if (end != StallEnd::kResolved || !held ||
        AllAllowed(granule, mask, self.number, site)) {
      break;
    }
    Release(granule);
  }
  waiter->granule = nullptr;
  Set(waiter->state, kFree);
  __atomic_fetch_sub(&num_waiters, 1, __ATOMIC_SEQ_CST);
  const uint64_t ns = sys::Now() - begin;
  CountEnd(end, ns);
  NoteStall(site, place, end, ns);
  LogStall(site, place, end, ns);
  return held;
}

void GrantWaiters(Granule& granule) {
  for (Waiter& waiter : waiters) {
    if (Get(waiter.state) != kWaiting || waiter.granule != &granule ||
        waiter.number == self.number) {
      continue;
    }
    if (!AllAllowed(granule, waiter.mask, waiter.number, waiter.site)) continue;
    uint32_t waiting = kWaiting;
    __atomic_compare_exchange_n(&waiter.state, &waiting, kGranted, false,
                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    return;  // what he does may make it wrong for the next
  }
}

void WakeGranted(Granule& granule) {
  for (Waiter& waiter : waiters) {
    if (Get(waiter.state) == kGranted && waiter.granule == &granule) {
      Poke(waiter);
    }
  }
}

void LetGrantedPass(Granule& granule) {
  // A wake-up takes some 50 microseconds; twenty times that is a machine that
  // has other things to do.
  constexpr uint64_t kPatience = 1'000'000;
  uint64_t since = 0;
  for (Waiter& waiter : waiters) {
    while (Get(waiter.state) == kGranted && waiter.granule == &granule &&
           Get(waiter.without_locks) == 0) {
      const uint64_t now = sys::Now();
      if (since == 0) since = now;
      if (now - since > kPatience) return;
      sys::Call(SYS_sched_yield);
    }
  }
}

void TellLockIsWanted(const void* lock) {
  for (Waiter& waiter : waiters) {
    if (Get(waiter.state) == kFree) continue;
    Self* thread = waiter.thread;
    if (thread == nullptr || thread == &self || !Holds(*thread, lock)) continue;
    Set(waiter.hopeless, 1u);
    Poke(waiter);
  }
}

void WakeAll() {
  for (Waiter& waiter : waiters) {
    if (Get(waiter.state) != kFree) Poke(waiter);
  }
}

void ForgetWaiters() {
  for (Waiter& waiter : waiters) waiter = Waiter{};
  num_waiters = 0;
}

}  // namespace fairlead::guard
