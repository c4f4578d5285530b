#include "explore/explain/ordered_events.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "analysis/prediction.h"
#include "finding/frames.h"
#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using trace::EventGroup;
using trace::EventKind;

// Memory is looked at in words; of what is larger, this many.
constexpr uint64_t kWord = 4;
constexpr uint64_t kMostWords = 512;
constexpr size_t kMostPairs = 20'000;

uint64_t AnchorOf(const trace::Event& event, const trace::Names& names) {
  if (event.instrumented()) {
    const auto site = names.sites.find(event.site);
    return site == names.sites.end() ? 0 : site->second.anchor;
  }
  const auto caller = names.callers.find(event.site);
  return caller == names.callers.end() ? 0 : caller->second.anchor;
}

bool IsLibrary(const trace::Event& event, const trace::Names& names) {
  if (event.has(abi::kFlagLibrary)) return true;
  if (!event.instrumented()) return false;
  const auto site = names.sites.find(event.site);
  return site != names.sites.end() && site->second.library;
}

// Whether a thread comes to the gate, or would, for such an event.
bool IsStep(const trace::Event& event) {
  switch (trace::GroupOf(event.kind)) {
    case EventGroup::kAccess:
      return event.kind != EventKind::kFence;
    case EventGroup::kSync:
      return event.kind != EventKind::kMisuse &&
             event.kind != EventKind::kYield && event.kind != EventKind::kSleep;
    case EventGroup::kThread:
      return event.kind == EventKind::kFork || event.kind == EventKind::kJoin ||
             event.kind == EventKind::kCancel;
    case EventGroup::kMemory:
      return event.kind == EventKind::kFree;
    case EventGroup::kFile:
      return true;
    default:
      return false;
  }
}

// Neighbours in a word need have no byte in common.
bool Apart(const trace::Event& a, const trace::Event& b) {
  if (trace::GroupOf(a.kind) != EventGroup::kAccess ||
      trace::GroupOf(b.kind) != EventGroup::kAccess) {
    return false;
  }
  return a.address + std::max<uint64_t>(a.size, 1) <= b.address ||
         b.address + std::max<uint64_t>(b.size, 1) <= a.address;
}

// What an event is about, as a number that no two sorts of things share.
struct Touch {
  uint64_t thing;
  bool changes;
};

void AddWords(uint64_t address, uint64_t bytes, bool changes,
              std::vector<Touch>& touches) {
  const uint64_t first = address / kWord;
  const uint64_t last = (address + std::max<uint64_t>(bytes, 1) - 1) / kWord;
  for (uint64_t word = first; word <= last && word - first < kMostWords;
       ++word) {
    touches.push_back({word, changes});
  }
}

constexpr uint64_t kPrimitive = uint64_t{1} << 62;
constexpr uint64_t kDescriptor = uint64_t{1} << 63;
constexpr uint64_t kThreadThing = uint64_t{3} << 62;

std::vector<Touch> TouchesOf(const trace::Event& event) {
  std::vector<Touch> touches;
  switch (trace::GroupOf(event.kind)) {
    case EventGroup::kAccess:
      AddWords(event.address, event.size, trace::Writes(event), touches);
      break;
    case EventGroup::kMemory:
      AddWords(event.address, event.value, true, touches);
      break;
    case EventGroup::kSync:
      // The memory of a primitive is used, and may be freed by somebody else.
      AddWords(event.address, 1, event.kind == EventKind::kDestroy, touches);
      // An unlock goes with its lock, and who has a lock already waits for
      // nobody.
      if (!event.has(abi::kFlagRecursive) && event.kind != EventKind::kUnlock &&
          event.kind != EventKind::kFileUnlock) {
        touches.push_back({kPrimitive | event.address, true});
      }
      break;
    case EventGroup::kFile:
      touches.push_back(
          {kDescriptor | event.value, event.kind == EventKind::kClose});
      break;
    case EventGroup::kThread:
      touches.push_back(
          {kThreadThing | event.value, event.kind == EventKind::kCancel});
      break;
    default:
      break;
  }
  // A thread may be cancelled anywhere.
  touches.push_back({kThreadThing | abi::Index(event.tid), false});
  return touches;
}

}  // namespace

std::string CallsOf(const trace::Event& event, const trace::Names& names) {
  std::string calls;
  for (const finding::Frame& frame : finding::FramesOf(event, names)) {
    if (!calls.empty()) calls += " < ";
    calls += frame.function;
  }
  return calls;
}

OrderedEvents::OrderedEvents(trace::Trace trace, bool cut)
    : trace_(std::move(trace)), cut_(cut) {
  Index();
  PairUp();
}

void OrderedEvents::Index() {
  keys_.resize(trace_.events.size());
  for (size_t i = 0; i < trace_.events.size(); ++i) {
    const trace::Event& event = trace_.events[i];
    if (!IsStep(event) && !EndsInMisuse(i)) continue;
    const uint64_t anchor = AnchorOf(event, trace_.names);
    if (anchor == 0) continue;
    EventKey key = {.thread = trace_.names.ThreadText(event.tid),
                    .anchor = anchor};
    const auto named = trace_.names.threads.find(event.tid);
    if (named != trace_.names.threads.end()) key.thread = named->second.path;
    key.pass = ++passes_[{key.thread, anchor}];
    const bool memory = trace::GroupOf(event.kind) == EventGroup::kAccess ||
                        trace::GroupOf(event.kind) == EventGroup::kMemory;
    events_.emplace(key,
                    OrderedEvent{.operation = analysis::OperationOf(event.kind),
                                 .position = i,
                                 .object = event.address,
                                 .memory = memory,
                                 .library = IsLibrary(event, trace_.names),
                                 .point = event.has(abi::kFlagPoint) ||
                                          event.kind == EventKind::kFree});
    keys_[i] = std::move(key);
  }
}

// An operation that went wrong leaves a misuse in its place, or ahead of it.
bool OrderedEvents::EndsInMisuse(size_t position) const {
  const trace::Event& event = trace_.events[position];
  if (event.kind != EventKind::kMisuse) return false;
  for (size_t i = position + 1; i < trace_.events.size(); ++i) {
    const trace::Event& next = trace_.events[i];
    if (next.tid != event.tid) continue;
    return AnchorOf(next, trace_.names) != AnchorOf(event, trace_.names);
  }
  return true;
}

void OrderedEvents::PairUp() {
  struct Thing {
    size_t writer = ~size_t{0};
    std::vector<size_t> readers;  // since, the last of each thread
  };
  std::unordered_map<uint64_t, Thing> things;
  std::set<std::pair<size_t, size_t>> seen;
  const auto add = [&](size_t before, size_t after) {
    if (trace_.events[before].tid == trace_.events[after].tid) return;
    if (pairs_.size() >= kMostPairs) return;
    if (Apart(trace_.events[before], trace_.events[after])) return;
    if (!seen.emplace(before, after).second) return;
    pairs_.emplace_back(*keys_[before], *keys_[after]);
  };
  for (size_t i = 0; i < trace_.events.size(); ++i) {
    if (!keys_[i]) continue;
    for (const Touch& touch : TouchesOf(trace_.events[i])) {
      Thing& thing = things[touch.thing];
      if (thing.writer != ~size_t{0}) add(thing.writer, i);
      if (touch.changes) {
        for (const size_t reader : thing.readers) add(reader, i);
        thing.readers.clear();
        thing.writer = i;
        continue;
      }
      std::erase_if(thing.readers, [&](size_t reader) {
        return trace_.events[reader].tid == trace_.events[i].tid;
      });
      thing.readers.push_back(i);
    }
  }
}

std::vector<OrderedEvents::Pair> OrderedEvents::Awaited(
    const OrderedEvents& other) const {
  // By thread its last event here; by object the last one on it.
  std::map<std::string, EventKey> last;
  std::map<uint64_t, EventKey> holder;
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (!keys_[i]) continue;
    last[keys_[i]->thread] = *keys_[i];
    if (trace_.events[i].kind != EventKind::kUnlock) {
      holder[trace_.events[i].address] = *keys_[i];
    }
  }
  std::vector<Pair> pairs;
  std::map<std::string, bool> next;  // by thread: its next event is what counts
  for (size_t i = 0; i < other.keys_.size(); ++i) {
    const std::optional<EventKey>& key = other.keys_[i];
    if (!key) continue;
    bool& is_next = next[key->thread];
    if (is_next && Find(*key) == nullptr) {
      const auto before = holder.find(other.trace_.events[i].address);
      if (before != holder.end() && before->second.thread != key->thread) {
        pairs.emplace_back(before->second, *key);
      }
    }
    const auto ended = last.find(key->thread);
    is_next = ended != last.end() && ended->second == *key;
  }
  return pairs;
}

const OrderedEvent* OrderedEvents::Find(const EventKey& key) const {
  const auto found = events_.find(key);
  return found == events_.end() ? nullptr : &found->second;
}

uint32_t OrderedEvents::PassesOf(const std::string& thread,
                                 uint64_t anchor) const {
  const auto found = passes_.find({thread, anchor});
  return found == passes_.end() ? 0 : found->second;
}

std::optional<bool> OrderedEvents::Before(const EventKey& a,
                                          const EventKey& b) const {
  const OrderedEvent* first = Find(a);
  const OrderedEvent* second = Find(b);
  if (first == nullptr && second == nullptr) return {};
  if (second == nullptr) return true;
  if (first == nullptr) return false;
  return first->position < second->position;
}

bool OrderedEvents::BeforeInAny(const EventKey& a, const EventKey& b) const {
  if (Before(a, b) == true) return true;
  std::set<std::string> threads;
  for (const auto& [where, passes] : passes_) threads.insert(where.first);
  for (const std::string& one : threads) {
    for (const std::string& other : threads) {
      if (one == other) continue;
      if (Before({one, a.anchor, a.pass}, {other, b.anchor, b.pass}) == true) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace fairlead::explore
