// abi/control.h
//
// The control page: one shared memory file between the tool and one execution.
// The tool creates it (memfd), lays it out, writes the plan, and starts the
// program with `FAIRLEAD_CONTROL=<fd>` and the runtime in LD_PRELOAD. The
// runtime maps it, follows the plan, and leaves events and an outcome.
//
//   ControlPage            header, plan, outcome, cursors of the ring
//   regions                kPageBytes aligned, found through
//                          ControlPage::regions: the tables of abi/regions.inc
//
// Everything in a table is written before its `used` count, which is published
// with a release store; whoever reads an event that names an entry may read the
// entry. Each side treats what the other wrote as untrusted.
//
// Site indices. `Event::site` with kFlagInstrumented is an index into the site
// tables of all modules, laid end to end in the order of `modules`, from 1:
// module m holds first_site <= i < first_site + num_sites, and record i is the
// (i - first_site)-th of its units (abi/site.h), to be read out of the file
// `path`. Without the flag it is an index into `callers` (0 = unknown).
// Function indices (kEnter, kLeave) work alike.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_CONTROL_H_
#define FAIRLEAD_ABI_CONTROL_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"
#include "abi/outcome.h"
#include "abi/plan.h"
#include "abi/schedule.h"
#include "abi/tables.h"
#include "abi/target.h"

namespace fairlead::abi {

// History (newest first; tool and runtime must agree exactly, as both come from
// one build):
//   7  orders of requests; another world.
//   6  targets of up to 64 steps; the strategy `sketch`.
//   5  policies of time-outs and signals; early time-outs; forced yields.
//   4  stacks, claims; in-process repetition in several executions; ready.
//   3  ordered sites; the debugger's flag; where uncontrolled things come from.
//   2  weights in, features, counts, points out.
//   1  first layout.
inline constexpr uint32_t kControlVersion = 7;
inline constexpr uint64_t kControlMagic = 0x314c5254434c4146;  // "FALCTRL1"
inline constexpr char kControlVariable[] = "FAIRLEAD_CONTROL";
inline constexpr size_t kPageBytes = 4096;
inline constexpr size_t kCacheLineBytes = 64;

enum class RegionId : uint32_t {
#define FL_REGION(name, type, capacity, writer) name,
#include "abi/regions.inc"
#undef FL_REGION
};

// Who fills a table.
enum class Writer : uint8_t { kProgram, kTool };

struct RegionFacts {
  size_t entry_bytes;
  uint64_t capacity;  // unless the tool wants another, in entries
  Writer writer;
};
// By RegionId.
inline constexpr RegionFacts kRegions[] = {
#define FL_REGION(name, type, capacity, writer) \
  {sizeof(type), capacity, Writer::writer},
#include "abi/regions.inc"
#undef FL_REGION
};
inline constexpr size_t kNumRegions = sizeof(kRegions) / sizeof(kRegions[0]);

struct Region {
  uint64_t offset;    // bytes from the start of the page
  uint64_t capacity;  // entries
  uint64_t used;      // entries written; release store, acquire load
};

// Indices count records since the start and are taken modulo the capacity.
struct RingCursors {
  // Records below `head` may be read. Stored by the program with release, every
  // 64 events, whenever it waits, and at its end. A sleeping reader is woken
  // only after every eighth of the ring, when the program waits for it, and at
  // the end: so it must sleep with a time-out of a few milliseconds.
  alignas(kCacheLineBytes) uint64_t head;
  // 1 = the reader sleeps on the low half of `head` (futex) and wants a wake.
  uint32_t reader_sleeps;
  // Records below `tail` may be overwritten. Stored by the reader with release.
  alignas(kCacheLineBytes) uint64_t tail;
  // 1 = the program sleeps on the low half of `tail` (futex).
  uint32_t writer_sleeps;
};

enum class ServerState : uint32_t {
  kNone,      // not there yet, or no fork server at all
  kStanding,  // waits for orders
  kUnable,    // cannot fork where it was to stand; outcome.text says why
};

// A fork server (PlanFlag::kPlanServe) and the tool. The tool writes plan,
// `in` regions and cursors while nothing runs, then adds one to `command`; the
// server resets the tables and the outcome to what they were where it stands,
// forks, waits for the child, ends what is left of its process group, and
// stores `done`. docs/design/fork-server.md has the whole story.
struct Server {
  alignas(kCacheLineBytes) uint32_t command;  // by the tool; futex
  uint32_t idle_version;  // by the tool; another number = other idle sites
  alignas(
      kCacheLineBytes) uint32_t done;  // the command last carried out; futex
  ServerState state;
  int32_t server;        // process id
  int32_t child;         // process id while there is one, else 0
  int32_t wait_status;   // of the last child, as of waitpid; -errno = no child
  uint32_t page_faults;  // of the last child, without access to the disk
};

struct ControlPage {
  uint64_t magic;
  uint32_t version;
  uint32_t header_bytes;  // sizeof(ControlPage)
  uint64_t total_bytes;
  Region regions[kNumRegions];
  RingCursors cursors;
  Server server;
  Plan plan;
  Outcome outcome;

  const Region& region(RegionId id) const {
    return regions[static_cast<size_t>(id)];
  }
  Region& region(RegionId id) { return regions[static_cast<size_t>(id)]; }
  template <typename T>
  T* entries(RegionId id) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(this) +
                                region(id).offset);
  }
};

// Fills `regions`, `header_bytes` and `total_bytes` from the capacities that
// the caller has put into `regions`; returns total_bytes. Untouched pages of a
// memfd cost nothing, so be generous.
constexpr uint64_t LayOut(ControlPage& page) {
  uint64_t offset = sizeof(ControlPage);
  for (size_t i = 0; i < kNumRegions; ++i) {
    offset = (offset + kPageBytes - 1) / kPageBytes * kPageBytes;
    page.regions[i].offset = offset;
    page.regions[i].used = 0;
    offset += page.regions[i].capacity * kRegions[i].entry_bytes;
  }
  page.header_bytes = sizeof(ControlPage);
  page.total_bytes = (offset + kPageBytes - 1) / kPageBytes * kPageBytes;
  return page.total_bytes;
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_CONTROL_H_
