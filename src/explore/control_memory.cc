#include "explore/control_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace fairlead::explore {
namespace {

// The program should find low descriptors free, as without us.
constexpr int kLowestFd = 500;

template <typename T>
void Fill(abi::ControlPage& page, abi::RegionId id, std::span<const T> from) {
  page.region(id).used = from.size();
  if (from.empty()) return;
  std::memcpy(static_cast<void*>(page.entries<T>(id)), from.data(),
              from.size_bytes());
}

// What a fork server can be given to follow: as much as an execution can leave
// behind. Pages that nobody touches cost nothing.
constexpr uint64_t kServerChoices = 1u << 20;
constexpr uint64_t kServerInputs = 1u << 16;
constexpr uint64_t kServerPayload = 1u << 24;
constexpr uint64_t kServerIdleSites = 1u << 20;
constexpr uint64_t kServerWeights = 1u << 16;

void GiveServerRoom(abi::ControlPage& header) {
  header.region(abi::RegionId::kChoicesIn).capacity = kServerChoices;
  header.region(abi::RegionId::kInputsIn).capacity = kServerInputs;
  header.region(abi::RegionId::kPayloadIn).capacity = kServerPayload;
  header.region(abi::RegionId::kIdleSites).capacity = kServerIdleSites;
  header.region(abi::RegionId::kOrderedSites).capacity = kServerIdleSites;
  header.region(abi::RegionId::kWeightsIn).capacity = kServerWeights;
  header.region(abi::RegionId::kTarget).capacity = 1;
}

void FillAll(abi::ControlPage& page, const Inputs& inputs) {
  Fill(page, abi::RegionId::kChoicesIn, inputs.choices);
  Fill(page, abi::RegionId::kInputsIn, inputs.inputs);
  Fill(page, abi::RegionId::kPayloadIn, inputs.payload);
  Fill(page, abi::RegionId::kIdleSites, inputs.idle_sites);
  Fill(page, abi::RegionId::kOrderedSites, inputs.ordered_sites);
  Fill(page, abi::RegionId::kWeightsIn, inputs.weights);
  Fill(page, abi::RegionId::kTarget, inputs.target);
}

}  // namespace

ControlMemory::ControlMemory(Fd fd, abi::ControlPage* page, uint64_t bytes)
    : fd_(std::move(fd)), page_(page), bytes_(bytes) {
  for (size_t i = 0; i < abi::kNumRegions; ++i) {
    capacities_[i] = page->regions[i].capacity;
  }
}

ControlMemory::ControlMemory(ControlMemory&& other) noexcept
    : fd_(std::move(other.fd_)),
      page_(std::exchange(other.page_, nullptr)),
      bytes_(other.bytes_) {
  std::ranges::copy(other.capacities_, capacities_);
}

ControlMemory::~ControlMemory() {
  if (page_ != nullptr) munmap(page_, bytes_);
}

Result<ControlMemory> ControlMemory::Create(const abi::Plan& plan,
                                            const Inputs& inputs) {
  abi::ControlPage header = {};
  for (size_t i = 0; i < abi::kNumRegions; ++i) {
    header.regions[i].capacity = abi::kDefaultCapacity[i];
  }
  header.region(abi::RegionId::kChoicesIn).capacity = inputs.choices.size();
  header.region(abi::RegionId::kInputsIn).capacity = inputs.inputs.size();
  header.region(abi::RegionId::kPayloadIn).capacity = inputs.payload.size();
  header.region(abi::RegionId::kIdleSites).capacity = inputs.idle_sites.size();
  header.region(abi::RegionId::kOrderedSites).capacity =
      inputs.ordered_sites.size();
  header.region(abi::RegionId::kWeightsIn).capacity = inputs.weights.size();
  header.region(abi::RegionId::kTarget).capacity = inputs.target.size();
  if ((plan.flags & abi::kPlanServe) != 0) GiveServerRoom(header);
  const uint64_t bytes = abi::LayOut(header);
  header.magic = abi::kControlMagic;
  header.version = abi::kControlVersion;
  header.plan = plan;

  const Fd low(memfd_create("fairlead-control", MFD_CLOEXEC));
  Fd fd(low ? fcntl(low.get(), F_DUPFD_CLOEXEC, kLowestFd) : -1);
  if (!fd || ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return SystemError(errno, "cannot make memory to share with the program");
  }
  void* mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (mapped == MAP_FAILED) {
    return SystemError(errno, "cannot map memory to share with the program");
  }
  auto* page = static_cast<abi::ControlPage*>(mapped);
  std::memcpy(static_cast<void*>(page), &header, sizeof(header));
  FillAll(*page, inputs);
  return ControlMemory(std::move(fd), page, bytes);
}

Status ControlMemory::Rewrite(const abi::Plan& plan,
                              const Inputs& inputs) const {
  const auto fits = [&](abi::RegionId id, size_t number) {
    return number <= capacities_[static_cast<size_t>(id)];
  };
  if (!fits(abi::RegionId::kChoicesIn, inputs.choices.size()) ||
      !fits(abi::RegionId::kInputsIn, inputs.inputs.size()) ||
      !fits(abi::RegionId::kPayloadIn, inputs.payload.size()) ||
      !fits(abi::RegionId::kIdleSites, inputs.idle_sites.size()) ||
      !fits(abi::RegionId::kOrderedSites, inputs.ordered_sites.size()) ||
      !fits(abi::RegionId::kWeightsIn, inputs.weights.size()) ||
      !fits(abi::RegionId::kTarget, inputs.target.size())) {
    return Error(ErrorCode::kEnvironment)
        .Say("the schedule to follow is too long for a fork server")
        .Hint("use fresh processes: --fork-at never");
  }
  page_->plan = plan;
  FillAll(*page_, inputs);
  return {};
}

uint64_t ControlMemory::Used(abi::RegionId id) const {
  // Pairs with the program's release store: entries below are whole.
  const uint64_t used =
      __atomic_load_n(&page_->region(id).used, __ATOMIC_ACQUIRE);
  return std::min(used, capacities_[static_cast<size_t>(id)]);
}

abi::Status ControlMemory::status() const {
  // Pairs with the program's release store: the outcome is whole.
  return static_cast<abi::Status>(__atomic_load_n(
      reinterpret_cast<uint32_t*>(&page_->outcome.status), __ATOMIC_ACQUIRE));
}

abi::Outcome ControlMemory::CopyOutcome() const {
  abi::Outcome outcome;
  std::memcpy(static_cast<void*>(&outcome), &page_->outcome, sizeof(outcome));
  outcome.text[abi::kTextBytes - 1] = '\0';
  outcome.cause[abi::kCauseBytes - 1] = '\0';
  outcome.num_waits = std::min<uint32_t>(outcome.num_waits, abi::kMaxWaits);
  return outcome;
}

}  // namespace fairlead::explore
