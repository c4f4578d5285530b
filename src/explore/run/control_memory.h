// explore/run/control_memory.h
//
// The tool's side of the control page (abi/control.h): makes the shared memory,
// lays it out, writes the plan, and reads back what the program left there.
//
// What the program wrote is untrusted, and a wild write of its may hit any of
// it: where tables lie and how much they hold is known here and never read
// back, counts never exceed the room that we gave, and `Damage` says whether
// what only we write is still what we wrote. Memory that was damaged is given
// up: from then on every table is empty.

#ifndef FAIRLEAD_EXPLORE_RUN_CONTROL_MEMORY_H_
#define FAIRLEAD_EXPLORE_RUN_CONTROL_MEMORY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abi/control.h"
#include "base/file.h"
#include "base/result.h"

namespace fairlead::explore {

// What the program is to follow; copied into the page.
struct Inputs {
  std::span<const abi::ChoiceRecord> choices = {};
  std::span<const abi::InputRecord> inputs = {};
  std::span<const char> payload = {};
  std::span<const uint64_t> idle_sites = {};
  std::span<const uint64_t> ordered_sites = {};
  std::span<const abi::WeightRecord> weights = {};
  std::span<const abi::TargetRecord> target = {};     // one, for `director`
  std::span<const abi::RequestRecord> requests = {};  // for `serial`
};

class ControlMemory {
 public:
  // For a plan with kPlanServe, with room for the inputs of all executions to
  // come.
  static Result<ControlMemory> Create(const abi::Plan& plan,
                                      const Inputs& inputs);

  // Writes another plan and other inputs in place of those before; between two
  // executions of a fork server only. Fails if the inputs find no room.
  Status Rewrite(const abi::Plan& plan, const Inputs& inputs) const;

  ControlMemory(ControlMemory&& other) noexcept;
  ControlMemory& operator=(ControlMemory&&) = delete;
  ~ControlMemory();

  // For cursors, the server's words and flags only; for the rest see below.
  abi::ControlPage& page() const { return *page_; }
  int fd() const { return fd_.get(); }

  // The plan that was written last, whatever the page says now.
  const abi::Plan& plan() const { return kept_->plan; }

  // Entries of a table that the program has published so far.
  template <typename T>
  std::vector<T> Copy(abi::RegionId id) const {
    const std::span<const T> entries = Entries<T>(id);
    return std::vector<T>(entries.begin(), entries.end());
  }
  // The same where they lie, once nobody writes any more.
  template <typename T>
  std::span<const T> Entries(abi::RegionId id) const {
    return {static_cast<const T*>(Begin(id)), Used(id)};
  }
  uint64_t Used(abi::RegionId id) const;
  // Its first entry, and how many there can be.
  const void* Begin(abi::RegionId id) const;
  uint64_t Capacity(abi::RegionId id) const;

  // What somebody other than the runtime must have written, in words; "" =
  // nothing can be seen. Cheap enough for every look at an execution.
  std::string Damage() const;
  // Once damaged, nothing in it means anything: all tables are empty, and the
  // outcome is that of a program that left none.
  void GiveUp() const { kept_->given_up = true; }

  abi::Outcome CopyOutcome() const;

 private:
  // Ours alone: the page's may be changed.
  struct Kept {
    abi::Plan plan;
    abi::Region regions[abi::kNumRegions];  // `used` of those that we fill
    uint64_t total_bytes;
    bool given_up = false;
  };

  ControlMemory(Fd fd, abi::ControlPage* page, std::unique_ptr<Kept> kept);
  void FillAll(const Inputs& inputs) const;
  const abi::Region& KeptRegion(abi::RegionId id) const {
    return kept_->regions[static_cast<size_t>(id)];
  }

  Fd fd_;
  abi::ControlPage* page_;
  std::unique_ptr<Kept> kept_;  // never null
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_CONTROL_MEMORY_H_
