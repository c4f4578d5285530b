#include "report/event_text.h"

#include <fmt/core.h>
#include <signal.h>

#include "abi/plan.h"
#include "base/subprocess.h"
#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::report {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Names;

// Small numbers are counts, large ones addresses or bits.
constexpr uint64_t kLargestDecimal = 99'999;

// Whether it is what freed memory is filled with (abi/plan.h).
bool IsOfFreedMemory(uint64_t value, uint64_t bytes) {
  if (bytes < 4 || bytes > 8) return false;
  constexpr uint64_t kFilled = 0x0101010101010101u * abi::kFreedByte;
  return value == kFilled >> (64 - 8 * bytes);
}

// A number of `bytes` bytes: negative if it is a small one below zero.
std::string ValueText(uint64_t value, uint64_t bytes, const Names& names) {
  if (IsOfFreedMemory(value, bytes)) return "what freed memory holds";
  if (value > kLargestDecimal) {
    const auto after = names.objects.upper_bound(value);
    if (after != names.objects.begin()) {
      const auto& [first, object] = *std::prev(after);
      if (value - first < object.size) return "&" + names.PointeeText(value);
    }
  }
  if (value <= kLargestDecimal) return fmt::format("{}", value);
  if (bytes >= 1 && bytes <= 8) {
    const int shift = static_cast<int>(64 - 8 * bytes);
    const int64_t number = static_cast<int64_t>(value << shift) >> shift;
    if (number < 0 && number >= -99'999) return fmt::format("{}", number);
  }
  return fmt::format("{:#x}", value);
}

// What is touched as a range, as strcpy does, comes without a value, and so do
// more bytes than a word has. What a library keeps in its own objects says
// nothing to people.
bool HasValue(const Event& event, const Names& names) {
  constexpr uint64_t kWord = 8;
  if (event.size == 0 || event.size > kWord) return false;
  if (!event.instrumented()) return true;
  const auto site = names.sites.find(event.site);
  if (site == names.sites.end()) return true;
  switch (site->second.kind) {
    case abi::SiteKind::kRangeRead:
    case abi::SiteKind::kRangeWrite:
    case abi::SiteKind::kObjectRead:
    case abi::SiteKind::kObjectWrite:
    case abi::SiteKind::kAsm:
      return false;
    default:
      // Pointers inside of containers are their own affair; atomics are not.
      return !site->second.has(abi::kSiteNoValue) &&
             !(site->second.library && site->second.has(abi::kSitePointer) &&
               (event.kind == EventKind::kRead ||
                event.kind == EventKind::kWrite));
  }
}

std::string AccessText(const Event& event, const Names& names) {
  const std::string object = names.ObjectText(event.address);
  const std::string value = ValueText(event.value, event.size, names);
  switch (event.kind) {
    case EventKind::kRmw:
    case EventKind::kCas: {
      std::string text =
          fmt::format("{} {}", trace::WordOf(event.kind), object);
      if (event.kind == EventKind::kCas && !event.has(abi::kFlagSuccess)) {
        return text + fmt::format(" = {} (fails)", value);
      }
      if (!event.old_value) return text + fmt::format(" = {}", value);
      return text + fmt::format(": {} to {}",
                                ValueText(*event.old_value, event.size, names),
                                value);
    }
    default:
      if (!HasValue(event, names)) {
        return fmt::format("{} {}", trace::WordOf(event.kind), object);
      }
      return fmt::format("{} {} = {}", trace::WordOf(event.kind), object,
                         value);
  }
}

// "is woken by main/2: ready".
std::string WakeText(const Event& event, const Names& names) {
  std::string text = "is woken";
  if (event.partner && event.partner->tid != trace::Tid::kNone) {
    text += " by " + names.ThreadText(event.partner->tid);
  }
  if (event.address == 0) return text;
  return fmt::format("{}: {}", text, names.ObjectText(event.address));
}

std::string SyncText(const Event& event, const Names& names) {
  std::string text(trace::WordOf(event.kind));
  if (event.address != 0) text += " " + names.ObjectText(event.address);
  switch (event.kind) {
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kFutexWake:
      if (event.value == 0) text += " (nobody waits)";
      break;
    case EventKind::kTryLock:
      if (!event.has(abi::kFlagSuccess)) text += " (fails)";
      break;
    case EventKind::kWait:
      if (event.partner && event.partner->object != 0) {
        text += fmt::format(", gives up {}",
                            names.ObjectText(event.partner->object));
      }
      break;
    case EventKind::kWaitDone:
      if (event.has(abi::kFlagSpurious)) text += " (for no reason)";
      break;
    default:
      break;
  }
  if (event.has(abi::kFlagTimedOut)) text += " (timed out)";
  if (event.has(abi::kFlagShared)) text += " (shared)";
  return text;
}

std::string FileText(const Event& event) {
  std::string_view word = trace::WordOf(event.kind);
  if (event.kind == EventKind::kUse) {
    if (event.has(abi::kFlagShared)) word = "read from";
    if (event.has(abi::kFlagWrites)) word = "write to";
  }
  return fmt::format("{} descriptor {}", word, event.value);
}

std::string OutsideText(const Event& event) {
  const std::string signal = SignalName(static_cast<int>(event.value));
  switch (event.kind) {
    case EventKind::kSignalSent:
      return "send " + signal;
    case EventKind::kSignalDelivered:
      return signal + " arrives, is handled";
    default:
      return std::string(trace::WordOf(event.kind));
  }
}

// A signal that tells of no access came from elsewhere.
std::string FaultText(const Event& event, const Names& names) {
  switch (event.value) {
    case SIGSEGV:
    case SIGBUS:
      return fmt::format("fault at {}", names.ObjectText(event.address));
    default:
      return fmt::format("is ended by {}",
                         SignalName(static_cast<int>(event.value)));
  }
}

}  // namespace

std::string EventText(const Event& event, const Names& names) {
  switch (trace::GroupOf(event.kind)) {
    case trace::EventGroup::kAccess:
      return event.kind == EventKind::kFence ? "fence"
                                             : AccessText(event, names);
    case trace::EventGroup::kWake:
      return WakeText(event, names);
    case trace::EventGroup::kSync:
      return SyncText(event, names);
    case trace::EventGroup::kThread: {
      const std::string word(trace::WordOf(event.kind));
      if (event.kind == EventKind::kBegin || event.kind == EventKind::kEnd) {
        return word;
      }
      const auto other = event.value < abi::kMaxThreads
                             ? trace::Tid{static_cast<uint16_t>(event.value)}
                             : trace::Tid::kNone;
      return fmt::format("{} {}", word, names.ThreadText(other));
    }
    case trace::EventGroup::kMemory:
      return fmt::format("{} {} ({} bytes)", trace::WordOf(event.kind),
                         names.PointeeText(event.address), event.value);
    case trace::EventGroup::kFile:
      return FileText(event);
    case trace::EventGroup::kFault:
      if (event.kind == EventKind::kExit) {
        return fmt::format("exit {}", event.value);
      }
      if (event.kind == EventKind::kAssertion) {
        return fmt::format("assertion {}", event.payload);
      }
      if (event.kind == EventKind::kFault) {
        return FaultText(event, names);
      }
      return std::string(trace::WordOf(event.kind));
    case trace::EventGroup::kOutside:
      return OutsideText(event);
    case trace::EventGroup::kFrame:
    case trace::EventGroup::kRequest:
    case trace::EventGroup::kMark:
    case trace::EventGroup::kExtension:
      break;
  }
  std::string text(trace::WordOf(event.kind));
  if (!event.payload.empty()) text += " " + event.payload;
  return text;
}

std::string StoredText(const Event& event, const Names& names) {
  if (!trace::IsAccess(event) || !HasValue(event, names)) return "";
  return ValueText(event.value, event.size, names);
}

}  // namespace fairlead::report
