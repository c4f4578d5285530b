// abi/event.h
//
// One record of the event stream: 32 bytes, followed by as many extension
// records of the same size as the event needs.
//
//   0       2       4     5     6           8          12         16       24
//   | thread| flags | kind| size| instr.    | site     | node     | address|
//   value |
//
// Extension records keep `kind` at its place and use address and value:
//   old           value = what was there before a read-modify-write
//   partner       value = the other thread, address = the other object
//   block         value = block number, address = offset in the block,
//                 site = abi::BlockClass, node = 1 if zeroed
//   this          address = the object
//   size          value = bytes, when Event::size does not hold it
//   instructions  value = instruction delta, when Event::instructions does not
//   payload       thread = number of bytes used (at most 24), bytes from
//                 `site` on; size = 8 if they are pointers, else 0
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_EVENT_H_
#define FAIRLEAD_ABI_EVENT_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::abi {

// History of the stream format (newest first; readers refuse newer ones):
//   1  first layout.
inline constexpr uint32_t kStreamVersion = 1;

enum class EventKind : uint8_t {
#define FL_EVENT(name, word, number, group) name = number,
#include "abi/events.inc"
#undef FL_EVENT
};

enum class EventGroup : uint8_t {
  kAccess,
  kSync,
  kWake,
  kThread,
  kMemory,
  kFile,
  kFault,
  kOutside,
  kFrame,
  kRequest,
  kMark,
  kExtension,
};

enum EventFlag : uint16_t {
  kFlagOrderMask = 0x7,          // abi::MemoryOrder
  kFlagShared = 1u << 3,         // lock taken or released in read mode
  kFlagSuccess = 1u << 4,        // try, timed or compare-and-swap succeeded
  kFlagTimedOut = 1u << 5,       // ended by its time-out
  kFlagSpurious = 1u << 6,       // woken by nobody
  kFlagRecursive = 1u << 7,      // not the outermost lock or unlock
  kFlagPoint = 1u << 8,          // a switch was possible here
  kFlagExtended = 1u << 9,       // an extension record follows
  kFlagWrites = 1u << 10,        // a range access that writes
  kFlagLibrary = 1u << 11,       // the site is a library's own
  kFlagInstrumented = 1u << 12,  // `site` is a site index; else a call address
  kFlagRobust = 1u << 13,        // the previous owner died (EOWNERDEAD)
  kFlagForeign = 1u << 14,       // the thread has been in code that was not
                                 // compiled with us since its last event
  kFlagVolatile = 1u << 15,      // the access is volatile
};

inline constexpr uint8_t kSizeExtended = 255;  // see `size` extension
inline constexpr uint16_t kInstructionsExtended = 65535;  // see `instructions`

struct Event {
  uint16_t thread;  // numbered by creation from 0 = main; never reused
  uint16_t flags;   // EventFlag
  EventKind kind;
  uint8_t size;           // bytes touched; kSizeExtended = in an extension
  uint16_t instructions;  // of this thread since its last event
  uint32_t site;          // index into the execution's site table; 0 = none
  uint32_t node;          // calling context: node of the call tree; 0 = root
  uint64_t address;
  uint64_t value;
};
static_assert(sizeof(Event) == 32);
static_assert(offsetof(Event, site) == 8);
static_assert(offsetof(Event, address) == 16);

inline constexpr size_t kPayloadBytes = 24;   // of one payload extension
inline constexpr size_t kMaxPayload = 65536;  // of an event; the rest is cut

// Where a block lives; in the `block` extension.
enum class BlockClass : uint32_t { kHeap, kStack, kGlobal, kTls, kMapped };

// Why an execution was cut; value of a kCut event.
enum class CutReason : uint32_t {
  kNone,
  kSteps,
  kTime,
  kUninstrumentedSpin,
  kStoppedFromOutside,
  kThreads,
};

// How a program misused a primitive; value of a kMisuse event.
enum class Misuse : uint32_t {
#define FL_MISUSE(name, words) name,
#include "abi/misuses.inc"
#undef FL_MISUSE
};

// What is wrong about it, in words that follow the name of the thread. `misuse`
// may be any number.
constexpr const char* WordsOf(Misuse misuse) {
  constexpr const char* kWords[] = {
#define FL_MISUSE(name, words) words,
#include "abi/misuses.inc"
#undef FL_MISUSE
  };
  const auto index = static_cast<uint32_t>(misuse);
  return index < sizeof(kWords) / sizeof(kWords[0])
             ? kWords[index]
             : "misuses something in a way unknown to this build";
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_EVENT_H_
