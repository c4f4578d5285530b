// runtime/sites/features.h
//
// Which behaviours an execution showed, as bits of a map in the control page
// (abi::kFeatureWords), and how often each thread came to the gate: what a
// search learns from an execution without reading its events. A behaviour is
//
//   - a read, and whose write it sees (reads-from pair, by site)
//   - a write, and whose write it replaces
//   - a lock taken while another one is held (lock order, by object)
//   - a lock taken, and who had it last
//   - a calling context
//
// Off unless the plan asks (kPlanFeatures); then a few nanoseconds per event.
//
// Unsound: hashes may collide; last writers are kept for kWrites words, which
// push each other out; of an access to several words, the first counts.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SITES_FEATURES_H_
#define FAIRLEAD_RUNTIME_SITES_FEATURES_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/control.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

class Features {
 public:
  // An execution begins, with `main` alone. Also in a child of a fork server,
  // which stands behind the beginning and may have been told otherwise: what
  // happened before is not told, so it is the same for all children.
  void Begin(abi::ControlPage& page);

  bool on() const { return bits_ != nullptr; }

  // `thread` did `kind` to `address`, at thread.place. Only while on().
  void Saw(Thread& thread, EventKind kind, uint16_t flags, const void* address);

  // A calling context that came up; `hash` is the node's.
  void SawContext(uint64_t hash) {
    if (on()) Mark(Kind::kContext, hash, 0);
  }

  // `thread` comes into being at `anchor`, which counts as a coming.
  void Born(const Thread& thread, SiteId anchor) {
    if (counts_ == nullptr) [[likely]]
      return;
    counts_[abi::Index(thread.tid)] = {};
    Came(thread, anchor);
  }
  // `thread` comes to the gate at `anchor`.
  void Came(const Thread& thread, SiteId anchor) {
    if (counts_ == nullptr) [[likely]]
      return;
    ++counts_[abi::Index(thread.tid)].by_bucket[abi::OperationBucket(anchor)];
  }

  // The execution ends with so many threads.
  void Finish(abi::ControlPage& page, size_t num_threads) const;

 private:
  enum class Kind : uint64_t {
    kReads = 1,
    kReplaces,
    kLockOrder,
    kHandOver,
    kContext,
  };

  // The last write to a word, or the last release of a lock.
  struct Last {
    uint64_t key;  // which word; 0 = empty
    SiteId site;
    Tid thread;
  };
  static constexpr size_t kLast = 4096;

  void Mark(Kind kind, uint64_t a, uint64_t b);
  Last& Find(uint64_t key);
  void SawAccess(Thread& thread, bool reads, bool writes, uint64_t key);
  void SawLock(Thread& thread, uint64_t key);
  void SawUnlock(Thread& thread, uint64_t key);

  uint64_t* bits_ = nullptr;               // null = off
  abi::OperationCount* counts_ = nullptr;  // by thread; null = off
  Last* last_ = nullptr;                   // kLast of them, by hash of the key
};

Features& features();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SITES_FEATURES_H_
