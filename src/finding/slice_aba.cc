#include "finding/slice_aba.h"

#include <algorithm>
#include <map>

#include "trace/access.h"

namespace fairlead::finding {
namespace {

using trace::Event;
using trace::EventKind;

// Exchanges that look like one: so many are examined, the latest of each
// object first.
constexpr size_t kMaxExamined = 64;

bool Exchanges(const Event& event) {
  return event.kind == EventKind::kCas && event.has(abi::kFlagSuccess) &&
         event.old_value;
}

// What is accessed at addresses that somebody exchanges, in order.
std::map<uint64_t, std::vector<size_t>> ExchangedIn(
    const std::vector<Event>& events) {
  std::map<uint64_t, std::vector<size_t>> accesses;
  for (const Event& event : events) {
    if (Exchanges(event)) accesses[event.address];
  }
  if (accesses.empty()) return accesses;
  for (size_t i = 0; i < events.size(); ++i) {
    if (!trace::IsAccess(events[i])) continue;
    const auto found = accesses.find(events[i].address);
    if (found != accesses.end()) found->second.push_back(i);
  }
  return accesses;
}

// Where the thread read what it writes in the end.
std::optional<size_t> StaleRead(const std::vector<Event>& events, size_t look,
                                size_t exchange) {
  const Event& last = events[exchange];
  for (size_t i = exchange; i-- > look + 1;) {
    const Event& event = events[i];
    if (event.tid == last.tid && trace::IsAccess(event) &&
        !trace::Writes(event) && event.address != last.address &&
        event.size == last.size && event.value == last.value) {
      return i;
    }
  }
  return {};
}

// Whether the k-th of `accesses` is one, but for the stale read.
std::optional<Aba> AbaAt(const std::vector<Event>& events,
                         const std::vector<size_t>& accesses, size_t k,
                         const SliceIndex& index) {
  const Event& last = events[accesses[k]];
  if (!Exchanges(last)) return {};
  Aba aba = {.look = 0, .stale = 0, .meanwhile = {}, .exchange = accesses[k]};
  for (size_t j = k; j-- > 0;) {
    const Event& before = events[accesses[j]];
    if (index.ActorOf(accesses[j]) != index.ActorOf(accesses[k])) {
      if (trace::Writes(before)) aba.meanwhile.push_back(accesses[j]);
      continue;
    }
    if (trace::Writes(before) || before.value != *last.old_value ||
        aba.meanwhile.size() < 2) {
      return {};
    }
    aba.look = accesses[j];
    std::ranges::reverse(aba.meanwhile);
    return aba;
  }
  return {};
}

}  // namespace

std::optional<Aba> LatestAba(const trace::Trace& whole,
                             const SliceIndex& index) {
  std::optional<Aba> latest;
  for (const auto& [address, accesses] : ExchangedIn(whole.events)) {
    size_t room = kMaxExamined;
    for (size_t k = accesses.size(); k-- > 0 && room > 0;) {
      if (latest && latest->exchange > accesses[k]) break;
      std::optional<Aba> aba = AbaAt(whole.events, accesses, k, index);
      if (!aba) continue;
      --room;
      const auto stale = StaleRead(whole.events, aba->look, aba->exchange);
      if (!stale) continue;
      aba->stale = *stale;
      latest = std::move(aba);
      break;
    }
  }
  return latest;
}

}  // namespace fairlead::finding
