// analysis/conmem/derefs.h
//
// Which loads of a pointer are for use: by what the compiler knows of the site
// (abi::SiteFlag), or because the thread touches what the value points to soon
// after. A load whose value decides a branch is a check, also when it is used
// afterwards: the same value is.
//
// Load: what is known of one that is waited for; copyable.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_DEREFS_H_
#define FAIRLEAD_ANALYSIS_CONMEM_DEREFS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "trace/program_tables.h"

namespace fairlead::analysis::conmem {

// What a load is for, as far as its site says.
enum class LoadFor : uint8_t { kUse, kCheck, kPerhaps };

inline LoadFor PurposeOf(const trace::Event& event,
                         trace::ProgramTables* tables) {
  if (tables == nullptr) return LoadFor::kPerhaps;
  const trace::SiteName& site = tables->SiteOf(event);
  if (site.kind == abi::SiteKind::kNone) return LoadFor::kPerhaps;
  if (site.has(abi::kSiteFeedsBranch)) return LoadFor::kCheck;
  if (site.has(abi::kSiteFeedsAddress)) return LoadFor::kUse;
  return LoadFor::kPerhaps;  // passed on, to a call or by returning it
}

template <typename Load>
class Derefs {
 public:
  // A field of a struct that a pointer leads to is seldom further in.
  static constexpr uint64_t kReach = 4096;
  // Events of the thread that may lie between the load and the use.
  static constexpr uint32_t kSoon = 32;

  // Of a load by a library only the program's own use counts: a smart pointer
  // that is copied counts itself, near what it points to.
  void Await(const trace::Event& event, uint64_t value, const Load& load) {
    const trace::Tid tid = event.tid;
    const size_t index = abi::Index(tid);
    if (index >= threads_.size()) threads_.resize(index + 1);
    Thread& thread = threads_[index];
    LoadedAgain(tid, value);
    thread.waiting[thread.next++ % kMost] = {
        value, kSoon, event.has(abi::kFlagLibrary), load};
  }

  // Of two loads of one value, the later one is used.
  void LoadedAgain(trace::Tid tid, uint64_t value) {
    const size_t index = abi::Index(tid);
    if (index >= threads_.size()) return;
    for (Waiting& each : threads_[index].waiting) {
      if (each.value == value) each.left = 0;
    }
  }

  // For each event that touches memory or uses a primitive: `visit(load)` for
  // those that it is the use of.
  template <typename Visit>
  void OnTouch(const trace::Event& event, Visit visit) {
    const size_t index = abi::Index(event.tid);
    if (index >= threads_.size()) return;
    for (Waiting& each : threads_[index].waiting) {
      if (each.left == 0) continue;
      --each.left;
      if (event.address - each.value >= kReach) continue;
      if (each.library && event.has(abi::kFlagLibrary)) continue;
      each.left = 0;
      visit(each.load);
    }
  }

 private:
  static constexpr size_t kMost = 8;
  struct Waiting {
    uint64_t value = 0;
    uint32_t left = 0;  // events; 0 = nothing is waited for
    bool library = false;
    Load load = {};
  };
  struct Thread {
    std::array<Waiting, kMost> waiting = {};
    size_t next = 0;
  };
  std::vector<Thread> threads_;  // by Tid
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_DEREFS_H_
