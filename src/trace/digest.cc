#include "trace/digest.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace fairlead::trace {
namespace {

// All numbers of an event that mean the same in every execution, in one block
// of memory without holes.
struct Words {
  uint64_t who;  // thread, flags, kind
  uint64_t size;
  uint64_t site;
  Location address;
  Location value;
  uint64_t old_value;
  uint64_t partner;
  Location partner_object;
  uint64_t block;
  uint64_t block_offset;
  Location this_object;
  uint64_t payload;
};
static_assert(std::has_unique_object_representations_v<Words>);

// Where the kernel puts what it places by chance: programs, libraries, and the
// first stack with the arguments and the environment.
constexpr uint64_t kRandomisedBegin = 0x5500'0000'0000;
constexpr uint64_t kRandomisedEnd = 0x8000'0000'0000;

// A number as every execution has it. An address that belongs to nothing known,
// such as that of an argument, says only that it is one.
// Unsound: two of them look the same.
Location Portable(const Blocks& blocks, uint64_t number) {
  const Location found = blocks.Locate(number);
  const bool unknown = found.block == Location{}.block &&
                       number >= kRandomisedBegin && number < kRandomisedEnd;
  return unknown ? blocks.Locate(kRandomisedBegin) : found;
}

// Of the pointers that a function was given.
uint64_t PointersDigest(const Blocks& blocks, std::string_view payload) {
  std::vector<Location> pointers;
  for (; payload.size() >= sizeof(uint64_t);
       payload.remove_prefix(sizeof(uint64_t))) {
    uint64_t pointer;
    std::memcpy(&pointer, payload.data(), sizeof(pointer));
    pointers.push_back(Portable(blocks, pointer));
  }
  return fairlead::DigestOf(std::as_bytes(std::span(pointers)));
}

uint64_t PayloadDigest(const Blocks& blocks, const Event& event) {
  if (event.payload.empty()) return 0;
  return event.kind == EventKind::kEnter ? PointersDigest(blocks, event.payload)
                                         : fairlead::DigestOf(event.payload);
}

}  // namespace

void ExecutionDigest::KnowModules(const Names& names) {
  for (const auto& [index, module] : names.modules) {
    blocks_.AddKnown(module.base, module.base + module.size,
                     kModuleBlocks + index);
  }
}

uint64_t ExecutionDigest::Word(const Event& event) {
  blocks_.OnEvent(event);
  const Words words = {
      .who = uint64_t{static_cast<uint16_t>(event.tid)} << 32 |
             uint64_t{event.flags} << 8 | static_cast<uint8_t>(event.kind),
      .size = event.size,
      .site = event.site,
      .address = Portable(blocks_, event.address),
      // Of a range: which words are null, which padding may decide.
      .value = Portable(
          blocks_, event.kind == EventKind::kWrite && event.size > sizeof(void*)
                       ? 0
                       : event.value),
      .old_value =
          event.old_value ? Portable(blocks_, *event.old_value).offset + 1 : 0,
      .partner = event.partner ? abi::Index(event.partner->tid) + 1 : 0,
      .partner_object =
          event.partner ? Portable(blocks_, event.partner->object) : Location{},
      .block = event.block ? event.block->number + 1 : 0,
      .block_offset = event.block ? event.block->offset : 0,
      .this_object = event.this_object ? Portable(blocks_, *event.this_object)
                                       : Location{},
      .payload = PayloadDigest(blocks_, event),
  };
  return fairlead::DigestOf(std::as_bytes(std::span(&words, 1)));
}

void ExecutionDigest::Add(const Event& event) { digester_.Add(Word(event)); }

uint64_t DigestOf(std::span<const Event> events) {
  ExecutionDigest digest;
  for (const Event& event : events) digest.Add(event);
  return digest.Value();
}

}  // namespace fairlead::trace
