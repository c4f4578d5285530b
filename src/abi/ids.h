// abi/ids.h
//
// The names that every room uses for threads, objects and sites, as types, so
// that none can be passed where another is meant. Values are those of the
// event stream (abi/event.h).
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_IDS_H_
#define FAIRLEAD_ABI_IDS_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::abi {

// A thread of the program, numbered by creation from 0 = main; never reused.
enum class Tid : uint16_t { kMain = 0, kNone = 0xffff };

// What an operation acts on: the address of its first byte.
enum class ObjId : uint64_t { kNone = 0 };

// A site by its anchor (SiteRecord::anchor), or, for a call from code that was
// not instrumented, by a hash of its module's name and the offset in it. The
// same in every execution, under address randomisation and after a rebuild.
enum class SiteId : uint64_t { kNone = 0 };

// Choices made so far in an execution.
enum class Step : uint64_t { kStart = 0 };

constexpr size_t Index(Tid tid) { return static_cast<size_t>(tid); }

// Threads that one execution may create; tables indexed by Tid have this size.
// A server of the day makes a few thousand; 8192 fit each such table of 8-byte
// entries in sixteen pages, of which only those in use are touched. A program
// that creates more is cut with CutReason::kThreads.
inline constexpr size_t kMaxThreads = 8192;

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_IDS_H_
