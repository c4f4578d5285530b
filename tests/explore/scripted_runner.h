// tests/explore/scripted_runner.h
//
// A Runner without programs: a function says what came of each execution.

#ifndef FAIRLEAD_TESTS_EXPLORE_SCRIPTED_RUNNER_H_
#define FAIRLEAD_TESTS_EXPLORE_SCRIPTED_RUNNER_H_

#include <functional>
#include <memory>
#include <vector>

#include "base/check.h"
#include "explore/run/runner.h"

namespace fairlead::explore {

// What an execution came to; an ordinary end unless the script changes it.
struct Scripted {
  abi::Outcome outcome = {};
  Ending ending = {.exit_code = 0, .signal = 0};
  StoppedBy stopped_by = StoppedBy::kNobody;
  std::optional<Driven> client = {};
  std::string printed = {};                 // on standard output
  std::string error = {};                   // on standard error
  std::vector<abi::EventKind> events = {};  // of main, if anybody watches
};

class ScriptedRunner final : public Runner {
 public:
  // `number` counts executions from 1.
  using Script = std::function<Scripted(uint64_t number, const Task& task)>;

  ScriptedRunner(size_t num_slots, Script script)
      : script_(std::move(script)), under_way_(num_slots) {
    for (size_t i = 0; i < num_slots; ++i) {
      Result<Captured> captured = Captured::Create();
      FL_CHECK(captured.has_value());
      captured_.push_back(*std::move(captured));
    }
  }

  static Scripted Ended() {
    Scripted scripted;
    scripted.outcome.status = abi::Status::kEnded;
    return scripted;
  }

  std::string_view name() const override { return "script"; }
  size_t num_slots() const override { return under_way_.size(); }

  Status Start(size_t slot, const Task& task) override {
    FL_CHECK(!under_way_[slot]);
    ++num_started;
    most_at_once = std::max(most_at_once, ++num_under_way_);
    under_way_[slot] = Make(slot, script_(num_started, task), task);
    order_.push_back(slot);
    return {};
  }

  Result<std::optional<Finished>> Next(std::chrono::milliseconds) override {
    if (order_.empty()) return std::optional<Finished>();
    const size_t slot = order_.front();
    order_.erase(order_.begin());
    std::optional<Finished> finished = std::move(under_way_[slot]);
    under_way_[slot].reset();
    --num_under_way_;
    return finished;
  }

  void StopAll() override {
    for (std::optional<Finished>& each : under_way_) {
      if (!each) continue;
      each->executed.stopped_by = StoppedBy::kUser;
      each->executed.outcome.status = abi::Status::kRunning;
    }
  }

  uint64_t num_started = 0;
  size_t most_at_once = 0;

 private:
  static void Print(int fd, const std::string& text) {
    const ssize_t put = write(fd, text.data(), text.size());
    FL_CHECK(put == static_cast<ssize_t>(text.size()));
  }

  Finished Make(size_t slot, Scripted scripted, const Task& task) {
    Result<ControlMemory> memory = ControlMemory::Create(task.plan, {});
    FL_CHECK(memory.has_value());
    captured_[slot].Clear();
    Print(captured_[slot].output_fd(), scripted.printed);
    Print(captured_[slot].error_fd(), scripted.error);
    for (const abi::EventKind kind : scripted.events) {
      abi::Event record = {};
      record.kind = kind;
      if (task.observer != nullptr) {
        task.observer->OnRecords({&record, 1}, *memory);
      }
    }
    return {.slot = slot,
            .executed = {.memory = std::make_shared<const ControlMemory>(
                             *std::move(memory)),
                         .outcome = scripted.outcome,
                         .ending = scripted.ending,
                         .stopped_by = scripted.stopped_by},
            .output = &captured_[slot],
            .client = std::move(scripted.client)};
  }

  Script script_;
  std::vector<std::optional<Finished>> under_way_;
  std::vector<Captured> captured_;
  std::vector<size_t> order_;  // slots, in the order in which they end
  size_t num_under_way_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_TESTS_EXPLORE_SCRIPTED_RUNNER_H_
