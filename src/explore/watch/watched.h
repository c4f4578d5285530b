// explore/watch/watched.h
//
// The watchers of one execution, and their results. A result is made when it is
// first asked for: what nobody asks for costs nothing, and an execution without
// watchers has no stream at all.

#ifndef FAIRLEAD_EXPLORE_WATCH_WATCHED_H_
#define FAIRLEAD_EXPLORE_WATCH_WATCHED_H_

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "explore/watch/watcher.h"

namespace fairlead::explore {

class Watched {
 public:
  // Before the execution begins.
  void Add(WatcherId id, std::unique_ptr<Watcher> watcher) {
    if (stream_ == nullptr) stream_ = std::make_unique<EventStream>();
    stream_->Add(*watcher);
    plan_flags_ |= watcher->plan_flags();
    watchers_[IndexOf(id)] = std::move(watcher);
  }
  // What is to receive its records; null = nobody watches.
  RecordObserver* observer() const { return stream_.get(); }
  // What the watchers want of its plan.
  uint64_t plan_flags() const { return plan_flags_; }

  // The execution is over, and has left `memory`, which must live as long as
  // results are asked for; as must `places`.
  void End(const ControlMemory& memory, PlaceNames& places,
           std::function<bool(uint64_t)> is_shared = {}) {
    if (stream_ == nullptr || !stream_->status()) return;
    ended_ = std::make_unique<Over>(memory, places, std::move(is_shared));
  }

  // What the watcher W has seen; null if it did not watch, the execution is not
  // over, or its records made no sense.
  template <typename W>
  const typename W::Seen* By() {
    using Seen = typename W::Seen;
    std::shared_ptr<const void>& seen = seen_[IndexOf(W::kId)];
    Watcher* watcher = watchers_[IndexOf(W::kId)].get();
    if (seen == nullptr && watcher != nullptr && ended_ != nullptr) {
      seen =
          std::make_shared<const Seen>(static_cast<W*>(watcher)->End(*ended_));
    }
    return static_cast<const Seen*>(seen.get());
  }

  // The watcher W itself, once all events have come; null if it did not watch,
  // or the records made no sense.
  template <typename W>
  W* Itself() const {
    if (stream_ == nullptr || !stream_->status()) return nullptr;
    return static_cast<W*>(watchers_[IndexOf(W::kId)].get());
  }

  // Takes `seen` for what W has seen, as if it had watched.
  template <typename W>
  void Give(typename W::Seen seen) {
    seen_[IndexOf(W::kId)] =
        std::make_shared<const typename W::Seen>(std::move(seen));
  }

 private:
  // What Ended refers to, and itself.
  struct Over : Ended {
    Over(const ControlMemory& memory, PlaceNames& places,
         std::function<bool(uint64_t)> is_shared)
        : Ended{memory, own_namer, places, own_is_shared},
          own_namer(memory),
          own_is_shared(std::move(is_shared)) {}
    Namer own_namer;
    std::function<bool(uint64_t)> own_is_shared;
  };

  static size_t IndexOf(WatcherId id) { return static_cast<size_t>(id); }

  std::array<std::unique_ptr<Watcher>, kNumWatchers> watchers_;  // by id
  std::array<std::shared_ptr<const void>, kNumWatchers> seen_;   // by id
  std::unique_ptr<EventStream> stream_;  // null = no watchers
  std::unique_ptr<Over> ended_;          // null = not over, or not seen
  uint64_t plan_flags_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_WATCHED_H_
