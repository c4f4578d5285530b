#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "trace/kinds.h"
#include "trace/names_text.h"
#include "trace/text.h"

namespace fairlead::trace {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Small numbers are counts and read best in decimal, large ones are addresses
// or bits.
constexpr uint64_t kLargestDecimal = 0xffff;

std::string NumberText(uint64_t number) {
  return number <= kLargestDecimal ? fmt::format("{}", number)
                                   : fmt::format("{:#x}", number);
}

// An object by its name if that can be read back, else by its address.
std::string ObjectWord(uint64_t address, const Names& names) {
  std::string text = Escape(names.ObjectText(address));
  return IsObjectWord(text) ? text : fmt::format("{:#x}", address);
}

uint64_t DefaultSize(EventKind kind) {
  return GroupOf(kind) == EventGroup::kAccess && kind != EventKind::kFence
             ? kDefaultAccessBytes
             : 0;
}

void PrintOperand(Out out, const Event& event, const Names& names) {
  if (NamesAThread(event.kind)) {
    const Tid other = event.value < abi::kMaxThreads
                          ? Tid{static_cast<uint16_t>(event.value)}
                          : Tid::kNone;
    if (other != Tid::kNone) {
      fmt::format_to(out, " {}", Escape(names.ThreadText(other)));
    } else {
      fmt::format_to(out, " value={}", NumberText(event.value));
    }
    if (event.address != 0) {
      fmt::format_to(out, " object={}", ObjectWord(event.address, names));
    }
    return;
  }
  if (event.address != 0) {
    fmt::format_to(out, " {}", ObjectWord(event.address, names));
  }
  if (event.value != 0) {
    const bool wake = GroupOf(event.kind) == EventGroup::kWake;
    fmt::format_to(out, " {}={}", wake ? "cause" : "value",
                   NumberText(event.value));
  }
}

void PrintFlags(Out out, const Event& event) {
  if (event.order() != abi::MemoryOrder::kPlain) {
    fmt::format_to(out, " {}", WordOf(event.order()));
  }
  for (const FlagEntry& entry : FlagWords()) {
    if ((event.flags & entry.flag) != 0) fmt::format_to(out, " {}", entry.word);
  }
}

void PrintExtensions(Out out, const Event& event, const Names& names) {
  if (event.old_value) {
    fmt::format_to(out, " old={}", NumberText(*event.old_value));
  }
  if (event.partner) {
    fmt::format_to(out, " partner={}",
                   Escape(names.ThreadText(event.partner->tid)));
    if (event.partner->object != 0) {
      fmt::format_to(out, ",{}", ObjectWord(event.partner->object, names));
    }
  }
  if (event.block) {
    fmt::format_to(out, " block={}+{},{}{}", event.block->number,
                   event.block->offset, WordOf(event.block->block_class),
                   event.block->zeroed ? ",zeroed" : "");
  }
  if (event.this_object) {
    fmt::format_to(out, " this={}", NumberText(*event.this_object));
  }
  if (!event.payload.empty()) {
    fmt::format_to(out, " payload={}", Escape(event.payload));
  }
}

void PrintWhere(Out out, const Event& event, const Names& names) {
  if (event.instrumented()) {
    fmt::format_to(out, " site={}", event.site);
  } else if (event.site != 0) {
    fmt::format_to(out, " caller={}", event.site);
  }
  if (event.node != 0) fmt::format_to(out, " node={}", event.node);
  if (event.instructions != 0) {
    fmt::format_to(out, " instructions={}", event.instructions);
  }
  if (const Place* place = names.PlaceOf(event)) {
    fmt::format_to(out, "  @{}", EscapedPlace(*place));
  }
}

}  // namespace

bool NamesAThread(EventKind kind) {
  return kind == EventKind::kFork || kind == EventKind::kJoin ||
         kind == EventKind::kDetach || kind == EventKind::kCancel;
}

bool IsObjectWord(std::string_view word) {
  if (word.empty() || word == "%" || word.starts_with('#') ||
      word.starts_with('@') || word.starts_with("//") ||
      word.find_first_of("=,") != std::string_view::npos) {
    return false;
  }
  if (FindOrder(word)) return false;
  return std::ranges::none_of(
      FlagWords(), [&](const FlagEntry& entry) { return entry.word == word; });
}

std::string PrintEvent(const Event& event, const Names& names,
                       const Event* previous) {
  std::string text =
      fmt::format("{:<8} {}", Escape(names.ThreadText(event.tid)) + ":",
                  WordOf(event.kind));
  const Out out = std::back_inserter(text);
  PrintOperand(out, event, names);
  if (event.size != DefaultSize(event.kind)) {
    fmt::format_to(out, " size={}", event.size);
  }
  PrintFlags(out, event);
  PrintExtensions(out, event, names);
  const uint64_t expected = previous == nullptr ? 0 : previous->seq + 1;
  if (event.seq != expected) fmt::format_to(out, " seq={}", event.seq);
  PrintWhere(out, event, names);
  return text;
}

std::string PrintTrace(const Trace& trace) {
  std::map<uint64_t, std::string> labels;
  for (const auto& [label, seq] : trace.labels) {
    labels[seq] += fmt::format("  #{}", Escape(label));
  }
  std::string text = PrintNames(trace.names);
  const Event* previous = nullptr;
  for (const Event& event : trace.events) {
    text += PrintEvent(event, trace.names, previous);
    if (const auto label = labels.find(event.seq); label != labels.end()) {
      text += label->second;
    }
    text += '\n';
    previous = &event;
  }
  for (const std::string& spec : trace.specs) text += "spec " + spec + "\n";
  for (const Expectation& expectation : trace.expectations) {
    text +=
        fmt::format("expect {} {}\n", expectation.analysis, expectation.claim);
  }
  return text;
}

}  // namespace fairlead::trace
