// trace/kinds.h
//
// The facts of abi/events.inc at run time: the word and the group of a kind,
// and the kind of a word. Also the words of flags, orders and block classes in
// the text form of traces.

#ifndef FAIRLEAD_TRACE_KINDS_H_
#define FAIRLEAD_TRACE_KINDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "abi/event.h"
#include "abi/site.h"

namespace fairlead::trace {

struct KindEntry {
  abi::EventKind kind;
  std::string_view word;
  abi::EventGroup group;
};

// Every kind, extensions included, in the order of the table.
std::span<const KindEntry> Kinds();

// Null for a number that is no kind: streams are untrusted.
const KindEntry* FindKind(abi::EventKind kind);
const KindEntry* FindKind(std::string_view word);

// The word of a kind that a decoder has let through.
std::string_view WordOf(abi::EventKind kind);
abi::EventGroup GroupOf(abi::EventKind kind);

// Flags that the text form writes as a word of their own; the others follow
// from operands.
struct FlagEntry {
  uint16_t flag;
  std::string_view word;
};
std::span<const FlagEntry> FlagWords();

std::string_view WordOf(abi::MemoryOrder order);
std::optional<abi::MemoryOrder> FindOrder(std::string_view word);

std::string_view WordOf(abi::BlockClass block_class);
std::optional<abi::BlockClass> FindBlockClass(std::string_view word);

std::string_view WordOf(abi::SiteKind kind);
std::optional<abi::SiteKind> FindSiteKind(std::string_view word);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_KINDS_H_
