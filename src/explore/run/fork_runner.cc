#include <utility>

#include "base/log.h"
#include "explore/run/fork_server.h"
#include "explore/run/runner.h"

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// How often to look for what nobody tells: servers that died, executions out
// of time, programs that print without end.
constexpr milliseconds kLook(10);

// Clients and servers that get ready tell nobody, either, and are waited for.
constexpr milliseconds kDriverLook(1);

// Servers that die one after the other, with no execution in between, are not
// an accident.
constexpr int kMaxLostInARow = 3;

struct Slot {
  std::unique_ptr<Captured> captured;
  std::unique_ptr<Workplace> workplace;
  std::unique_ptr<ForkServer> server;
  int lost_in_a_row = 0;
  std::optional<Driver> driver = {};      // none unless Setting::drive
  std::optional<Finished> finished = {};  // but for its client
};

class ForkRunner final : public Runner {
 public:
  ForkRunner(const Setting& setting, ForkAt place)
      : setting_(setting), place_(place) {}

  Status StartServers();

  std::string_view name() const override {
    return place_ == ForkAt::kMain ? "fork server" : "fork server at the start";
  }
  size_t num_slots() const override { return slots_.size(); }
  Status Start(size_t index, const Task& task) override;
  Result<std::optional<Finished>> Next(milliseconds limit) override;
  void StopAll() override {
    for (Slot& slot : slots_) slot.server->Stop(StoppedBy::kUser);
  }

 private:
  Result<std::optional<Finished>> TakeDone();
  std::optional<Finished> TakeFinished(Slot& slot);
  Result<std::optional<Finished>> Look();
  Result<Finished> Recover(size_t index);
  Status StartServer(Slot& slot);
  void Sleep(milliseconds limit);

  Setting setting_;
  ForkAt place_;
  std::vector<Slot> slots_;
  std::vector<FutexWord> words_;  // room for Sleep
  size_t next_ = 0;  // where to look first, so that all get their turn
  Clock::time_point last_look_ = Clock::now();
};

Status ForkRunner::StartServer(Slot& slot) {
  if (Status ready = slot.workplace->Prepare({}); !ready) return ready;
  auto server = ForkServer::Start(setting_, place_, *slot.captured,
                                  slot.workplace->directory());
  if (!server) return server.error();
  slot.server = *std::move(server);
  return {};
}

Status ForkRunner::Start(size_t index, const Task& task) {
  Slot& slot = slots_[index];
  if (Status ready = slot.workplace->Prepare(task.timeout); !ready) {
    return ready;
  }
  if (slot.driver) slot.driver->Begin();
  return slot.server->Begin(task);
}

Status ForkRunner::StartServers() {
  for (size_t i = 0; i < std::max<size_t>(setting_.jobs, 1); ++i) {
    Result<Captured> captured = Captured::Create();
    if (!captured) return captured.error();
    Result<Workplace> workplace = Workplace::Create(setting_.workplace);
    if (!workplace) return workplace.error();
    Slot slot = {
        .captured = std::make_unique<Captured>(*std::move(captured)),
        .workplace = std::make_unique<Workplace>(*std::move(workplace)),
        .server = nullptr};
    if (Status started = StartServer(slot); !started) return started;
    if (!setting_.drive.empty()) {
      Result<Driver> driver = Driver::Create(setting_.drive);
      if (!driver) return driver.error();
      slot.driver.emplace(*std::move(driver));
    }
    slots_.push_back(std::move(slot));
  }
  for (Slot& slot : slots_) {
    const Status standing = slot.server->AwaitStanding();
    if (!standing) return standing;
  }
  return {};
}

Result<std::optional<Finished>> ForkRunner::TakeDone() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const size_t index = (next_ + i) % slots_.size();
    Slot& slot = slots_[index];
    if (!slot.finished) {
      if (!slot.server->busy()) continue;
      slot.server->Drain();
      if (!slot.server->Done()) {
        if (!slot.driver) continue;
        const Status driven =
            slot.driver->Step(slot.server->memory(), slot.server->child());
        if (!driven) return driven.error();
        continue;
      }
      if (slot.server->Damaged()) {
        next_ = index + 1;
        Result<Finished> finished = Recover(index);
        if (!finished) return finished.error();
        return std::optional(*std::move(finished));
      }
      slot.lost_in_a_row = 0;
      slot.finished = Finished{.slot = index,
                               .executed = slot.server->Finish(),
                               .output = slot.captured.get(),
                               .directory = slot.workplace->directory()};
    }
    if (std::optional<Finished> finished = TakeFinished(slot)) return finished;
  }
  return std::optional<Finished>();
}

// Unless its client is to be waited for.
std::optional<Finished> ForkRunner::TakeFinished(Slot& slot) {
  if (slot.driver && slot.driver->AwaitsClient(slot.finished->executed)) {
    return {};
  }
  next_ = slot.finished->slot + 1;
  if (slot.driver) Take(*slot.driver, *slot.finished);
  return std::exchange(slot.finished, std::nullopt);
}

// The rarer events.
Result<std::optional<Finished>> ForkRunner::Look() {
  last_look_ = Clock::now();
  for (size_t i = 0; i < slots_.size(); ++i) {
    ForkServer& server = *slots_[i].server;
    if (!server.busy() || server.Done()) continue;
    if ((server.Lost() && !server.Done()) || server.Damaged()) {
      Result<Finished> finished = Recover(i);
      if (!finished) return finished.error();
      return std::optional(*std::move(finished));
    }
    if (slots_[i].captured->num_bytes() > Captured::kMaxPrinted) {
      server.Stop(StoppedBy::kOutput);
    }
    server.StopIfLate();
  }
  return std::nullopt;
}

// Starts another server in place of one that is gone or cannot be believed any
// more, and gives out what is left of the execution that it had under way.
Result<Finished> ForkRunner::Recover(size_t index) {
  Slot& slot = slots_[index];
  const Executed executed = slot.server->Finish();
  if (executed.stopped_by == StoppedBy::kServerLost) {
    const std::string ending = slot.server->EndingText();
    if (++slot.lost_in_a_row > kMaxLostInARow) {
      return Error(ErrorCode::kEnvironment)
          .Say("the fork server dies again and again ({})", ending)
          .Hint("use fresh processes: --fork-at never");
    }
    Warn(
        "the fork server was ended ({}); another one takes its place, and one "
        "execution is lost",
        ending);
  }
  slot.server.reset();
  if (slot.driver) slot.driver->Finish();
  Result<Captured> captured = Captured::Create();
  if (!captured) return captured.error();
  *slot.captured = *std::move(captured);
  if (Status started = StartServer(slot); !started) return started.error();
  const Status standing = slot.server->AwaitStanding();
  if (!standing) return standing.error();
  return Finished{
      .slot = index, .executed = executed, .output = slot.captured.get()};
}

void ForkRunner::Sleep(milliseconds limit) {
  words_.clear();
  bool sleeps = true;
  for (Slot& slot : slots_) {
    if (slot.server->busy()) sleeps = slot.server->BeginWait(words_) && sleeps;
  }
  if (!setting_.drive.empty()) limit = std::min(limit, kDriverLook);
  if (sleeps) SleepOnAny(words_, std::min(limit, kLook));
  for (Slot& slot : slots_) {
    if (slot.server->busy()) slot.server->EndWait();
  }
}

Result<std::optional<Finished>> ForkRunner::Next(milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (true) {
    Result<std::optional<Finished>> finished = TakeDone();
    if (!finished || *finished) return finished;
    const auto now = Clock::now();
    if (now - last_look_ >= kLook) {
      Result<std::optional<Finished>> lost = Look();
      if (!lost || *lost) return lost;
    }
    const auto left = std::chrono::ceil<milliseconds>(deadline - now);
    if (left.count() <= 0) return std::nullopt;
    Sleep(left);
  }
}

}  // namespace

Result<std::unique_ptr<Runner>> MakeForkRunner(const Setting& setting,
                                               ForkAt place) {
  auto runner = std::make_unique<ForkRunner>(setting, place);
  const Status started = runner->StartServers();
  if (!started) return started.error();
  return std::unique_ptr<Runner>(std::move(runner));
}

}  // namespace fairlead::explore
