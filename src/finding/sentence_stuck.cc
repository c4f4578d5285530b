#include "finding/sentence_stuck.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "finding/held_locks.h"
#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Tid;

bool IsLockWait(const Stuck& stuck) {
  return stuck.operation == EventKind::kLock ||
         stuck.operation == EventKind::kTryLock ||
         stuck.operation == EventKind::kFileLock;
}

class Teller {
 public:
  Teller(const SentenceWords& words, std::span<const Stuck> stuck)
      : words_(words), events_(words.whole().events), stuck_(stuck) {}

  // Each holds what the one before it wants.
  std::string Cycle() const {
    std::vector<const Stuck*> ring = RingOf();
    if (ring.empty()) return "";
    std::string text = "deadlock: ";
    for (size_t i = 0; i < ring.size(); ++i) {
      const Stuck& mine = *ring[i];
      // Who comes before in the ring wants what this one holds.
      const Stuck& before = *ring[(i + ring.size() - 1) % ring.size()];
      if (i > 0) text += ", ";
      text += fmt::format(
          "{} holds {}{} and wants {}{}", words_.Thread(mine.thread),
          words_.Object(before.object), Taken(mine.thread, before.object),
          words_.Object(mine.object), SentenceWords::At(mine.where.place));
    }
    if (ring.size() == 1) {
      return fmt::format("deadlock: {} wants {}{}, which it holds already{}",
                         words_.Thread(ring[0]->thread),
                         words_.Object(ring[0]->object),
                         SentenceWords::At(ring[0]->where.place),
                         Taken(ring[0]->thread, ring[0]->object));
    }
    return text +
           "; taking them in the same order everywhere would forbid this";
  }

  // A lock that its holder never gives back.
  std::string NeverGiven() const {
    for (const Stuck& each : stuck_) {
      if (!IsLockWait(each) || each.holder == Tid::kNone) continue;
      const std::string waits = fmt::format(
          "deadlock: {} wants {}{}", words_.Thread(each.thread),
          words_.Object(each.object), SentenceWords::At(each.where.place));
      const std::string holder = words_.Thread(each.holder);
      const std::string taken = Taken(each.holder, each.object);
      if (const Event* end = EndOf(each.holder)) {
        return fmt::format(
            "{}; {} took it{} and {}{} without giving it back", waits, holder,
            taken,
            end->kind == EventKind::kCanceled ? "was cancelled" : "ended",
            words_.At(*end));
      }
      const Stuck* other = WaitOf(each.holder);
      if (other == nullptr || IsLockWait(*other)) continue;
      const std::string what =
          other->operation == EventKind::kJoin && other->holder != Tid::kNone
              ? fmt::format("joins {}", words_.Thread(other->holder))
              : fmt::format("waits for {}", words_.Object(other->object));
      return fmt::format(
          "{}; {} holds it{} while it {}{}; giving it up first would forbid "
          "this",
          waits, holder, taken, what, SentenceWords::At(other->where.place));
    }
    return "";
  }

  // A wake-up that somebody else got, or that nobody sent.
  std::string NobodySignals() const {
    const auto waits = std::ranges::find_if(stuck_, [](const Stuck& each) {
      return each.operation == EventKind::kWait ||
             each.operation == EventKind::kWaitDone;
    });
    if (waits == stuck_.end()) return "";
    const auto begun = LastOf(events_.size(), [&](const Event& event) {
      return event.kind == EventKind::kWait && event.tid == waits->thread &&
             event.address == waits->object;
    });
    if (!begun) return "";
    const std::string head = fmt::format(
        "lost wake-up: {} waits for {}{}", words_.Thread(waits->thread),
        words_.Object(waits->object), SentenceWords::At(waits->where.place));
    const auto signal = LastOf(events_.size(), [&](const Event& event) {
      return (event.kind == EventKind::kSignal ||
              event.kind == EventKind::kBroadcast) &&
             event.address == waits->object;
    });
    if (!signal) return head + ", and nobody has signalled it";
    const Event& sent = events_[*signal];
    const std::string who =
        fmt::format("{}{}", words_.Thread(sent.tid), words_.At(sent));
    if (*signal < *begun) {
      return fmt::format(
          "{}; the last {}, by {}, came before", head,
          sent.kind == EventKind::kSignal ? "signal" : "broadcast", who);
    }
    return OtherWoken(*signal, *waits, head, who);
  }

  std::string Livelock() const {
    std::string text;
    for (const Stuck& each : stuck_) {
      if (each.operation == EventKind::kJoin || each.object == 0) continue;
      const auto written = LastOf(events_.size(), [&](const Event& event) {
        return trace::IsAccess(event) && trace::Writes(event) &&
               event.address == each.object;
      });
      text += fmt::format(
          "{}{} waits in a loop{} for {} to change",
          text.empty() ? "livelock: " : ", ", words_.Thread(each.thread),
          SentenceWords::At(each.where.place), words_.Object(each.object));
      if (!written) continue;
      const Event& event = events_[*written];
      text += fmt::format(" (last written by {}{})", words_.Thread(event.tid),
                          words_.At(event));
    }
    return text;
  }

 private:
  template <typename Wanted>
  std::optional<size_t> LastOf(size_t end, Wanted wanted) const {
    for (size_t i = end; i-- > 0;) {
      if (wanted(events_[i])) return i;
    }
    return {};
  }

  const Stuck* WaitOf(Tid tid) const {
    const auto found = std::ranges::find(stuck_, tid, &Stuck::thread);
    return found == stuck_.end() ? nullptr : &*found;
  }

  // Who took a semaphore and has not given it back, if that is one thread, and
  // takers do give back.
  Tid HolderOf(const Stuck& stuck) const {
    if (stuck.holder != Tid::kNone) return stuck.holder;
    if (stuck.operation != EventKind::kSemWait) return Tid::kNone;
    std::map<Tid, int64_t> taken;
    for (const Event& event : events_) {
      if (event.address != stuck.object) continue;
      if (event.kind == EventKind::kSemWait && event.has(abi::kFlagSuccess)) {
        ++taken[event.tid];
      }
      // Somebody else's: this is no semaphore that is held.
      if (event.kind == EventKind::kSemPost && --taken[event.tid] < 0) {
        return Tid::kNone;
      }
    }
    std::erase_if(taken, [](const auto& each) { return each.second <= 0; });
    return taken.size() == 1 ? taken.begin()->first : Tid::kNone;
  }

  // Threads of which each waits for the next, the last for the first.
  std::vector<const Stuck*> RingOf() const {
    for (const Stuck& start : stuck_) {
      std::vector<const Stuck*> ring;
      const Stuck* each = &start;
      while (each != nullptr && ring.size() <= stuck_.size() &&
             (IsLockWait(*each) || each->operation == EventKind::kSemWait)) {
        ring.push_back(each);
        const Tid holder = HolderOf(*each);
        if (holder == start.thread) return ring;
        each = WaitOf(holder);
      }
    }
    return {};
  }

  // " (taken at shop.cc:10)".
  std::string Taken(Tid tid, uint64_t object) const {
    const auto taken = LastOf(events_.size(), [&](const Event& event) {
      return event.tid == tid && event.address == object &&
             (Takes(event) || event.kind == EventKind::kWaitDone ||
              (event.kind == EventKind::kSemWait &&
               event.has(abi::kFlagSuccess)));
    });
    if (!taken) return "";
    const std::string place = words_.At(events_[*taken]);
    return place.empty() ? "" : fmt::format(" (taken{})", place);
  }

  const Event* EndOf(Tid tid) const {
    const auto end = LastOf(events_.size(), [&](const Event& event) {
      return event.tid == tid && (event.kind == EventKind::kEnd ||
                                  event.kind == EventKind::kCanceled);
    });
    if (!end) return nullptr;
    const auto canceled = LastOf(*end + 1, [&](const Event& event) {
      return event.tid == tid && event.kind == EventKind::kCanceled;
    });
    return &events_[canceled ? *canceled : *end];
  }

  std::string OtherWoken(size_t signal, const Stuck& waits,
                         const std::string& head,
                         const std::string& who) const {
    const Event& sent = events_[signal];
    if (sent.kind != EventKind::kSignal) return "";
    for (size_t i = signal + 1; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (event.kind != EventKind::kWakeSignal ||
          event.address != waits.object || event.value != sent.seq) {
        continue;
      }
      if (event.tid == waits.thread) return "";
      const bool again = WaitOf(event.tid) != nullptr &&
                         WaitOf(event.tid)->object == waits.object;
      return fmt::format(
          "{}; the last signal, by {}, woke {}{}", head, who,
          words_.Thread(event.tid),
          again ? ", which waits for something else with the same condition "
                  "variable; waking all, or one condition variable for each "
                  "condition, would forbid this"
                : "");
    }
    return "";
  }

  const SentenceWords& words_;
  const std::vector<Event>& events_;
  std::span<const Stuck> stuck_;
};

}  // namespace

std::string StuckSentence(Kind kind, const SentenceWords& words,
                          std::span<const Stuck> stuck) {
  const Teller teller(words, stuck);
  if (kind == Kind::kLivelock) return teller.Livelock();
  if (kind != Kind::kDeadlock && kind != Kind::kLostWakeup) return "";
  std::string text = teller.Cycle();
  return text.empty() ? teller.NeverGiven() : text;
}

std::string WakeUpSentence(Kind kind, const SentenceWords& words,
                           std::span<const Stuck> stuck) {
  if (kind != Kind::kDeadlock && kind != Kind::kLostWakeup) return "";
  return Teller(words, stuck).NobodySignals();
}

}  // namespace fairlead::finding
