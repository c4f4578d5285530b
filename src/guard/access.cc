#include "guard/access.h"

#include <string.h>

#include "guard/board.h"
#include "guard/learn.h"
#include "guard/log.h"
#include "guard/rules.h"
#include "guard/self.h"
#include "guard/stall.h"
#include "guard/switch.h"
#include "guard/sys.h"

namespace fairlead::guard {
namespace {

using abi::FunctionRecord;
using abi::SiteRecord;
using abi::ThreadSlot;

// Below it is no memory of a program: an access there faults by itself.
constexpr uint64_t kFirstAddress = 65536;
// Of a longer range only so much is followed.
constexpr uint64_t kMaxRange = 65536;

bool is_learning = false;
uint32_t free_site = 0;

void Delay() {
  // Every fourth access, on average, waits for a random part of the time.
  self.random = self.random * 6364136223846793005u + 1442695040888963407u +
                self.number * 2;
  if ((self.random >> 62) != 0) return;
  const uint64_t ns =
      (self.random >> 16 & 0xffffffffff) % (options.delay_us * 1000u + 1);
  const timespec time = {0, static_cast<long>(ns % 1'000'000'000)};
  sys::Call(SYS_nanosleep, sys::Arg(&time));
}

// The granule comes back held, or not at all.
bool Judge(Granule& granule, uint32_t mask, uint32_t site) {
  const Predecessors all = Look(granule, mask, self.number);
  for (uint32_t i = 0; i < all.count; ++i) {
    const uint32_t place = all.places[i];
    if (IsAllowed(site, place)) [[likely]]
      continue;
    if (options.observe != 0) {
      Count(&abi::GuardCounters::violations);
      LogStall(site, place, StallEnd::kObserved, 0);
      continue;
    }
    self.holds = nullptr;
    Release(granule);
    HeedOutside();
    return StallAccess(granule, mask, site, place);
  }
  return true;
}

// Whether the calling thread is in the guard. A handler that has interrupted an
// access is; whoever has left one by longjmp is not, and gives up what it held:
// handlers lie further down on the stack, by what the kernel saves at least.
bool IsInside() {
  if (self.inside == 0) [[likely]]
    return false;
  constexpr uintptr_t kFrames = 1024;    // of a hook, not of a handler
  constexpr uintptr_t kStack = 1 << 26;  // beyond that it is another stack
  const auto now = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (self.frame == 0 || now - (self.frame - kFrames) >= kStack) return true;
  if (self.holds != nullptr) Release(*self.holds);
  self.holds = nullptr;
  self.open = nullptr;
  self.inside = 0;
  return false;
}

// Judges or learns one granule's part of an access, and records it. True: the
// granule is held.
bool Take(Granule& granule, uint32_t mask, uint32_t site) {
  if (__atomic_load_n(&num_waiters, __ATOMIC_RELAXED) != 0) [[unlikely]]
    LetGrantedPass(granule);
  if (!Hold(granule)) {
    Count(&abi::GuardCounters::lost_accesses);
    return false;
  }
  self.holds = &granule;
  if (is_learning) {
    LearnAccess(granule, mask, self.number, site);
  } else if (!Judge(granule, mask, site)) {
    self.holds = nullptr;
    return false;
  }
  self.holds = &granule;
  Record(granule, mask, self.number, site);
  return true;
}

void Let(Granule& granule) {
  self.holds = nullptr;
  if (__atomic_load_n(&num_waiters, __ATOMIC_SEQ_CST) == 0) [[likely]] {
    Release(granule);
    return;
  }
  GrantWaiters(granule);
  Release(granule);
  WakeGranted(granule);
}

// Whether the calling thread's accesses are followed now. If so it is inside,
// and stays there until `Leave`.
bool Enter() {
  if (IsOff() || IsInside()) return false;
  if (self.number == 0) NumberOfThread();
  if (self.number >= kMostThreads) return false;
  self.frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  self.inside = 1;
  if (options.delay_us != 0) [[unlikely]]
    Delay();
  return true;
}
// Behind an access: locks that are held now have been used.
void Leave() {
  ++self.accesses;
  self.inside = 0;
}

}  // namespace

void SetFreeSite(uint32_t site) { free_site = site; }

void StartLearning() { is_learning = true; }

Granule* BeginAccess(const void* address, uint64_t bytes, uint32_t site) {
  const auto at = reinterpret_cast<uint64_t>(address);
  if (site == 0 || at < kFirstAddress || !Enter()) return nullptr;
  const auto first = static_cast<uint32_t>(at & 7);
  if (first + bytes > kGranuleBytes) {
    Leave();
    PassRange(address, bytes, site);
    return nullptr;
  }
  Granule* granule = GranuleAt(at);
  if (granule == nullptr) {
    Count(&abi::GuardCounters::lost_accesses);
  } else if (Take(*granule, MaskOf(first, static_cast<uint32_t>(bytes)),
                  site)) {
    return granule;
  }
  Leave();
  return nullptr;
}

void EndAccess(Granule& granule) {
  Let(granule);
  Leave();
}

void PassRange(const void* address, uint64_t bytes, uint32_t site) {
  const auto begin = reinterpret_cast<uint64_t>(address);
  if (site == 0 || bytes == 0 || begin < kFirstAddress || !Enter()) return;
  const uint64_t end = begin + (bytes < kMaxRange ? bytes : kMaxRange);
  for (uint64_t at = begin & ~uint64_t{7}; at < end; at += kGranuleBytes) {
    Granule* granule = GranuleAt(at);
    if (granule == nullptr) {
      Count(&abi::GuardCounters::lost_accesses);
      break;
    }
    const uint64_t first = at < begin ? begin - at : 0;
    const uint64_t last = end - at < 8 ? end - at : 8;
    if (Take(*granule,
             MaskOf(static_cast<uint32_t>(first),
                    static_cast<uint32_t>(last - first)),
             site)) {
      Let(*granule);
    }
  }
  Leave();
}

void EndBlock(uint64_t address, uint64_t bytes) {
  if (IsOff() || IsInside()) return;
  const uint32_t site = free_site;
  if (site != 0 && Enter()) {
    const uint64_t most = bytes < kMaxRange ? bytes : kMaxRange;
    ForEachKnown(address, most, [site](Granule& granule, uint32_t mask) {
      const uint32_t touched = mask & granule.shape;
      if (!is_learning) {
        if (Take(granule, touched, site)) Let(granule);
      } else if (Hold(granule)) {
        LearnFree(granule, touched, self.number, site);
        Release(granule);
      }
    });
    Leave();
  }
  ForgetMemory(address, bytes);
}

void ForgetMemory(uint64_t address, uint64_t bytes) {
  self.frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  self.inside = 1;
  Forget(address, bytes);
  self.inside = 0;
}

namespace {

template <typename T>
using Unaligned __attribute__((aligned(1), may_alias)) = T;

template <typename T>
T Load(const void* address, SiteRecord* site) {
  Granule* granule = BeginAccess(address, sizeof(T), site->number);
  const T value = *static_cast<const volatile Unaligned<T>*>(address);
  if (granule != nullptr) EndAccess(*granule);
  return value;
}

template <typename T>
void Store(void* address, SiteRecord* site, T value) {
  Granule* granule = BeginAccess(address, sizeof(T), site->number);
  *static_cast<volatile Unaligned<T>*>(address) = value;
  if (granule != nullptr) EndAccess(*granule);
}

// Between the hook ahead of an access and that behind it, the granule is held.
void Before(const void* address, SiteRecord* site) {
  if (site->size == 0 || site->size > kGranuleBytes) {
    PassRange(address, site->size, site->number);
    return;
  }
  self.open = BeginAccess(address, site->size, site->number);
}

void Close() {
  Granule* granule = self.open;
  if (granule == nullptr) return;
  self.open = nullptr;
  EndAccess(*granule);
}

void After(const void*, SiteRecord*, uint64_t) { Close(); }
void AfterRmw(const void*, SiteRecord*, uint64_t, uint64_t, uint32_t) {
  Close();
}

uint64_t TextLength(const char* text, uint64_t most) {
  uint64_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}

// As abi::LengthRule says.
uint64_t BytesOf(const SiteRecord& site, uint64_t a, uint64_t b) {
  const auto* text = reinterpret_cast<const char*>(a);
  switch (abi::LengthRuleOf(site.flags)) {
    case abi::LengthRule::kFixed:
      return site.size;
    case abi::LengthRule::kValue:
      return a;
    case abi::LengthRule::kProduct:
      return a * b;
    case abi::LengthRule::kText:
      return TextLength(text, kMaxRange) + 1;
    case abi::LengthRule::kBoundedText:
      return TextLength(text, b);
    case abi::LengthRule::kStream:
      return 0;  // the call locks it
    case abi::LengthRule::kLeftText:
      return b == 0 ? 0 : 1;  // how much is known only behind the call
  }
  return 0;
}

void BeforeRange(const void* address, SiteRecord* site, uint64_t a,
                 uint64_t b) {
  if (IsOff() || IsInside()) return;
  if (reinterpret_cast<uint64_t>(address) < kFirstAddress) return;
  const uint64_t bytes = BytesOf(*site, a, b);
  if (bytes != 0) PassRange(address, bytes, site->number);
}
void AfterRange(const void*, SiteRecord*, uint64_t, uint64_t) {}

// Nobody asks for contexts: every frame is left alone.
ThreadSlot* EnterFrame(FunctionRecord*, ThreadSlot* own, const void* const*,
                       const void*) {
  return own;
}
void ExitFrame(FunctionRecord*, ThreadSlot*) {}
// A frame that is left alone has its slot to itself: nothing is to be done.
void Unwound(FunctionRecord*, ThreadSlot*, uint64_t) {}

}  // namespace

void FillHooks(abi::Hooks& hooks) {
  hooks = {.load1 = Load<uint8_t>,
           .load2 = Load<uint16_t>,
           .load4 = Load<uint32_t>,
           .load8 = Load<uint64_t>,
           .load_float = Load<float>,
           .load_double = Load<double>,
           .store1 = Store<uint8_t>,
           .store2 = Store<uint16_t>,
           .store4 = Store<uint32_t>,
           .store8 = Store<uint64_t>,
           .store_float = Store<float>,
           .store_double = Store<double>,
           .before = Before,
           .after = After,
           .after_rmw = AfterRmw,
           .before_range = BeforeRange,
           .after_range = AfterRange,
           .enter = EnterFrame,
           .exit = ExitFrame,
           .unwound = Unwound};
}

}  // namespace fairlead::guard
