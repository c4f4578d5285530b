// explore/judge/reference_watch.h
//
// Sees what a serial reference is to hold besides its output: the state that it
// ends with, and its events.

#ifndef FAIRLEAD_EXPLORE_JUDGE_REFERENCE_WATCH_H_
#define FAIRLEAD_EXPLORE_JUDGE_REFERENCE_WATCH_H_

#include <memory>
#include <vector>

#include "explore/judge/serial_references.h"
#include "explore/watch/program_state.h"
#include "explore/watch/watcher.h"

namespace fairlead::explore {

class ReferenceWatch final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kReference;

  // An event has about 200 bytes. A longer reference has no trace.
  static constexpr size_t kMaxEvents = 200'000;

  explicit ReferenceWatch(ReferenceNeeds needs) : needs_(needs) {}

  void OnEvent(const trace::Event& event) override {
    if (needs_.state) state_->OnEvent(event);
    if (!needs_.trace || events_ == nullptr) return;
    if (events_->size() == kMaxEvents) {
      events_ = nullptr;
    } else {
      events_->push_back(event);
    }
  }

  std::shared_ptr<const ProgramState> state() const {
    return needs_.state ? state_ : nullptr;
  }
  std::shared_ptr<const std::vector<trace::Event>> events() const {
    return needs_.trace ? events_ : nullptr;
  }

 private:
  ReferenceNeeds needs_;
  std::shared_ptr<ProgramState> state_ = std::make_shared<ProgramState>();
  std::shared_ptr<std::vector<trace::Event>> events_ =
      std::make_shared<std::vector<trace::Event>>();  // null = too many
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_REFERENCE_WATCH_H_
