#include "trace/kinds.h"

#include <array>

namespace fairlead::trace {
namespace {

using abi::EventGroup;
using abi::EventKind;

constexpr KindEntry kKinds[] = {
#define FL_EVENT(name, word, number, group) \
  {EventKind::name, word, EventGroup::group},
#include "abi/events.inc"
#undef FL_EVENT
};

// By number: index into kKinds plus one; 0 = no kind.
constexpr std::array<uint8_t, 256> kByNumber = [] {
  std::array<uint8_t, 256> table{};
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    table[static_cast<uint8_t>(kKinds[i].kind)] = static_cast<uint8_t>(i + 1);
  }
  return table;
}();

constexpr FlagEntry kFlagWords[] = {
    {abi::kFlagShared, "shared"},       {abi::kFlagSuccess, "success"},
    {abi::kFlagTimedOut, "timed-out"},  {abi::kFlagSpurious, "spurious"},
    {abi::kFlagRecursive, "recursive"}, {abi::kFlagPoint, "point"},
    {abi::kFlagWrites, "writes"},       {abi::kFlagLibrary, "library"},
    {abi::kFlagRobust, "owner-died"},   {abi::kFlagForeign, "foreign"},
    {abi::kFlagVolatile, "volatile"},
};

constexpr std::string_view kOrders[] = {"plain",   "unordered", "relaxed",
                                        "consume", "acquire",   "release",
                                        "acq-rel", "seq-cst"};

constexpr std::string_view kBlockClasses[] = {"heap", "stack", "global", "tls",
                                              "mapped"};

constexpr struct {
  abi::SiteKind kind;
  std::string_view word;
} kSiteKinds[] = {
#define FL_SITE_KIND(name, word, number, reads, writes) \
  {abi::SiteKind::name, word},
#include "abi/sites.inc"
#undef FL_SITE_KIND
};

template <typename Enum, size_t kSize>
std::optional<Enum> FindIn(const std::string_view (&words)[kSize],
                           std::string_view word) {
  for (size_t i = 0; i < kSize; ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return {};
}

}  // namespace

std::span<const KindEntry> Kinds() { return kKinds; }

const KindEntry* FindKind(EventKind kind) {
  const uint8_t index = kByNumber[static_cast<uint8_t>(kind)];
  return index == 0 ? nullptr : &kKinds[index - 1];
}

const KindEntry* FindKind(std::string_view word) {
  for (const KindEntry& entry : kKinds) {
    if (entry.word == word) return &entry;
  }
  return nullptr;
}

std::string_view WordOf(EventKind kind) {
  const KindEntry* entry = FindKind(kind);
  return entry == nullptr ? "?" : entry->word;
}

EventGroup GroupOf(EventKind kind) {
  const KindEntry* entry = FindKind(kind);
  return entry == nullptr ? EventGroup::kMark : entry->group;
}

std::span<const FlagEntry> FlagWords() { return kFlagWords; }

std::string_view WordOf(abi::MemoryOrder order) {
  return kOrders[static_cast<size_t>(order) % std::size(kOrders)];
}
std::optional<abi::MemoryOrder> FindOrder(std::string_view word) {
  return FindIn<abi::MemoryOrder>(kOrders, word);
}

std::string_view WordOf(abi::BlockClass block_class) {
  const auto index = static_cast<size_t>(block_class);
  return index < std::size(kBlockClasses) ? kBlockClasses[index] : "?";
}
std::optional<abi::BlockClass> FindBlockClass(std::string_view word) {
  return FindIn<abi::BlockClass>(kBlockClasses, word);
}

std::string_view WordOf(abi::SiteKind kind) {
  for (const auto& entry : kSiteKinds) {
    if (entry.kind == kind) return entry.word;
  }
  return "?";
}
std::optional<abi::SiteKind> FindSiteKind(std::string_view word) {
  for (const auto& entry : kSiteKinds) {
    if (entry.word == word) return entry.kind;
  }
  return {};
}

}  // namespace fairlead::trace
