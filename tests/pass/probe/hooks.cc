#include "tests/pass/probe/hooks.h"

#include <cstdlib>
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

void TellInstructions(const SiteRecord* site, uint64_t instructions) {
  if (!Wants("context") && !Wants("frames")) return;
  const uint64_t total = the_thread.slot.instructions + instructions;
  if (total < the_thread.last_instructions) {
    Line wrong("backwards");
    Describe(*site, wrong);
    Tell(wrong);
  }
  the_thread.last_instructions = total;
}

void TellBefore(const SiteRecord* site, uint64_t size, uint64_t instructions) {
  if (*site->mode.get() & abi::kModeCount) {
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
  TellInstructions(site, instructions);
  if (!Wants("instructions")) return;
  Line counted("instructions");
  Describe(*site, counted);
  counted.Add("total", the_thread.last_instructions);
  Tell(counted);
}

FL_HOOK_CC void Before(const SiteRecord* site, const void*,
                       uint64_t instructions) {
  const Scope scope;
  if (scope.nested()) return;
  TellBefore(site, site->size, instructions);
}

FL_HOOK_CC void BeforeRange(const SiteRecord* site, const void*, uint64_t size,
                            uint64_t instructions) {
  const Scope scope;
  if (scope.nested()) return;
  TellBefore(site, size, instructions);
}

FL_HOOK_CC void After(const SiteRecord* site, const void*, uint64_t value,
                      uint64_t instructions) {
  const Scope scope;
  if (scope.nested()) return;
  TellInstructions(site, instructions);
  Line line("event");
  line.Add("size", site->size).Add("value", value);
  TellAccess("after", site, line);
}

FL_HOOK_CC void AfterRmw(const SiteRecord* site, const void*, uint64_t old,
                         uint64_t now, uint32_t success,
                         uint64_t instructions) {
  const Scope scope;
  if (scope.nested()) return;
  TellInstructions(site, instructions);
  Line line("event");
  line.Add("size", site->size).Add("old", old).Add("value", now);
  line.Add("success", success);
  TellAccess("after", site, line);
}

FL_HOOK_CC void AfterRange(const SiteRecord* site, const void*, uint64_t size,
                           uint64_t instructions) {
  const Scope scope;
  if (scope.nested()) return;
  TellInstructions(site, instructions);
  Line line("event");
  line.Add("size", size);
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

FL_HOOK_CC ThreadSlot* Enter(const FunctionRecord* function,
                             const void* const* pointers) {
  const Scope scope;
  if (scope.nested()) return nullptr;
  Thread& thread = the_thread;
  SettleContext();
  if ((*function->mode.get() & abi::kModeEvents) == 0) return &thread.slot;
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

FL_HOOK_CC void Exit(const FunctionRecord* function, ThreadSlot* slot) {
  const Scope scope;
  if (scope.nested()) return;
  TellFrame("exit", function, "");
  --slot->depth;
}

FL_HOOK_CC void Unwound(const FunctionRecord*, ThreadSlot* slot,
                        uint64_t state) {
  const Scope scope;
  if (scope.nested()) return;
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
  hooks = {.before = Before,
           .before_range = BeforeRange,
           .after = After,
           .after_rmw = AfterRmw,
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
  // Functions first: a site is out of reach while its function is idle.
  for (auto* function = module.functions_begin.get();
       function != module.functions_end.get(); ++function) {
    if (function->id == 0 || !IsWatched(*function)) continue;
    *function->mode.get() = function_mode;
  }
  for (auto* site = module.sites_begin.get(); site != module.sites_end.get();
       ++site) {
    if (site->id == 0 || !site->mode) continue;
    if (IsWatched(*site->function.get())) *site->mode.get() = site_mode;
  }
}

}  // namespace fairlead::probe
