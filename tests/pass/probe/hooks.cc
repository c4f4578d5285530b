#include "tests/pass/probe/hooks.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "tests/pass/probe/log.h"

// A program may define this, out of reach of the instrumentation, to act ahead
// of a function's n-th event: the test's stand-in for another thread.
extern "C" __attribute__((weak)) void probe_before(const char* function,
                                                   unsigned nth);

namespace fairlead::probe {
namespace {

using abi::FunctionRecord;
using abi::SiteRecord;
using abi::ThreadSlot;

constexpr uint32_t kMostFrames = 4096;

struct Thread {
  ThreadSlot slot;
  const FunctionRecord* frames[kMostFrames];  // entered, by depth
  uint64_t last_instructions;                 // must never go back
};
thread_local Thread the_thread;
thread_local bool busy;

// The program's own copies of standard templates take the place of the probe's,
// and are instrumented: what the probe does must not be told.
class Scope {
 public:
  Scope() : outer_(busy) { busy = true; }
  ~Scope() { busy = outer_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  bool nested() const { return outer_; }

 private:
  bool outer_;
};

unsigned NextOf(const FunctionRecord* function) {
  static std::mutex lock;
  static auto& told = *new std::map<const FunctionRecord*, unsigned>;
  const std::lock_guard guard(lock);
  return ++told[function];
}

bool Wants(std::string_view word) {
  const char* list = std::getenv("PROBE");
  std::string_view rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    if (rest.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return false;
}

// The call that the thread is in becomes its node (abi/hooks.h).
void SettleContext() {
  ThreadSlot& slot = the_thread.slot;
  if (slot.call == nullptr) return;
  slot.node = NodeOf(slot.node, slot.call);
  slot.call = nullptr;
}

void TellAccess(const char* word, const SiteRecord* site, Line& line) {
  Describe(*site, line);
  if (Wants("context") || Wants("frames")) {
    SettleContext();
    line.Add("in", ChainOf(the_thread.slot.node).c_str());
  }
  line.Add("when", word);
  Tell(line);
}

void TellInstructions(const SiteRecord* site) {
  if (!Wants("context") && !Wants("frames")) return;
  const uint64_t total = the_thread.slot.instructions - site->behind;
  if (total < the_thread.last_instructions) {
    Line wrong("backwards");
    Describe(*site, wrong);
    Tell(wrong);
  }
  the_thread.last_instructions = total;
}

void TellBefore(const SiteRecord* site, uint64_t size) {
  if (site->mode & abi::kModeCount) {
    Line line("count");
    Describe(*site, line);
    Tell(line);
    return;
  }
  if (probe_before != nullptr) {
    probe_before(site->function->name.get(), NextOf(site->function.get()));
  }
  Line line("event");
  line.Add("size", size);
  TellAccess("before", site, line);
  TellInstructions(site);
  if (!Wants("instructions")) return;
  Line counted("instructions");
  Describe(*site, counted);
  counted.Add("total", the_thread.last_instructions);
  Tell(counted);
}

uint64_t BytesOf(const SiteRecord& site, uint64_t a, uint64_t b) {
  const auto* text = reinterpret_cast<const char*>(a);
  if (text == nullptr) text = "";
  switch (abi::LengthRuleOf(site.flags)) {
    case abi::LengthRule::kFixed:
      return site.size;
    case abi::LengthRule::kValue:
      return a;
    case abi::LengthRule::kProduct:
      return a * b;
    case abi::LengthRule::kText:
      return strlen(text) + 1;
    case abi::LengthRule::kBoundedText:
      return strnlen(text, b);
    case abi::LengthRule::kStream:
      return 1;
    case abi::LengthRule::kLeftText:
      return b == 0 ? 0 : strnlen(text, b - 1) + 1;
  }
  return 0;
}

void Before(const void*, SiteRecord* site) {
  const Scope scope;
  if (scope.nested()) return;
  TellBefore(site, site->size);
}

void BeforeRange(const void*, SiteRecord* site, uint64_t a, uint64_t b) {
  const Scope scope;
  if (scope.nested()) return;
  TellBefore(site, BytesOf(*site, a, b));
}

void After(const void*, SiteRecord* site, uint64_t value) {
  const Scope scope;
  if (scope.nested()) return;
  TellInstructions(site);
  Line line("event");
  line.Add("size", site->size).Add("value", value);
  TellAccess("after", site, line);
}

// Makes a load; `Bits` is an integer of the size of `Type`.
template <typename Type, typename Bits>
Type Load(const void* address, SiteRecord* site) {
  if (site->mode & (abi::kModeBefore | abi::kModeCount)) Before(address, site);
  const Type value = *static_cast<const volatile Type*>(address);
  if (site->mode & abi::kModeAfter) {
    After(address, site, std::bit_cast<Bits>(value));
  }
  return value;
}

template <typename Type, typename Bits>
void Store(void* address, SiteRecord* site, Type value) {
  if (site->mode & (abi::kModeBefore | abi::kModeCount)) Before(address, site);
  *static_cast<volatile Type*>(address) = value;
  if (site->mode & abi::kModeAfter) {
    After(address, site, std::bit_cast<Bits>(value));
  }
}

void AfterRmw(const void*, SiteRecord* site, uint64_t old, uint64_t now,
              uint32_t success) {
  const Scope scope;
  if (scope.nested()) return;
  TellInstructions(site);
  Line line("event");
  line.Add("size", site->size).Add("old", old).Add("value", now);
  line.Add("success", success);
  TellAccess("after", site, line);
}

void AfterRange(const void*, SiteRecord* site, uint64_t a, uint64_t b) {
  const Scope scope;
  if (scope.nested()) return;
  TellInstructions(site);
  Line line("event");
  line.Add("size", BytesOf(*site, a, b));
  TellAccess("after", site, line);
}

void TellFrame(const char* kind, const FunctionRecord* function,
               const char* pointers) {
  Line line("event");
  line.Add("kind", kind).Add("function", function->name.get());
  line.Add("file", function->file ? BaseName(function->file->path.get()) : "");
  line.Add("line", function->line);
  line.Add("library", (function->flags & abi::kFunctionLibrary) != 0);
  line.Add("pointers", pointers);
  line.Add("in", ChainOf(the_thread.slot.node).c_str()).Add("when", "after");
  Tell(line);
}

ThreadSlot* Enter(FunctionRecord* function, ThreadSlot* own,
                  const void* const* pointers, const void*) {
  own->target = 0;
  const Scope scope;
  if (scope.nested()) return own;
  Thread& thread = the_thread;
  SettleContext();
  if ((function->mode & abi::kModeEvents) == 0) return &thread.slot;
  std::string list;
  for (uint16_t i = 0; i < function->num_params; ++i) {
    if (i != 0) list += ',';
    list += std::to_string(reinterpret_cast<uintptr_t>(pointers[i]));
  }
  TellFrame("enter", function, list.c_str());
  if (thread.slot.depth < kMostFrames) {
    thread.frames[thread.slot.depth] = function;
  }
  ++thread.slot.depth;
  return &thread.slot;
}

void Exit(FunctionRecord* function, ThreadSlot* slot) {
  const Scope scope;
  if (scope.nested() || slot != &the_thread.slot) return;
  TellFrame("exit", function, "");
  --slot->depth;
}

void Unwound(FunctionRecord*, ThreadSlot* slot, uint64_t state) {
  const Scope scope;
  if (scope.nested() || slot != &the_thread.slot) return;
  const auto node = static_cast<uint32_t>(state);
  const auto depth = static_cast<uint32_t>(state >> 32);
  while (slot->depth > depth) {
    --slot->depth;
    if (slot->depth < kMostFrames) {
      TellFrame("unwound", the_thread.frames[slot->depth], "");
    }
  }
  slot->node = node;
  slot->depth = depth;
  slot->call = nullptr;
}

void FillHooks(abi::Hooks& hooks) {
  hooks = {.load1 = Load<uint8_t, uint8_t>,
           .load2 = Load<uint16_t, uint16_t>,
           .load4 = Load<uint32_t, uint32_t>,
           .load8 = Load<uint64_t, uint64_t>,
           .load_float = Load<float, uint32_t>,
           .load_double = Load<double, uint64_t>,
           .store1 = Store<uint8_t, uint8_t>,
           .store2 = Store<uint16_t, uint16_t>,
           .store4 = Store<uint32_t, uint32_t>,
           .store8 = Store<uint64_t, uint64_t>,
           .store_float = Store<float, uint32_t>,
           .store_double = Store<double, uint64_t>,
           .before = Before,
           .after = After,
           .after_rmw = AfterRmw,
           .before_range = BeforeRange,
           .after_range = AfterRange,
           .enter = Enter,
           .exit = Exit,
           .unwound = Unwound};
}

}  // namespace

namespace {

// Whether PROBE_ONLY lets the probe watch `function`.
bool IsWatched(const FunctionRecord& function) {
  const char* only = std::getenv("PROBE_ONLY");
  return only == nullptr || std::string_view(function.name.get()) == only;
}

}  // namespace

void Attach(const abi::ModuleRecord& module) {
  FillHooks(*module.hooks.get());
  const uint8_t site_mode = (Wants("before") ? abi::kModeBefore : 0) |
                            (Wants("after") ? abi::kModeAfter : 0) |
                            (Wants("count") ? abi::kModeCount : 0);
  const uint8_t function_mode =
      (Wants("frames") ? abi::kModeContext | abi::kModeEvents : 0) |
      (Wants("context") ? abi::kModeContext : 0) |
      (site_mode != 0 ? abi::kModeSites : 0);
  for (auto* unit = module.units_begin.get(); unit < module.units_end.get();
       unit = abi::NextUnit(unit)) {
    for (uint32_t i = 0; i < unit->num_functions; ++i) {
      FunctionRecord& function = unit->functions.get()[i];
      if (!IsWatched(function)) continue;
      function.mode = function_mode;
      for (uint32_t j = 0; j < function.num_sites; ++j) {
        SiteRecord& site = function.sites.get()[j];
        if (site.has_mode()) site.mode = site_mode;
      }
    }
  }
}

}  // namespace fairlead::probe
