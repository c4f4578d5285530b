#include "explore/run/control_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/required_calls.h"

namespace fairlead::explore {
namespace {

// The program should find low descriptors free, as without us: as high as the
// limit of descriptors (ulimit -n) lets it be.
Fd MoveUp(const Fd& low) {
  for (const int lowest : {500, 200, 100, 50, 20, 3}) {
    const int high = fcntl(low.get(), F_DUPFD_CLOEXEC, lowest);
    if (high >= 0) return Fd(high);
  }
  return Fd();
}

// What a fork server can be given to follow: as much as an execution can leave
// behind. Pages that nobody touches cost nothing.
constexpr uint64_t kServerChoices = 1u << 20;
constexpr uint64_t kServerInputs = 1u << 16;
constexpr uint64_t kServerPayload = 1u << 24;
constexpr uint64_t kServerIdleSites = 1u << 20;
constexpr uint64_t kServerWeights = 1u << 16;
constexpr uint64_t kServerRequests = 1u << 16;

void GiveServerRoom(abi::ControlPage& header) {
  header.region(abi::RegionId::kChoicesIn).capacity = kServerChoices;
  header.region(abi::RegionId::kInputsIn).capacity = kServerInputs;
  header.region(abi::RegionId::kPayloadIn).capacity = kServerPayload;
  header.region(abi::RegionId::kIdleSites).capacity = kServerIdleSites;
  header.region(abi::RegionId::kOrderedSites).capacity = kServerIdleSites;
  header.region(abi::RegionId::kWeightsIn).capacity = kServerWeights;
  header.region(abi::RegionId::kRequestsIn).capacity = kServerRequests;
  header.region(abi::RegionId::kTarget).capacity = 1;
}

// Whether the tool fills a table, and the program only reads it.
bool IsOurs(size_t region) {
  return abi::kRegions[region].writer == abi::Writer::kTool;
}

template <size_t kBytes>
bool IsTerminated(const char (&text)[kBytes]) {
  return std::memchr(text, '\0', kBytes) != nullptr;
}

constexpr uint32_t kNumMisuses = 0
#define FL_MISUSE(name, words) +1
#include "abi/misuses.inc"
#undef FL_MISUSE
    ;

// Whether every field has one of the values that the runtime gives it.
bool MakesSense(const abi::Outcome& outcome) {
  return outcome.status <= abi::Status::kReplaced &&
         outcome.cut_reason <= abi::CutReason::kThreads &&
         static_cast<uint32_t>(outcome.misuse) < kNumMisuses &&
         outcome.carrier <= abi::CarrierId::kThread &&
         outcome.abort_cause <= abi::AbortCause::kUncaught &&
         outcome.num_waits <= abi::kMaxWaits &&
         outcome.num_threads <= abi::kMaxThreads && outcome.signal >= 0 &&
         outcome.signal <= SIGRTMAX && IsTerminated(outcome.cause) &&
         IsTerminated(outcome.message) && IsTerminated(outcome.text);
}

}  // namespace

ControlMemory::ControlMemory(Fd fd, abi::ControlPage* page,
                             std::unique_ptr<Kept> kept)
    : fd_(std::move(fd)), page_(page), kept_(std::move(kept)) {}

ControlMemory::ControlMemory(ControlMemory&& other) noexcept
    : fd_(std::move(other.fd_)),
      page_(std::exchange(other.page_, nullptr)),
      kept_(std::move(other.kept_)) {}

ControlMemory::~ControlMemory() {
  if (page_ != nullptr) munmap(page_, kept_->total_bytes);
}

void ControlMemory::FillAll(const Inputs& inputs) const {
  const auto fill = [&](abi::RegionId id, auto from) {
    kept_->regions[static_cast<size_t>(id)].used = from.size();
    page_->region(id).used = from.size();
    if (from.empty()) return;
    std::memcpy(const_cast<void*>(Begin(id)), from.data(), from.size_bytes());
  };
  fill(abi::RegionId::kChoicesIn, inputs.choices);
  fill(abi::RegionId::kInputsIn, inputs.inputs);
  fill(abi::RegionId::kPayloadIn, inputs.payload);
  fill(abi::RegionId::kIdleSites, inputs.idle_sites);
  fill(abi::RegionId::kOrderedSites, inputs.ordered_sites);
  fill(abi::RegionId::kWeightsIn, inputs.weights);
  fill(abi::RegionId::kTarget, inputs.target);
  fill(abi::RegionId::kRequestsIn, inputs.requests);
}

Result<ControlMemory> ControlMemory::Create(const abi::Plan& plan,
                                            const Inputs& inputs) {
  abi::ControlPage header = {};
  for (size_t i = 0; i < abi::kNumRegions; ++i) {
    header.regions[i].capacity = abi::kRegions[i].capacity;
  }
  header.region(abi::RegionId::kChoicesIn).capacity = inputs.choices.size();
  header.region(abi::RegionId::kInputsIn).capacity = inputs.inputs.size();
  header.region(abi::RegionId::kPayloadIn).capacity = inputs.payload.size();
  header.region(abi::RegionId::kIdleSites).capacity = inputs.idle_sites.size();
  header.region(abi::RegionId::kOrderedSites).capacity =
      inputs.ordered_sites.size();
  header.region(abi::RegionId::kWeightsIn).capacity = inputs.weights.size();
  header.region(abi::RegionId::kTarget).capacity = inputs.target.size();
  header.region(abi::RegionId::kRequestsIn).capacity = inputs.requests.size();
  if ((plan.flags & abi::kPlanServe) != 0) GiveServerRoom(header);
  const uint64_t bytes = abi::LayOut(header);
  header.magic = abi::kControlMagic;
  header.version = abi::kControlVersion;
  header.plan = plan;

  const Fd low(memfd_create("fairlead-control", MFD_CLOEXEC));
  Fd fd = low ? MoveUp(low) : Fd();
  if (!fd || ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return CallError(errno, "memfd_create",
                     "cannot make memory to share with the program");
  }
  void* mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (mapped == MAP_FAILED) {
    return CallError(errno, "mmap",
                     "cannot map memory to share with the program");
  }
  auto* page = static_cast<abi::ControlPage*>(mapped);
  std::memcpy(static_cast<void*>(page), &header, sizeof(header));
  auto kept = std::make_unique<Kept>();
  kept->plan = plan;
  std::ranges::copy(header.regions, kept->regions);
  kept->total_bytes = bytes;
  ControlMemory memory(std::move(fd), page, std::move(kept));
  memory.FillAll(inputs);
  return memory;
}

Status ControlMemory::Rewrite(const abi::Plan& plan,
                              const Inputs& inputs) const {
  const auto fits = [&](abi::RegionId id, size_t number) {
    return number <= KeptRegion(id).capacity;
  };
  if (!fits(abi::RegionId::kChoicesIn, inputs.choices.size()) ||
      !fits(abi::RegionId::kInputsIn, inputs.inputs.size()) ||
      !fits(abi::RegionId::kPayloadIn, inputs.payload.size()) ||
      !fits(abi::RegionId::kIdleSites, inputs.idle_sites.size()) ||
      !fits(abi::RegionId::kOrderedSites, inputs.ordered_sites.size()) ||
      !fits(abi::RegionId::kWeightsIn, inputs.weights.size()) ||
      !fits(abi::RegionId::kTarget, inputs.target.size()) ||
      !fits(abi::RegionId::kRequestsIn, inputs.requests.size())) {
    return Error(ErrorCode::kEnvironment)
        .Say("the schedule to follow is too long for a fork server")
        .Hint("use fresh processes: --fork-at never");
  }
  page_->plan = plan;
  kept_->plan = plan;
  FillAll(inputs);
  return {};
}

uint64_t ControlMemory::Used(abi::RegionId id) const {
  if (kept_->given_up) return 0;
  // Pairs with the program's release store: entries below are whole.
  const uint64_t used =
      __atomic_load_n(&page_->region(id).used, __ATOMIC_ACQUIRE);
  return std::min(used, KeptRegion(id).capacity);
}

const void* ControlMemory::Begin(abi::RegionId id) const {
  return reinterpret_cast<const char*>(page_) + KeptRegion(id).offset;
}

uint64_t ControlMemory::Capacity(abi::RegionId id) const {
  return KeptRegion(id).capacity;
}

std::string ControlMemory::Damage() const {
  const abi::ControlPage& page = *page_;
  if (page.magic != abi::kControlMagic ||
      page.version != abi::kControlVersion ||
      page.header_bytes != sizeof(abi::ControlPage) ||
      page.total_bytes != kept_->total_bytes) {
    return "its beginning";
  }
  if (std::memcmp(&page.plan, &kept_->plan, sizeof(abi::Plan)) != 0) {
    return "the plan of the execution";
  }
  for (size_t i = 0; i < abi::kNumRegions; ++i) {
    const abi::Region& kept = kept_->regions[i];
    const uint64_t used =
        __atomic_load_n(&page.regions[i].used, __ATOMIC_RELAXED);
    const bool ours = IsOurs(i);
    if (page.regions[i].offset != kept.offset ||
        page.regions[i].capacity != kept.capacity ||
        (ours ? used != kept.used : used > kept.capacity)) {
      return "the list of its tables";
    }
  }
  return MakesSense(page.outcome) ? "" : "the outcome of the execution";
}

abi::Outcome ControlMemory::CopyOutcome() const {
  abi::Outcome outcome = {};
  outcome.status = abi::Status::kRunning;
  if (kept_->given_up) return outcome;
  std::memcpy(static_cast<void*>(&outcome), &page_->outcome, sizeof(outcome));
  // Written meanwhile, perhaps: what is used is what is here.
  if (!MakesSense(outcome)) {
    outcome = {};
    outcome.status = abi::Status::kRunning;
  }
  return outcome;
}

}  // namespace fairlead::explore
