#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include <utility>

#include "explore/run/open_input.h"
#include "explore/run/runner.h"

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;

// How long to sleep at most while programs stream events: a full ring makes
// them wait, and it holds some milliseconds of events.
constexpr milliseconds kRingLook(1);

struct Slot {
  Captured captured;
  std::optional<Running> running;
  bool streams_events = false;
  std::optional<Driver> driver = {};  // none unless Setting::drive
  std::unique_ptr<Workplace> workplace = {};
  std::optional<Finished> finished = {};  // but for its client
};

class FreshRunner final : public Runner {
 public:
  FreshRunner(const Setting& setting, std::vector<Slot> slots)
      : setting_(setting), slots_(std::move(slots)) {}

  std::string_view name() const override { return "fresh processes"; }
  size_t num_slots() const override { return slots_.size(); }
  Status Start(size_t index, const Task& task) override;
  Result<std::optional<Finished>> Next(milliseconds limit) override;
  void StopAll() override {
    for (Slot& slot : slots_) {
      if (!slot.running || slot.finished) continue;
      slot.running->Stop(StoppedBy::kUser);
    }
  }

 private:
  Result<std::optional<Finished>> TakeEnded();
  std::optional<Finished> TakeFinished(Slot& slot);
  void Sleep(milliseconds limit);

  Setting setting_;
  std::vector<Slot> slots_;
  size_t next_ = 0;       // where to look first, so that all get their turn
  bool drained_ = false;  // records came, and there may be more
};

Status FreshRunner::Start(size_t index, const Task& task) {
  Slot& slot = slots_[index];
  if (Status ready = slot.workplace->Prepare(task.timeout); !ready) {
    return ready;
  }
  const Result<Fd> input = OpenInput(setting_.stdin_path);
  if (!input) return input.error();
  slot.captured.Clear();
  Result<Running> running =
      Running::Start({.program = setting_.program,
                      .argv = setting_.argv,
                      .environment = setting_.environment,
                      .plan = task.plan,
                      .follow = task.follow,
                      .timeout = task.timeout,
                      .runtime = setting_.runtime,
                      .observer = task.observer,
                      .streams = {.input = input->get(),
                                  .output = slot.captured.output_fd(),
                                  .error = slot.captured.error_fd()},
                      .directory = slot.workplace->directory(),
                      .core_dumps = false});
  if (!running) return running.error();
  slot.running.emplace(*std::move(running));
  if (slot.driver) slot.driver->Begin();
  slot.streams_events = (task.plan.flags & abi::kPlanTrace) != 0;
  return {};
}

Result<std::optional<Finished>> FreshRunner::TakeEnded() {
  drained_ = false;
  for (size_t i = 0; i < slots_.size(); ++i) {
    const size_t index = (next_ + i) % slots_.size();
    Slot& slot = slots_[index];
    if (!slot.running) continue;
    if (slot.finished) {
      if (auto finished = TakeFinished(slot)) return finished;
      continue;
    }
    drained_ = slot.running->Drain() || drained_;
    if (slot.captured.num_bytes() > Captured::kMaxPrinted) {
      slot.running->Stop(StoppedBy::kOutput);
    }
    slot.running->StopIfLate();
    if (!slot.running->Ended()) {
      if (!slot.driver) continue;
      const Status driven =
          slot.driver->Step(*slot.running->memory(), slot.running->pid());
      if (!driven) return driven.error();
      continue;
    }
    slot.finished = Finished{.slot = index,
                             .executed = slot.running->Finish(),
                             .output = &slot.captured,
                             .directory = slot.workplace->directory()};
    if (auto finished = TakeFinished(slot)) return finished;
  }
  return std::optional<Finished>();
}

// Unless its client is to be waited for.
std::optional<Finished> FreshRunner::TakeFinished(Slot& slot) {
  if (slot.driver && slot.driver->AwaitsClient(slot.finished->executed)) {
    return {};
  }
  next_ = slot.finished->slot + 1;
  if (slot.driver) Take(*slot.driver, *slot.finished);
  slot.running.reset();
  return std::exchange(slot.finished, std::nullopt);
}

void FreshRunner::Sleep(milliseconds limit) {
  std::vector<pollfd> wanted;
  for (const Slot& slot : slots_) {
    if (!slot.running) continue;
    if (slot.streams_events || slot.driver) limit = std::min(limit, kRingLook);
    if (slot.finished) continue;  // that has ended
    wanted.push_back({slot.running->end_fd(), POLLIN, 0});
  }
  poll(wanted.data(), wanted.size(), static_cast<int>(limit.count()));
}

Result<std::optional<Finished>> FreshRunner::Next(milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (true) {
    Result<std::optional<Finished>> finished = TakeEnded();
    if (!finished || *finished) return finished;
    const auto left = std::chrono::ceil<milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    if (!drained_) Sleep(left);
  }
}

}  // namespace

Result<std::unique_ptr<Runner>> MakeFreshRunner(const Setting& setting) {
  std::vector<Slot> slots;
  for (size_t i = 0; i < std::max<size_t>(setting.jobs, 1); ++i) {
    Result<Captured> captured = Captured::Create();
    if (!captured) return captured.error();
    Result<Workplace> workplace = Workplace::Create(setting.workplace);
    if (!workplace) return workplace.error();
    slots.push_back(
        {.captured = *std::move(captured),
         .running = std::nullopt,
         .streams_events = false,
         .workplace = std::make_unique<Workplace>(*std::move(workplace))});
    if (setting.drive.empty()) continue;
    Result<Driver> driver = Driver::Create(setting.drive);
    if (!driver) return driver.error();
    slots.back().driver.emplace(*std::move(driver));
  }
  return std::unique_ptr<Runner>(
      std::make_unique<FreshRunner>(setting, std::move(slots)));
}

}  // namespace fairlead::explore
