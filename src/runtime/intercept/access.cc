#include "runtime/intercept/access.h"

#include <string.h>

#include "abi/access_event.h"
#include "abi/step.h"
#include "abi/version.h"
#include "runtime/alloc/heap.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/watch.h"
#include "runtime/intercept/frames.h"
#include "runtime/intercept/progress.h"
#include "runtime/model/block_oracle.h"
#include "runtime/model/cancel.h"
#include "runtime/model/file_lock.h"
#include "runtime/model/stack_oracle.h"
#include "runtime/sites/hand_out.h"
#include "runtime/sites/modules.h"
#include "runtime/sites/nodes.h"
#include "runtime/sites/sites.h"
#include "runtime/sys/page.h"
#include "runtime/sys/text_length.h"
#include "runtime/thread/program_sp.h"

namespace fairlead::rt {
namespace {

using abi::FunctionRecord;
using abi::SiteRecord;
using abi::ThreadSlot;

// Instructions at `site`, of those that the thread's frames have counted. A
// frame that has been left alone has not told all.
inline void CountAt(Thread& thread, const SiteRecord& site) {
  const uint64_t behind = site.behind;
  thread.unflushed = thread.slot.instructions >= behind ? 0 - behind : 0;
}

// The point ahead of an access of `size` bytes. `sp`: of the program.
__attribute__((noinline)) void Point(Thread& thread, const SiteRecord* site,
                                     const void* address, uint64_t size,
                                     const char* sp) {
  const SiteFacts facts = FactsOf(*site);
  SettleWrite(thread);
  thread.place = PlaceOf(facts);
  program_sp[abi::Index(thread.tid)] = sp;
  gate().ArriveForAccess(thread, facts.kind, address, size);
  program_sp[abi::Index(thread.tid)] = nullptr;
  if (thread.leave.due) [[unlikely]]
    CancelSelf(thread);
  thread.slot.at_point = 1;
  if (InHeap(address)) {
    CheckBlock(thread, *site, address, size);
  } else if (OnAStack(address)) {
    CheckStack(thread, address);
  }
  if ((facts.flags & abi::kFlagWrites) != 0) {
    WatchWrite(thread, address, size);
  } else if (facts.kind != EventKind::kFence && size <= 8 &&
             (site->flags & abi::kSiteBound) == 0) {
    WatchRead(thread, address, static_cast<uint32_t>(size));
  }
}

// A thread stands at an access while that is told. Afterwards its place is what
// it was: the gate knows threads by their places, and must find the same ones
// where nothing is told.
class Telling {
 public:
  Telling(Thread& thread, const SiteFacts& facts)
      : thread_(thread), before_(thread.place) {
    thread.place = PlaceOf(facts);
  }
  ~Telling() {
    thread_.told = thread_.place;
    thread_.told_last = true;
    thread_.place = before_;
  }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

 private:
  Thread& thread_;
  const Place before_;
};

// An access that is no point, told to a strategy that wants to know.
__attribute__((noinline)) void TellUnstopped(Thread& thread,
                                             const SiteRecord* site,
                                             const void* address,
                                             uint64_t size) {
  const SiteFacts facts = FactsOf(*site);
  CountAt(thread, *site);
  SettleContext(thread);
  const Telling telling(thread, facts);
  gate().Tell(thread, facts.kind, address, size);
}

// As abi::StandardStream says, where the call does not name it.
FILE* StreamOf(const void* address, uint64_t which) {
  if (address != nullptr) {
    return static_cast<FILE*>(const_cast<void*>(address));
  }
  switch (static_cast<abi::StandardStream>(which)) {
    case abi::StandardStream::kIn:
      return stdin;
    case abi::StandardStream::kError:
      return stderr;
    case abi::StandardStream::kOut:
      break;
  }
  return stdout;
}

inline void Ahead(const SiteRecord* site, const void* address, uint64_t size,
                  const char* sp) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return;
  if (!gate().AccessesMatter() || (thread->quiet | thread->marked) != 0) {
    if (gate().watches_all()) [[unlikely]]
      TellUnstopped(*thread, site, address, size);
    if (yield_is_due) [[unlikely]]
      YieldAsDue(*thread);
    return;
  }
  CountAt(*thread, *site);
  SettleContext(*thread);
  Point(*thread, site, address, size, sp);
}

void Before(const void* address, SiteRecord* site) {
  Ahead(site, address, site->size, FL_CALLERS_SP);
}

// As abi::LengthRule says.
uint64_t BytesOf(const SiteRecord& site, uint64_t a, uint64_t b) {
  constexpr uint64_t kWholeText = ~uint64_t{0};
  const auto* text = reinterpret_cast<const char*>(a);
  switch (abi::LengthRuleOf(site.flags)) {
    case abi::LengthRule::kFixed:
      return site.size;
    case abi::LengthRule::kValue:
      return a;
    case abi::LengthRule::kProduct:
      return a * b;
    case abi::LengthRule::kText:
      return TextLength(text, kWholeText) + 1;
    case abi::LengthRule::kBoundedText:
      return TextLength(text, b);
    case abi::LengthRule::kStream:
      return 1;
    case abi::LengthRule::kLeftText:
      return b == 0 ? 0 : TextLength(text, b - 1) + 1;
  }
  return 0;
}

// Whether a call does not make the access at all: what it may be given is a
// null pointer, or it has returned one.
bool IsLeftOut(const SiteRecord& site, const void* address) {
  return address == nullptr && (site.kind == abi::SiteKind::kRangeRead ||
                                site.kind == abi::SiteKind::kRangeWrite);
}

// A call that locks its stream waits for who has locked it (flockfile).
void AheadOfStream(const SiteRecord& site, FILE* file, const char* sp) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return;
  if (site.order() == abi::MemoryOrder::kPlain || !gate().AccessesMatter() ||
      (thread->quiet | thread->marked) != 0) {
    Ahead(&site, file, 1, sp);
    return;
  }
  CountAt(*thread, site);
  SettleContext(*thread);
  AwaitFile(*thread, file, PlaceOf(FactsOf(site)));
  if (thread->leave.due) [[unlikely]]
    CancelSelf(*thread);
  thread->slot.at_point = 1;
  if (InHeap(file)) CheckBlock(*thread, site, file, 1);
}

void BeforeRange(const void* address, SiteRecord* site, uint64_t a,
                 uint64_t b) {
  const char* sp = FL_CALLERS_SP;
  switch (abi::LengthRuleOf(site->flags)) {
    case abi::LengthRule::kStream:
      AheadOfStream(*site, StreamOf(address, a), sp);
      return;
    case abi::LengthRule::kLeftText:
      if (address != nullptr && b != 0) Ahead(site, address, 1, sp);
      return;
    default:
      if (IsLeftOut(*site, address)) return;
      Ahead(site, address, BytesOf(*site, a, b), sp);
  }
}

// The thread whose access is to be told; or null.
inline Thread* Teller(const SiteRecord& site) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return nullptr;
  CountAt(*thread, site);
  SettleContext(*thread);
  return thread;
}

// The flags of an access, with that of the point which it stood behind.
inline uint16_t TakeFlags(Thread& thread, const SiteFacts& facts) {
  const uint16_t flags =
      thread.slot.at_point != 0 ? facts.flags | abi::kFlagPoint : facts.flags;
  thread.slot.at_point = 0;
  return flags;
}

void AfterRmw(const void* address, SiteRecord* site, uint64_t old_value,
              uint64_t new_value, uint32_t success) {
  Thread* thread = Teller(*site);
  if (thread == nullptr) return;
  const SiteFacts facts = FactsOf(*site);
  const Telling telling(*thread, facts);
  uint16_t flags = TakeFlags(*thread, facts);
  if (success != 0) flags |= abi::kFlagSuccess;
  emitter().EmitRmw(*thread, facts.kind, flags, address, new_value, site->size,
                    old_value);
}

// What the event of a range write says of what it has written: up to eight
// bytes as they are; of more, which of the first 64 aligned words are null, as
// bits.
uint64_t Written(const void* address, uint64_t bytes) {
  constexpr uint64_t kWord = sizeof(uint64_t);
  if (bytes <= kWord) {
    uint64_t value = 0;
    memcpy(&value, address, bytes);
    return value;
  }
  const auto first = reinterpret_cast<uint64_t>(address);
  const uint64_t begin = (first + kWord - 1) / kWord * kWord;
  uint64_t words = 0;
  for (uint64_t i = 0; i < 64; ++i) {
    const uint64_t at = begin + i * kWord;
    if (at + kWord - first > bytes) break;
    uint64_t value;
    memcpy(&value, reinterpret_cast<const void*>(at), kWord);
    if (value == 0) words |= uint64_t{1} << i;
  }
  return words;
}

void AfterRange(const void* address, SiteRecord* site, uint64_t a, uint64_t b) {
  const bool stream =
      abi::LengthRuleOf(site->flags) == abi::LengthRule::kStream;
  if (stream) address = StreamOf(address, a);
  if (IsLeftOut(*site, address)) return;
  Thread* thread = Teller(*site);
  if (thread == nullptr) return;
  const SiteFacts facts = FactsOf(*site);
  const Telling telling(*thread, facts);
  const uint16_t flags = TakeFlags(*thread, facts);
  const uint64_t bytes = BytesOf(*site, a, b);
  // What a stream holds is the library's.
  const bool told = !stream && (facts.flags & abi::kFlagWrites) != 0;
  emitter().EmitAccess(*thread, facts.kind, flags, address,
                       told ? Written(address, bytes) : 0, bytes);
}

// Whom a frame has called is either this function, or somebody who has called
// it (abi/hooks.h).
void EnterFrom(ThreadSlot& slot, ThreadSlot& own, const void* self) {
  const uint64_t who = slot.target & ~abi::kAway;
  const bool foreign =
      self != nullptr && who != 0 && who != reinterpret_cast<uint64_t>(self);
  own.target = foreign ? who : 0;
  slot.target = foreign ? abi::kAway : slot.target & abi::kAway;
}

ThreadSlot* Enter(FunctionRecord* function, ThreadSlot* own,
                  const void* const* pointers, const void* self) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return own;
  if (thread->launching && (function->flags & abi::kFunctionLibrary) == 0)
      [[unlikely]] {
    thread->launching = false;
    --thread->quiet;
  }
  EnterFrom(thread->slot, *own, self);
  SettleContext(*thread);
  if (TellsFrames(function)) [[unlikely]] {
    EnterFrame(*thread, function, pointers);
  }
  return &thread->slot;
}

// The thread of a frame that is not left alone, or null. Frames that were
// entered before a fork still hold their slot in the child, where there is
// nobody to tell. The slot is the first member of its thread.
static_assert(offsetof(Thread, slot) == 0);
Thread* ThreadOf(ThreadSlot* slot) {
  Thread* thread = tls_self;
  if (thread == nullptr || control_page() == nullptr) return nullptr;
  return slot == &thread->slot ? thread : nullptr;
}

void Exit(FunctionRecord*, ThreadSlot* slot) {
  Thread* thread = ThreadOf(slot);
  if (thread == nullptr) return;
  thread->unflushed = 0;  // the frame has told its slot
  if (slot->depth > 0) LeaveFrames(*thread, slot->depth - 1);
}

void Unwound(FunctionRecord*, ThreadSlot* slot, uint64_t state) {
  Thread* thread = ThreadOf(slot);
  if (thread == nullptr) return;
  LeaveFrames(*thread, static_cast<uint32_t>(state >> 32));
  slot->node = static_cast<uint32_t>(state);
  slot->depth = static_cast<uint32_t>(state >> 32);
  slot->call = nullptr;
  // Exceptions and jumps pass through code of others.
  slot->target = abi::kAway;
}

// What access_stubs.S takes for granted.
static_assert(offsetof(SiteRecord, behind) == 54);
static_assert(offsetof(SiteRecord, mode) == 55);
static_assert(offsetof(SiteRecord, number) == 56);
static_assert(offsetof(SiteRecord, told) == 60);
static_assert(offsetof(ThreadSlot, instructions) == 8);
static_assert(offsetof(ThreadSlot, call) == 16);
static_assert(offsetof(ThreadSlot, target) == 24);
static_assert(offsetof(ThreadSlot, told) == 32);
static_assert(offsetof(ThreadSlot, told_end) == 40);
static_assert(offsetof(ThreadSlot, told_at) == 48);
// The word at ThreadSlot::thread is the beginning of an event: its thread, and
// with `at_point` the flag that says so.
static_assert(offsetof(ThreadSlot, thread) == 56);
static_assert(offsetof(ThreadSlot, inside) == 58);
static_assert(offsetof(ThreadSlot, at_point) == 59);
static_assert(uint64_t{abi::kFlagPoint} << 16 == uint64_t{1} << 24);
static_assert((abi::kModeBefore | abi::kModeCount) == 5);
static_assert(abi::kModeAfter == 2);
static_assert(abi::kInstructionsExtended == 65535);
static_assert(abi::kSizeExtended == 255 && sizeof(abi::Event) == 32);

}  // namespace
}  // namespace fairlead::rt

extern "C" {

#define HIDDEN __attribute__((visibility("hidden")))

// Called by access_stubs.S.
HIDDEN void __fl_ahead_of_access(const void* address,
                                 fairlead::abi::SiteRecord* site) {
  // The stub has kept three registers, below the address that it was called
  // from.
  fairlead::rt::Ahead(site, address, site->size,
                      FL_CALLERS_SP + 4 * sizeof(void*));
}
HIDDEN void __fl_tell_access(const void* address,
                             fairlead::abi::SiteRecord* site, uint64_t value) {
  using namespace fairlead::rt;
  Thread* thread = Teller(*site);
  if (thread == nullptr) return;
  const SiteFacts facts = FactsOf(*site);
  const Telling telling(*thread, facts);
  const uint16_t flags = TakeFlags(*thread, facts);
  emitter().EmitAccess(*thread, facts.kind, flags, address, value, site->size);
  if (yield_is_due) [[unlikely]]
    YieldAsDue(*thread);
}

// Of access_stubs.S, and the edges of its section.
#define MAKER(result, name, ...) \
  HIDDEN result __fl_##name(__VA_ARGS__, fairlead::abi::SiteRecord*)
MAKER(uint8_t, make_load1, const void*);
MAKER(uint16_t, make_load2, const void*);
MAKER(uint32_t, make_load4, const void*);
MAKER(uint64_t, make_load8, const void*);
MAKER(float, make_load_float, const void*);
MAKER(double, make_load_double, const void*);
#undef MAKER
#define MAKER(name, value) \
  HIDDEN void __fl_##name(void*, fairlead::abi::SiteRecord*, value)
MAKER(make_store1, uint8_t);
MAKER(make_store2, uint16_t);
MAKER(make_store4, uint32_t);
MAKER(make_store8, uint64_t);
MAKER(make_store_float, float);
MAKER(make_store_double, double);
#undef MAKER
HIDDEN void __fl_after_access(const void*, fairlead::abi::SiteRecord*,
                              uint64_t);
HIDDEN extern const char __start_fl_access[];
HIDDEN extern const char __stop_fl_access[];

}  // extern "C"

namespace fairlead::rt {

void FillHooks(abi::Hooks& hooks) {
  hooks = {.load1 = __fl_make_load1,
           .load2 = __fl_make_load2,
           .load4 = __fl_make_load4,
           .load8 = __fl_make_load8,
           .load_float = __fl_make_load_float,
           .load_double = __fl_make_load_double,
           .store1 = __fl_make_store1,
           .store2 = __fl_make_store2,
           .store4 = __fl_make_store4,
           .store8 = __fl_make_store8,
           .store_float = __fl_make_store_float,
           .store_double = __fl_make_store_double,
           .before = Before,
           .after = __fl_after_access,
           .after_rmw = AfterRmw,
           .before_range = BeforeRange,
           .after_range = AfterRange,
           .enter = Enter,
           .exit = Exit,
           .unwound = Unwound};
}

bool IsInStub(uint64_t pc) {
  const auto within = [pc](const char* begin, const char* end) {
    return pc >= reinterpret_cast<uint64_t>(begin) &&
           pc < reinterpret_cast<uint64_t>(end);
  };
  if (within(__start_fl_access, __stop_fl_access)) return true;
  for (size_t i = 0; i < num_modules(); ++i) {
    const abi::ModuleRecord* record = module_at(i).record;
    if (record != nullptr && record->version == abi::kAbiVersion &&
        within(record->stubs_begin.get(), record->stubs_end.get())) {
      return true;
    }
  }
  return false;
}

namespace {

bool IsInStep(uint64_t pc) {
  for (const size_t offset : abi::kStepInstructions) {
    const uint64_t begin = pc - offset;
    if (FindModule(begin) == nullptr ||
        FindModule(begin + abi::kStepBytes - 1) == nullptr) {
      continue;
    }
    const uint8_t* target =
        abi::StepTarget(reinterpret_cast<const uint8_t*>(begin));
    if (target != nullptr && IsInStub(reinterpret_cast<uint64_t>(target))) {
      return true;
    }
  }
  return false;
}

bool StepOut(const Thread& thread, greg_t* registers) {
  const auto sp = static_cast<uint64_t>(registers[REG_RSP]);
  if (sp < reinterpret_cast<uint64_t>(thread.stack_limit) ||
      sp + sizeof(uint64_t) > reinterpret_cast<uint64_t>(thread.stack_top)) {
    return false;
  }
  uint64_t back;
  memcpy(&back, reinterpret_cast<const void*>(sp), sizeof(back));
  if (FindModule(back) == nullptr) return false;
  registers[REG_RIP] = static_cast<greg_t>(back - 1);  // inside the call
  registers[REG_RSP] = static_cast<greg_t>(sp + sizeof(back));
  return true;
}

}  // namespace

bool StepOutOfStub(const Thread& thread, greg_t* registers) {
  const auto pc = static_cast<uint64_t>(registers[REG_RIP]);
  return IsInStub(pc) && StepOut(thread, registers);
}

bool StepOutOfCall(const Thread& thread, greg_t* registers) {
  const auto pc = static_cast<uint64_t>(registers[REG_RIP]);
  return (IsInStub(pc) || IsInStep(pc)) && StepOut(thread, registers);
}

}  // namespace fairlead::rt
