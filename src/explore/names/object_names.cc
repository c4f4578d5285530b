#include "explore/names/object_names.h"

#include <fmt/core.h>

#include <map>

#include "base/text.h"
#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using trace::Event;
using trace::EventKind;

// What an operation is done to, and how large that is (glibc, x86-64).
struct Primitive {
  std::string_view name = {};  // "" = no primitive
  uint64_t bytes = 0;
};

Primitive PrimitiveOf(EventKind kind) {
  switch (kind) {
    case EventKind::kLock:
    case EventKind::kUnlock:
    case EventKind::kTryLock:
    case EventKind::kWakeUnlock:
      return {"mutex", 40};
    case EventKind::kWait:
    case EventKind::kWaitDone:
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kWakeSignal:
      return {"condvar", 48};
    case EventKind::kSemWait:
    case EventKind::kSemPost:
    case EventKind::kWakePost:
      return {"semaphore", 32};
    case EventKind::kBarrierWait:
    case EventKind::kBarrierDone:
    case EventKind::kWakeBarrier:
      return {"barrier", 32};
    case EventKind::kFutexWait:
    case EventKind::kFutexDone:
    case EventKind::kFutexWake:
    case EventKind::kWakeFutex:
      return {"futex", 4};
    default:
      return {};
  }
}

class Namings {
 public:
  Namings(const Executed& executed, trace::Names& names)
      : names_(names),
        threads_(
            executed.memory->Copy<abi::ThreadEntry>(abi::RegionId::kThreads)) {}

  void OnOperation(EventKind kind, uint64_t address, bool shared) {
    Primitive primitive = PrimitiveOf(kind);
    if (primitive.name.empty()) return;
    if (shared) primitive = {"rwlock", 56};
    Add(primitive.name, address, primitive.bytes);
  }

  void OnEvent(const Event& event) {
    OnOperation(event.kind, event.address, event.has(abi::kFlagShared));
    if (event.kind == EventKind::kWait && event.partner) {
      Add("mutex", event.partner->object, 40);
    }
  }

  void OnAccess(const Event& event) {
    if (trace::IsAccess(event) && IsOnStack(event.address)) {
      Add("local", event.address, std::max<uint64_t>(event.size, 1));
    }
  }

 private:
  bool IsOnStack(uint64_t address) const {
    for (const abi::ThreadEntry& thread : threads_) {
      if (address >= thread.stack_begin && address < thread.stack_end) {
        return true;
      }
    }
    return false;
  }

  // Unless it has a name, or would cover one that has.
  void Add(std::string_view name, uint64_t address, uint64_t bytes) {
    if (address == 0 || !names_.ObjectText(address).starts_with("0x")) return;
    const auto next = names_.objects.lower_bound(address);
    if (next != names_.objects.end()) {
      bytes = std::min(bytes, next->first - address);
    }
    names_.objects[address] = {
        .name = fmt::format("{}#{}", name, ++numbers_[std::string(name)]),
        .size = bytes};
  }

  trace::Names& names_;
  std::vector<abi::ThreadEntry> threads_;
  std::map<std::string, int> numbers_;
};

// A namespace without a name says nothing, and takes the room of what does.
std::string WithoutNamespace(std::string name) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;) {
    name.erase(at, kUnnamed.size());
  }
  return name;
}

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

std::string WithObjectNames(std::string_view text, const trace::Names& names) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (!text.substr(i).starts_with("0x")) {
      result += text[i++];
      continue;
    }
    size_t end = i + 2;
    while (end < text.size() && IsHex(text[end])) ++end;
    const std::string_view token = text.substr(i, end - i);
    const auto address = ParseNumber(token);
    result += address ? names.ObjectText(*address) : std::string(token);
    i = end;
  }
  return result;
}

void NameObjects(const Executed& executed, finding::Finding& finding) {
  trace::Trace& slice = finding.witness.slice;
  for (auto& [address, object] : slice.names.objects) {
    object.name = WithoutNamespace(object.name);
  }
  Namings namings(executed, slice.names);
  const abi::Outcome& outcome = executed.outcome;
  // Primitives first: they are larger than the words of theirs that are read.
  for (const Event& event : slice.events) namings.OnEvent(event);
  const size_t waits = std::min<size_t>(outcome.num_waits, abi::kMaxWaits);
  for (size_t i = 0; i < waits; ++i) {
    namings.OnOperation(outcome.waits[i].op, outcome.waits[i].object, false);
  }
  for (const Event& event : slice.events) namings.OnAccess(event);
  // A sanitizer's words are its own.
  if (finding.kind != finding::Kind::kSanitizer) {
    finding.message = WithObjectNames(finding.message, slice.names);
    for (std::string& line : finding.details) {
      line = WithObjectNames(line, slice.names);
    }
  }
  for (finding::ThreadState& state : finding.witness.threads) {
    state.doing = WithObjectNames(state.doing, slice.names);
  }
}

}  // namespace fairlead::explore
