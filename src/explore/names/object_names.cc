#include "explore/names/object_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.h"
#include "explore/names/object_naming.h"
#include "explore/names/primitives.h"
#include "finding/outcome.h"
#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using trace::Event;
using trace::EventKind;

// Addresses that a witness speaks of, with the bytes there.
class Addresses {
 public:
  void Add(uint64_t address, uint64_t bytes) {
    if (address == 0) return;
    uint64_t& known = all_[address];
    // What is touched says more about an address than a pointer to it.
    if (known == 0 || (bytes != 0 && bytes < known)) known = bytes;
  }

  void AddText(std::string_view text) {
    for (size_t at = 0; (at = text.find("0x", at)) != std::string_view::npos;) {
      const size_t end = text.find_first_not_of("0123456789abcdef", at + 2);
      const size_t length = std::min(end, text.size()) - at;
      if (const auto address = ParseNumber(text.substr(at, length))) {
        Add(*address, 0);
      }
      at += length;
    }
  }

  void AddEvent(const Event& event) {
    const bool access = trace::IsAccess(event);
    Add(event.address, access ? event.size : 0);
    if (event.partner) Add(event.partner->object, 0);
    if (!access) return;
    Add(event.value, 0);
    if (event.old_value) Add(*event.old_value, 0);
  }

  const std::map<uint64_t, uint64_t>& all() const { return all_; }

 private:
  std::map<uint64_t, uint64_t> all_;
};

// What nobody has a name for, by what is done to it: "mutex#1".
class Namings {
 public:
  explicit Namings(trace::Names& names) : names_(names) {}

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

  // What is touched, be it on a stack or elsewhere.
  void OnAccess(const Event& event) {
    if (trace::IsAccess(event)) {
      Add("memory", event.address, std::max<uint64_t>(event.size, 1));
    }
  }

 private:
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
  std::map<std::string, int> numbers_;
};

KnownMemory MemoryOf(const Executed& executed, const TraceKeeper& keeper,
                     Namer& namer) {
  KnownMemory memory;
  for (const auto& [first, block] : keeper.blocks()) {
    memory.blocks[first] = block.bytes;
  }
  for (const abi::ThreadEntry& thread :
       executed.memory->Copy<abi::ThreadEntry>(abi::RegionId::kThreads)) {
    memory.stacks[thread.stack_begin] = thread.stack_end;
  }
  memory.allocated_at = [&](uint64_t first) -> finding::Where {
    const auto block = keeper.blocks().find(first);
    if (block == keeper.blocks().end()) return {};
    return namer.OwnWhere(block->second.site, block->second.flags,
                          block->second.node);
  };
  return memory;
}

// Everything that the finding says of an address.
Addresses AddressesIn(const abi::Outcome& outcome,
                      const finding::Finding& finding) {
  Addresses addresses;
  for (const Event& event : finding.witness.slice.events) {
    addresses.AddEvent(event);
  }
  const size_t waits = std::min<size_t>(outcome.num_waits, abi::kMaxWaits);
  for (size_t i = 0; i < waits; ++i) {
    addresses.Add(outcome.waits[i].object, 0);
  }
  // Of a wrong result, the program's own words are told.
  if (finding::OutcomeOf(finding.kind) != finding::Outcome::kWrongEnd ||
      finding.kind == finding::Kind::kMisuse) {
    addresses.AddText(finding.message);
    for (const std::string& line : finding.details) addresses.AddText(line);
  }
  for (const finding::ThreadState& state : finding.witness.threads) {
    addresses.AddText(state.doing);
  }
  return addresses;
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

namespace {

bool IsPartOfWord(char c) {
  return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `text` with `old` as `name`, where it stands by itself.
std::string Renamed(std::string text, std::string_view old,
                    std::string_view name) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos;) {
    const size_t end = at + old.size();
    const bool inside =
        (at > 0 && (IsPartOfWord(text[at - 1]) || text[at - 1] == '/')) ||
        (end < text.size() && (IsPartOfWord(text[end]) || text[end] == '+' ||
                               text[end] == '.' || text[end] == '['));
    if (inside) {
      at = end;
      continue;
    }
    text.replace(at, old.size(), name);
    at += name.size();
  }
  return text;
}

// Applies `change` to all that a finding says about objects.
template <typename Change>
void ChangeTexts(finding::Finding& finding, Change change) {
  // A sanitizer's words are its own.
  if (finding.kind != finding::Kind::kSanitizer) {
    finding.message = change(finding.message);
    for (std::string& line : finding.details) line = change(line);
  }
  for (finding::ThreadState& state : finding.witness.threads) {
    state.doing = change(state.doing);
  }
}

// Gives each address a name of its own. What was known as "queue+40" before is
// called by the new name in texts, too.
void NameAddresses(const Addresses& addresses, ObjectNaming& naming,
                   finding::Finding& finding) {
  trace::Names& names = finding.witness.slice.names;
  for (const auto& [address, bytes] : addresses.all()) {
    naming.Expect(address, bytes);
  }
  std::map<uint64_t, trace::ObjectName> objects;
  std::map<std::string, std::string> renamed;
  for (auto each = addresses.all().begin(); each != addresses.all().end();
       ++each) {
    const auto& [address, bytes] = *each;
    std::optional<trace::ObjectName> name = naming.NameOf(address, bytes);
    if (!name) continue;
    const auto next = std::next(each);
    name->size = std::max<uint64_t>(bytes, 1);
    if (next != addresses.all().end()) {
      name->size = std::min(name->size, next->first - address);
    }
    const std::string old = names.ObjectText(address);
    if (!old.starts_with("0x") && old != name->name) {
      renamed[old] = name->name;
    }
    objects[address] = *std::move(name);
  }
  names.objects = std::move(objects);
  ChangeTexts(finding, [&](std::string text) {
    for (const auto& [old, name] : renamed) text = Renamed(text, old, name);
    return text;
  });
}

}  // namespace

void NameObjects(const Executed& executed, const trace::Trace& whole,
                 const TraceKeeper& keeper, Namer& namer,
                 const std::set<uint64_t>& also, finding::Finding& finding) {
  const KnownMemory memory = MemoryOf(executed, keeper, namer);
  ObjectNaming naming(whole, memory);
  const abi::Outcome& outcome = executed.outcome;
  Addresses addresses = AddressesIn(outcome, finding);
  for (const uint64_t address : also) addresses.Add(address, 0);
  NameAddresses(addresses, naming, finding);
  trace::Trace& slice = finding.witness.slice;
  Namings namings(slice.names);
  // Primitives first: they are larger than the words of theirs that are read.
  for (const Event& event : slice.events) namings.OnEvent(event);
  const size_t waits = std::min<size_t>(outcome.num_waits, abi::kMaxWaits);
  for (size_t i = 0; i < waits; ++i) {
    namings.OnOperation(outcome.waits[i].op, outcome.waits[i].object, false);
  }
  for (const uint64_t lock : also) {
    namings.OnOperation(EventKind::kLock, lock, false);
  }
  for (const Event& event : slice.events) namings.OnAccess(event);
  ChangeTexts(finding, [&](const std::string& text) {
    return WithObjectNames(text, slice.names);
  });
  for (std::string& line : naming.Legend()) {
    finding.details.push_back(std::move(line));
  }
}

}  // namespace fairlead::explore
