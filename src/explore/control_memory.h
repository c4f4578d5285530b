// explore/control_memory.h
//
// The tool's side of the control page (abi/control.h): makes the shared memory,
// lays it out, writes the plan, and reads back what the program left there.
// What the program wrote is untrusted: tables are copied, and counts never
// exceed the room that we gave.

#ifndef FAIRLEAD_EXPLORE_CONTROL_MEMORY_H_
#define FAIRLEAD_EXPLORE_CONTROL_MEMORY_H_

#include <cstdint>
#include <span>
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
  std::span<const abi::TargetRecord> target = {};  // one, for `director`
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

  abi::ControlPage& page() const { return *page_; }
  int fd() const { return fd_.get(); }

  // Entries of a table that the program has published so far.
  template <typename T>
  std::vector<T> Copy(abi::RegionId id) const {
    const T* begin = page_->entries<T>(id);
    return std::vector<T>(begin, begin + Used(id));
  }
  uint64_t Used(abi::RegionId id) const;

  abi::Status status() const;
  abi::Outcome CopyOutcome() const;

 private:
  ControlMemory(Fd fd, abi::ControlPage* page, uint64_t bytes);

  Fd fd_;
  abi::ControlPage* page_;
  uint64_t bytes_;
  uint64_t capacities_[abi::kNumRegions];  // ours: the page's may be changed
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CONTROL_MEMORY_H_
