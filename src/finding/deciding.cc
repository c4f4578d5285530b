#include "finding/deciding.h"

#include <fmt/core.h>

#include <algorithm>

#include "finding/frames.h"
#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;

class Marker {
 public:
  Marker(const Sliced& sliced, const trace::Trace& whole,
         std::span<const Stuck> stuck)
      : sliced_(sliced),
        story_(sliced.story),
        events_(sliced.trace.events),
        names_(sliced.trace.names),
        no_return_(NoReturn(stuck)) {
    for (const Event& event : whole.events) {
      const auto node = whole.names.nodes.find(event.node);
      if (!event.instrumented() || node == whole.names.nodes.end()) continue;
      callers_[event.site].insert(node->second.site);
    }
  }

  Deciding Mark(size_t position) const {
    const Event& event = events_[position];
    Deciding mark = {.step = event.seq};
    mark.conflicts =
        story_.sure && (position == story_.first || position == story_.other ||
                        position == story_.second);
    mark.no_return = no_return_ == position;
    if (trace::IsAccess(event) || event.kind == trace::EventKind::kFree) {
      mark.held = LocksAt(position);
    }
    mark.called = SplitCallOf(position);
    if (mark.called.empty()) mark.called = CallOf(event);
    return mark;
  }

 private:
  std::string LocksAt(size_t position) const {
    const auto held = sliced_.held.find(position);
    if (held == sliced_.held.end()) return "";
    std::string text;
    for (const auto& [lock, taken] : held->second) {
      if (!text.empty()) text += ", ";
      // The member alone: its object is named where the access is.
      const std::string name = names_.ObjectText(lock);
      const size_t last = name.find_last_of(".:");
      text += last == std::string::npos ? name : name.substr(last + 1);
    }
    return text;
  }

  // Of steps in functions that one function calls: that is what was split.
  std::string SplitCallOf(size_t position) const {
    if (!story_.first || !story_.second) return "";
    const bool first = position == *story_.first;
    if (!first && position != *story_.second) return "";
    const auto region =
        RegionOf(events_[*story_.first], events_[*story_.second], names_);
    const trace::Place* own = names_.ShownPlaceOf(events_[position]);
    if (!region || region->function.empty() || own == nullptr) return "";
    const trace::Place& place = first ? region->first : region->second;
    if (place.line == own->line && place.file == own->file) return "";
    return CallText(region->function, place, *own);
  }

  // Of a function that is called from several places, which of them.
  std::string CallOf(const Event& event) const {
    const auto callers = callers_.find(event.site);
    if (!trace::IsAccess(event) || callers == callers_.end() ||
        callers->second.size() < 2) {
      return "";
    }
    const std::vector<Frame> frames = FramesOf(event, names_);
    const trace::Place* own = names_.ShownPlaceOf(event);
    if (frames.size() < 2 || own == nullptr || frames[0].place != *own) {
      return "";
    }
    return CallText(frames[1].function, frames[1].place, *own);
  }

  static std::string CallText(const std::string& function,
                              const trace::Place& place,
                              const trace::Place& own) {
    if (place.file == own.file) {
      return fmt::format("{}, line {}", function, place.line);
    }
    return fmt::format("{}, {}:{}", function,
                       place.file.substr(place.file.rfind('/') + 1),
                       place.line);
  }

  // What the other thread had read there ahead of its write: from then on it
  // writes what it has decided to.
  std::optional<size_t> ReadBefore(size_t write) const {
    for (size_t i = write; i-- > 0;) {
      if (events_[i].tid != events_[write].tid ||
          events_[i].address != events_[write].address ||
          !trace::IsAccess(events_[i])) {
        continue;
      }
      return trace::Writes(events_[i]) ? std::optional<size_t>() : i;
    }
    return {};
  }

  std::optional<size_t> NoReturn(std::span<const Stuck> stuck) const {
    if (const auto last = LastOfCycle(stuck)) return last;
    if (story_.sure && story_.plot == Plot::kTooEarly) return story_.first;
    if (!story_.sure || !story_.other) return {};
    switch (story_.plot) {
      case Plot::kLostUpdate: {
        const auto read = ReadBefore(*story_.other);
        if (!read || !story_.first) return story_.other;
        return std::max(*read, *story_.first);
      }
      case Plot::kNone:
        return {};
      default:
        return story_.other;
    }
  }

  // The lock that closes it.
  std::optional<size_t> LastOfCycle(std::span<const Stuck> stuck) const {
    std::optional<size_t> last;
    for (const Stuck& each : stuck) {
      if (!each.in_cycle) continue;
      for (size_t i = 0; i < events_.size(); ++i) {
        if (Takes(events_[i]) && events_[i].address == each.object &&
            events_[i].tid == each.holder && i >= last.value_or(0)) {
          last = i;
        }
      }
    }
    return last;
  }

  const Sliced& sliced_;
  const Story& story_;
  const std::vector<Event>& events_;
  const trace::Names& names_;
  std::optional<size_t> no_return_;
  std::map<uint32_t, std::set<uint32_t>> callers_;  // call sites, by site
};

}  // namespace

std::vector<Deciding> DecidingOf(const Sliced& sliced,
                                 const trace::Trace& whole,
                                 std::span<const Stuck> stuck) {
  const Marker marker(sliced, whole, stuck);
  std::vector<Deciding> deciding;
  for (const size_t position : sliced.deciding) {
    deciding.push_back(marker.Mark(position));
  }
  return deciding;
}

}  // namespace fairlead::finding
