#include "finding/sentence.h"

#include <fmt/core.h>

#include "finding/frames.h"
#include "finding/sentence_locks.h"
#include "finding/sentence_stuck.h"
#include "finding/sentence_words.h"
#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;

// A number that people can read; "" for what may be a pointer or bits.
std::string SmallValue(const Event& event) {
  constexpr uint64_t kLargest = 99'999;
  const bool told = trace::IsAccess(event) && !event.has(abi::kFlagLibrary) &&
                    event.size <= 8 && event.value <= kLargest;
  return told ? fmt::format(" = {}", event.value) : "";
}

class Teller {
 public:
  Teller(Kind kind, const Sliced& sliced, const trace::Trace& whole)
      : kind_(kind),
        sliced_(sliced),
        story_(sliced.story),
        events_(sliced.trace.events),
        words_(sliced, whole) {}

  std::string Tell() const {
    if (story_.sure) return Plain();
    const std::string text = story_.likely ? Plain() : "";
    return text.empty() ? text : "likely, not proven: " + text;
  }

 private:
  std::string Plain() const {
    if (story_.plot == Plot::kTooEarly && story_.first && !story_.other) {
      return NeverWritten();
    }
    if (!story_.other) return "";
    switch (story_.plot) {
      case Plot::kLostUpdate:
      case Plot::kInterrupted:
        return story_.first && story_.second ? Interrupted() : "";
      case Plot::kOvertaken:
        return story_.first && story_.second ? Overtaken() : "";
      case Plot::kAba:
        return story_.first && story_.second ? Aba() : "";
      case Plot::kSplit:
      case Plot::kHalf:
        return story_.first && story_.second && story_.aside ? Split() : "";
      case Plot::kTooEarly:
        return story_.first ? TooEarly() : "";
      case Plot::kMissed:
        return story_.first && story_.second ? Missed() : "";
      case Plot::kFreed:
        return story_.second ? Freed() : "";
      case Plot::kNone:
        break;
    }
    return "";
  }

  const Event& First() const { return events_[*story_.first]; }
  const Event& Other() const { return events_[*story_.other]; }
  const Event& Second() const { return events_[*story_.second]; }

  // "reads queue.count at q.c:12".
  std::string Does(const Event& event) const {
    return fmt::format("{} {}{}", words_.Verb(event),
                       words_.Object(event.address), words_.At(event));
  }

  // "atomicity violation of Buy".
  std::string Head(const std::string& kind) const {
    const auto region = RegionOf(First(), Second(), words_.whole().names);
    if (kind != "atomicity violation" || !region || region->function.empty()) {
      return kind;
    }
    return fmt::format("{} of {}", kind, region->function);
  }

  // " (both in Buy, at shop.cc:15)" where the steps are in functions that it
  // calls.
  std::string Within() const {
    const auto region = RegionOf(First(), Second(), words_.whole().names);
    if (!region || region->function.empty()) return "";
    const trace::Place* first = words_.whole().names.ShownPlaceOf(First());
    const trace::Place* second = words_.whole().names.ShownPlaceOf(Second());
    const bool own = first != nullptr && second != nullptr &&
                     first->line == region->first.line &&
                     second->line == region->second.line;
    if (own) return "";
    if (region->first.line == region->second.line) {
      return fmt::format(" (called by {}{})", region->function,
                         words_.At(region->first));
    }
    return fmt::format(" (called by {}{} and line {})", region->function,
                       words_.At(region->first), region->second.line);
  }

  // It reads to write: the write is what it acts by.
  const Event& Act() const {
    for (size_t i = *story_.second; i < events_.size(); ++i) {
      if (events_[i].tid == Second().tid && trace::Writes(events_[i]) &&
          events_[i].address == Second().address) {
        return events_[i];
      }
    }
    return Second();
  }

  std::string Interrupted() const {
    const std::string one = words_.Thread(First().tid);
    const std::string other = words_.Thread(Other().tid);
    const LockVerdict locks = LocksAround(sliced_, *story_.first, *story_.other,
                                          *story_.second, words_);
    if (locks.kind.empty()) return "";
    const bool lost = story_.plot == Plot::kLostUpdate;
    return fmt::format("{}: {} {} and {} it{}{}; in between {} {}{}; {}",
                       Head(locks.kind), one, Does(First()),
                       words_.Verb(Second()), words_.At(Second()), Within(),
                       other, Does(Other()),
                       lost ? ", which is overwritten" : "", locks.advice);
  }

  std::string Overtaken() const {
    const std::string one = words_.Thread(First().tid);
    const std::string other = words_.Thread(Other().tid);
    const LockVerdict locks = LocksAround(sliced_, *story_.first, *story_.other,
                                          *story_.second, words_);
    if (locks.kind.empty()) return "";
    // Of what is overtaken the region matters, whatever locks there are.
    return fmt::format(
        "{}: what {} reads in {}{}{} no longer holds when it {}{}; in between "
        "{} {}; {}",
        Head("atomicity violation"), one, words_.Object(First().address),
        SmallValue(First()), words_.At(First()), Does(Act()), Within(), other,
        Does(Other()), locks.advice);
  }

  std::string Aba() const {
    const std::string object = words_.Object(First().address);
    const std::string one = words_.Thread(First().tid);
    const std::string other = words_.Thread(Other().tid);
    std::string stale;
    if (story_.aside) {
      const Event& read = events_[*story_.aside];
      stale = fmt::format(", and what it puts there, read{}, is out of date",
                          words_.At(read));
    }
    return fmt::format(
        "atomicity violation (ABA): {} reads {}{}; {} changes it and puts the "
        "same value back{}, so that the exchange{} succeeds{}; a version "
        "counter beside the value would forbid this",
        one, object, words_.At(First()), other, words_.At(Other()),
        words_.At(Second()), stale);
  }

  std::string Split() const {
    const std::string one = words_.Thread(First().tid);
    const std::string other = words_.Thread(Other().tid);
    const LockVerdict locks = LocksAround(sliced_, *story_.first, *story_.other,
                                          *story_.second, words_);
    // Locks of different things say nothing of both.
    if (locks.kind.empty() || locks.of_parts) return "";
    const std::string head = Head("atomicity violation");
    if (story_.plot == Plot::kHalf) {
      return fmt::format("{}: {} {} and {}{}; in between {} {}; {}", head, one,
                         Does(First()), Does(Second()), Within(), other,
                         Does(Other()), locks.advice);
    }
    return fmt::format(
        "{}: {} {} and {}{}; in between {} {}, so that they do not belong "
        "together; {}",
        head, one, Does(First()), Does(Second()), Within(), other,
        Does(Other()), locks.advice);
  }

  std::string NeverWritten() const {
    const std::string place = SentenceWords::At(story_.missing);
    if (place.empty()) return "";
    const std::string one = words_.Thread(First().tid);
    return fmt::format(
        "order violation: {} reads {}{}{} before the write{}, which has not "
        "happened yet; nothing makes {} wait for that",
        one, words_.Object(First().address), SmallValue(First()),
        words_.At(First()), place, words_.Thread(First().tid));
  }

  std::string TooEarly() const {
    const std::string one = words_.Thread(First().tid);
    const std::string other = words_.Thread(Other().tid);
    return fmt::format(
        "order violation: {} reads {}{}{} before {} {} it{}; nothing makes {} "
        "wait for that",
        one, words_.Object(First().address), SmallValue(First()),
        words_.At(First()), other, words_.Verb(Other()), words_.At(Other()),
        words_.Thread(First().tid));
  }

  std::string Missed() const {
    const std::string one = words_.Thread(First().tid);
    const std::string other = words_.Thread(Other().tid);
    std::string signal;
    if (story_.aside) {
      const Event& told = events_[*story_.aside];
      signal =
          fmt::format(", and its {}{} finds nobody waiting",
                      told.kind == EventKind::kSignal ? "signal" : "broadcast",
                      words_.At(told));
    }
    std::string advice;
    const Event& wait = Second();
    const auto held = sliced_.held.find(*story_.other);
    if (wait.partner && wait.partner->object != 0) {
      const uint64_t mutex = wait.partner->object;
      const bool holds =
          held != sliced_.held.end() && held->second.contains(mutex);
      if (!holds) {
        advice = fmt::format("; holding {}{} would forbid this",
                             words_.Object(mutex), words_.At(Other()));
      } else {
        advice = fmt::format("; testing it with {} held would forbid this",
                             words_.Object(mutex));
      }
    }
    return fmt::format(
        "lost wake-up: {} tests {}{}{}, and {} changes it{}{}, before {} waits "
        "for {}{}{}",
        one, words_.Object(First().address), SmallValue(First()),
        words_.At(First()), other, words_.At(Other()), signal,
        words_.Thread(First().tid), words_.Object(wait.address),
        words_.At(wait), advice);
  }

  std::string Freed() const {
    const Event& use = Second();
    const std::string user = words_.Thread(use.tid);
    const std::string owner = words_.Thread(Other().tid);
    const std::string block = words_.Pointee(Other().address);
    if (Other().kind == EventKind::kDestroy) {
      return fmt::format(
          "order violation: {} uses {}{} after {} destroyed it{}; nothing "
          "makes {} wait for {}",
          user, block, words_.At(use), owner, words_.At(Other()),
          words_.Thread(Other().tid), words_.Thread(use.tid));
    }
    if (kind_ == Kind::kDoubleFree) {
      return fmt::format("double free: {} frees {}{} though {} has freed it{}",
                         user, block, words_.At(use), owner,
                         words_.At(Other()));
    }
    if (use.tid == Other().tid) {
      return fmt::format("use after free: {} uses {}{} after it freed it{}",
                         user, block, words_.At(use), words_.At(Other()));
    }
    std::string pointer;
    if (story_.first) {
      pointer = fmt::format("; it had got the pointer{}", words_.At(First()));
      const auto held = sliced_.held.find(*story_.first);
      if (held != sliced_.held.end() && !GaveUp(held->second).empty()) {
        pointer += fmt::format(" with {} held, and gave that up",
                               words_.Locks(GaveUp(held->second)));
      }
    }
    return fmt::format(
        "use after free: {} uses {}{} after {} freed it{}{}; nothing makes {} "
        "wait for {}",
        user, block, words_.At(use), owner, words_.At(Other()), pointer,
        words_.Thread(Other().tid), words_.Thread(use.tid));
  }

  // Of these, what is not held at the last step any more.
  std::vector<uint64_t> GaveUp(const Held& before) const {
    std::vector<uint64_t> locks;
    const auto now = sliced_.held.find(*story_.second);
    for (const auto& [lock, taken] : before) {
      const bool still = now != sliced_.held.end() &&
                         now->second.contains(lock) &&
                         now->second.at(lock) == taken;
      if (!still) locks.push_back(lock);
    }
    return locks;
  }

  Kind kind_;
  const Sliced& sliced_;
  const Story& story_;
  const std::vector<Event>& events_;
  SentenceWords words_;
};

}  // namespace

std::string SentenceOf(Kind kind, const Sliced& sliced,
                       const trace::Trace& whole,
                       std::span<const Stuck> stuck) {
  const SentenceWords words(sliced, whole);
  std::string sentence = StuckSentence(kind, words, stuck);
  if (sentence.empty()) sentence = Teller(kind, sliced, whole).Tell();
  return sentence.empty() ? WakeUpSentence(kind, words, stuck) : sentence;
}

}  // namespace fairlead::finding
