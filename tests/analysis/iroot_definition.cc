#include "tests/analysis/iroot_definition.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/iroot/touch.h"
#include "tests/order/definition.h"

namespace fairlead::analysis::iroot {
namespace {

using trace::Event;
using trace::EventKind;

// A byte of memory, or a lock.
using Location = std::pair<bool, uint64_t>;

struct Touched {
  size_t index;  // of the event
  Touch touch;
  Tid tid;
  uint64_t place;
  uint64_t instructions;  // of its thread, so far
  bool Has(Location location) const {
    if (IsLock(touch.shape) != location.first) return false;
    if (location.first) return touch.address == location.second;
    return location.second - touch.address < touch.bytes;
  }
};

std::vector<Touched> TouchesOf(const trace::Trace& trace) {
  std::map<Tid, uint64_t> instructions;
  std::vector<Touched> all;
  for (size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    instructions[event.tid] += event.instructions;
    const std::optional<Touch> touch = TouchOf(event);
    if (!touch) continue;
    all.push_back(
        {i, *touch, event.tid, order::SiteKey(event), instructions[event.tid]});
  }
  return all;
}

std::vector<Location> LocationsOf(const Touched& touched) {
  if (IsLock(touched.touch.shape)) return {{true, touched.touch.address}};
  std::vector<Location> bytes;
  for (uint64_t i = 0; i < touched.touch.bytes; ++i) {
    bytes.push_back({false, touched.touch.address + i});
  }
  return bytes;
}

// Whether the location is in one life from event i to event j.
bool Lives(const trace::Trace& trace, size_t i, size_t j, Location location) {
  for (size_t k = i + 1; k < j; ++k) {
    const Event& event = trace.events[k];
    if (order::EndsMemory(event.kind) &&
        location.second - event.address < event.value) {
      return false;
    }
    if (location.first && event.address == location.second &&
        (event.kind == EventKind::kInit || event.kind == EventKind::kDestroy)) {
      return false;
    }
  }
  return true;
}

bool Conflict(const Touched& a, const Touched& b) {
  return a.touch.exclusive || b.touch.exclusive;
}

bool Depends(const Touched& a, const Touched& b) {
  return CanDepend(a.touch.shape, a.touch.exclusive, b.touch.shape,
                   b.touch.exclusive);
}

struct Dependency {
  const Touched* source;
  const Touched* end;
  std::set<Location> where;
  bool Covers(Location location) const {
    return location.first == where.begin()->first &&
           location >= *where.begin() && location <= *where.rbegin();
  }
  bool Overlaps(const Dependency& other) const {
    return where.begin()->first == other.where.begin()->first &&
           *where.begin() <= *other.where.rbegin() &&
           *other.where.begin() <= *where.rbegin();
  }
};

class Exposing {
 public:
  Exposing(const trace::Trace& trace, uint64_t window)
      : trace_(trace), window_(window), touches_(TouchesOf(trace)) {}

  std::set<IRoot> All() {
    FindDependencies();
    for (const Dependency& one : dependencies_) {
      Add(1, {Source(one), End(one)});
      for (const Dependency& other : dependencies_) Compound(one, other);
    }
    return std::move(roots_);
  }

 private:
  static Step Source(const Dependency& d) {
    return {d.source->place, AsSource(d.source->touch.shape)};
  }
  static Step End(const Dependency& d) {
    return {d.end->place, AsEnd(d.end->touch.shape)};
  }
  void Add(uint8_t idiom, std::vector<Step> steps) {
    IRoot root = {.idiom = idiom};
    std::ranges::copy(steps, root.steps.begin());
    roots_.insert(Canonical(root));
  }

  bool Immediate(const Touched& a, const Touched& b, Location at) const {
    if (!Lives(trace_, a.index, b.index, at)) return false;
    for (const Touched& other : touches_) {
      if (other.index <= a.index || other.index >= b.index) continue;
      if (!other.Has(at)) continue;
      if (other.tid == a.tid || other.tid == b.tid) return false;
      if (Conflict(a, other) && Conflict(other, b)) return false;
    }
    return true;
  }

  void FindDependencies() {
    for (const Touched& a : touches_) {
      for (const Touched& b : touches_) {
        if (a.index >= b.index || a.tid == b.tid || !Depends(a, b)) continue;
        Dependency found = {&a, &b, {}};
        for (const Location at : LocationsOf(b)) {
          if (a.Has(at) && Immediate(a, b, at)) found.where.insert(at);
        }
        if (!found.where.empty()) dependencies_.push_back(found);
      }
    }
  }

  bool Near(const Touched& one, const Touched& other) const {
    return std::max(one.instructions, other.instructions) -
               std::min(one.instructions, other.instructions) <=
           window_;
  }
  // The thread's last touch of the location before event `end`, in its life.
  const Touched* LastTouch(Tid tid, Location at, size_t end) const {
    const Touched* last = nullptr;
    for (const Touched& each : touches_) {
      if (each.index < end && each.tid == tid && each.Has(at)) last = &each;
    }
    if (last != nullptr && !Lives(trace_, last->index, end, at)) return nullptr;
    return last;
  }

  // `one` is A => B, `other` is C => D.
  void Compound(const Dependency& one, const Dependency& other) {
    const Touched& a = *one.source;
    const Touched& b = *one.end;
    const Touched& c = *other.source;
    const Touched& d = *other.end;
    const std::vector<Step> steps = {Source(one), End(one), Source(other),
                                     End(other)};
    if (a.tid == c.tid && b.tid == d.tid) {
      if (a.index < c.index && b.index < d.index && Near(a, c) && Near(b, d) &&
          !one.Overlaps(other)) {
        Add(6, steps);
      }
      return;
    }
    if (a.tid != d.tid || b.tid != c.tid || a.index >= d.index) return;
    if (!Near(a, d) || !Near(b, c)) return;
    if (one.Overlaps(other)) {
      if (b.index > c.index) return;
      const bool untouched = std::ranges::any_of(other.where, [&](Location at) {
        return one.Covers(at) && LastTouch(a.tid, at, d.index) == &a;
      });
      if (!untouched) return;
      if (b.index < c.index || b.touch.shape == Shape::kUpdate) {
        Add(3, steps);
      } else {
        Add(2, {steps[0], steps[1], steps[3]});
      }
      return;
    }
    if (c.index < b.index) Add(5, steps);
    if (c.index <= b.index) return;
    const bool y = std::ranges::any_of(other.where, [&](Location at) {
      const Touched* last = LastTouch(d.tid, at, d.index);
      return last == nullptr || last->index < a.index;
    });
    bool x = false;
    for (uint64_t at = one.where.begin()->second;
         at <= one.where.rbegin()->second; ++at) {
      x |= LastTouch(a.tid, {one.where.begin()->first, at}, d.index + 1) == &a;
    }
    if (x && y) Add(4, steps);
  }

  const trace::Trace& trace_;
  uint64_t window_;
  std::vector<Touched> touches_;
  std::vector<Dependency> dependencies_;
  std::set<IRoot> roots_;
};

// Locks with the event that took them.
using Held = std::map<uint64_t, std::pair<bool, size_t>>;

class Predicting {
 public:
  Predicting(const trace::Trace& trace, uint64_t window)
      : trace_(trace),
        window_(window),
        touches_(TouchesOf(trace)),
        weak_(trace, order::kWithoutLocks),
        loose_(trace, order::kWithoutMemory) {
    for (const Touched& each : touches_) {
      held_.push_back(HeldAt(each.index, each.tid, each));
    }
  }

  std::set<IRoot> All() {
    FindEdges();
    FindPairs();
    for (const auto& [source, end] : edges_) Add(1, {source, end});
    for (const Pair& pair : pairs_) Join(pair);
    Deadlocks();
    return std::move(roots_);
  }

 private:
  struct Node {
    Tid tid;
    uint64_t place;
    Shape shape;
    bool exclusive;
    bool atomic;
    std::set<std::pair<uint64_t, bool>> locks;
    Location location;
    auto operator<=>(const Node&) const = default;
  };
  using Locks = std::set<std::pair<uint64_t, bool>>;  // lock, exclusive
  struct Pair {
    Node first;
    Node second;
    Locks over;
    bool same;
    bool clean;
    auto operator<=>(const Pair&) const = default;
  };

  // What the thread holds at an event, without the lock that it is about.
  Held HeldAt(size_t index, Tid tid, const Touched& touched) const {
    Held held;
    for (size_t i = 0; i <= index; ++i) {
      const Event& event = trace_.events[i];
      if (event.tid != tid) continue;
      if (event.kind == EventKind::kLock) {
        held[event.address] = {!event.has(abi::kFlagShared), i};
      } else if (event.kind == EventKind::kUnlock) {
        held.erase(event.address);
      }
    }
    if (IsLock(touched.touch.shape)) held.erase(touched.touch.address);
    return held;
  }
  static Locks SetOf(const Held& held) {
    Locks locks;
    for (const auto& [lock, how] : held) locks.insert({lock, how.first});
    return locks;
  }
  static bool Exclude(const Locks& one, const Locks& other) {
    for (const auto& [lock, exclusive] : one) {
      for (const auto& [other_lock, other_exclusive] : other) {
        if (lock == other_lock && (exclusive || other_exclusive)) return true;
      }
    }
    return false;
  }
  Location Where(size_t t) const { return LocationsOf(touches_[t]).front(); }
  Node NodeOf(size_t t) const {
    const Touched& each = touches_[t];
    return {each.tid,          each.place,
            each.touch.shape,  each.touch.exclusive,
            each.touch.atomic, SetOf(held_[t]),
            Where(t)};
  }

  bool IsLast(size_t t, uint64_t lock) const {
    for (size_t k = t + 1; k < touches_.size(); ++k) {
      if (touches_[k].tid != touches_[t].tid || Where(k) != Where(t)) continue;
      const Held& now = held_[k];
      const auto found = now.find(lock);
      return found == now.end() ||
             found->second.second != held_[t].at(lock).second;
    }
    return true;
  }
  bool IsFirst(size_t t, uint64_t lock) const {
    for (size_t k = t; k-- > 0;) {
      if (touches_[k].tid != touches_[t].tid || Where(k) != Where(t)) continue;
      return touches_[k].index < held_[t].at(lock).second;
    }
    return true;
  }
  bool LocksAllow(size_t source, size_t end) const {
    for (const auto& [lock, how] : held_[source]) {
      const auto other = held_[end].find(lock);
      if (other == held_[end].end()) continue;
      if (!how.first && !other->second.first) continue;
      if (!IsLast(source, lock) || !IsFirst(end, lock)) return false;
    }
    return true;
  }
  bool Before(size_t one, size_t other, bool atomic) const {
    return (atomic ? loose_ : weak_)
        .Before(touches_[one].index, touches_[other].index);
  }
  bool Neighbours(size_t early, size_t late, bool atomic) const {
    for (size_t k = 0; k < touches_.size(); ++k) {
      if (Where(k) != Where(early)) continue;
      if (k > early && touches_[k].tid == touches_[early].tid &&
          Before(k, late, atomic)) {
        return false;
      }
      if (k < late && touches_[k].tid == touches_[late].tid &&
          Before(early, k, atomic)) {
        return false;
      }
    }
    return true;
  }

  void Edge(size_t source, size_t end) {
    if (Depends(touches_[source], touches_[end]) && LocksAllow(source, end)) {
      edges_.insert({NodeOf(source), NodeOf(end)});
    }
  }
  void FindEdges() {
    for (size_t i = 0; i < touches_.size(); ++i) {
      for (size_t j = i + 1; j < touches_.size(); ++j) {
        if (touches_[i].tid == touches_[j].tid || Where(i) != Where(j)) {
          continue;
        }
        const bool atomic =
            touches_[i].touch.atomic && touches_[j].touch.atomic;
        if (Before(i, j, atomic)) {
          if (Neighbours(i, j, atomic)) Edge(i, j);
        } else {
          Edge(i, j);
          Edge(j, i);
        }
      }
    }
  }

  // The latest touch by one node and the next by the other.
  void FindPairs() {
    for (size_t d = 0; d < touches_.size(); ++d) {
      std::set<Node> met;
      std::set<Location> seen;
      bool end_touched = false;
      for (size_t a = d; a-- > 0;) {
        if (touches_[a].tid != touches_[d].tid) continue;
        if (touches_[d].instructions - touches_[a].instructions > window_) {
          break;
        }
        const Node first = NodeOf(a);
        const Node second = NodeOf(d);
        const bool same = Where(a) == Where(d);
        if (met.insert(first).second) {
          Locks over;
          const Held now =
              HeldAt(touches_[d].index, touches_[d].tid, Touched{});
          for (const auto& [lock, how] : now) {
            if (how.second < touches_[a].index) over.insert({lock, how.first});
          }
          pairs_.insert({first, second, over, same,
                         !end_touched && !seen.contains(Where(a))});
        }
        seen.insert(Where(a));
        end_touched |= same;
        if (first == second) break;
      }
    }
  }

  bool Has(const Node& source, const Node& end) const {
    return edges_.contains({source, end});
  }
  void Join(const Pair& pair) {
    const Node& a = pair.first;
    const Node& last = pair.second;
    for (const auto& [source, b] : edges_) {
      if (source != a) continue;
      const bool free = !Exclude(pair.over, b.locks);
      if (pair.same && pair.clean && free && Has(b, last)) {
        if (b.shape == Shape::kUpdate) {
          Add(3, {a, b, b, last});
        } else {
          Add(2, {a, b, last});
        }
      }
      for (const Pair& remote : pairs_) {
        if (remote.same != pair.same) continue;
        const Node& c = remote.second;
        if (remote.first == b && pair.clean && free && Has(c, last) &&
            !Exclude(pair.over, c.locks)) {
          Add(pair.same ? 3 : 4, {a, b, c, last});
        }
        if (pair.same) continue;
        if (remote.second == b && Has(remote.first, last) &&
            !Exclude(pair.over, remote.over)) {
          Add(5, {a, b, remote.first, last});
        }
        if (remote.first == b && Has(last, remote.second)) {
          Add(6, {a, b, last, remote.second});
        }
      }
    }
  }

  void Deadlocks() {
    for (size_t i = 0; i < touches_.size(); ++i) {
      for (size_t j = 0; j < touches_.size(); ++j) {
        if (touches_[i].tid < touches_[j].tid) DeadlocksOf(i, j);
      }
    }
  }
  // Touch i of one thread takes n while it holds m, touch j the other way.
  void DeadlocksOf(size_t i, size_t j) {
    if (touches_[i].touch.shape != Shape::kLock ||
        touches_[j].touch.shape != Shape::kLock || Before(i, j, false) ||
        Before(j, i, false)) {
      return;
    }
    const uint64_t n = touches_[i].touch.address;
    const uint64_t m = touches_[j].touch.address;
    const auto held_m = held_[i].find(m);
    const auto held_n = held_[j].find(n);
    if (m == n || held_m == held_[i].end() || held_n == held_[j].end()) return;
    Held gates = held_[i];
    Held other_gates = held_[j];
    gates.erase(m);
    other_gates.erase(n);
    if (Exclude(SetOf(gates), SetOf(other_gates))) return;
    if (!(held_m->second.first || touches_[j].touch.exclusive) ||
        !(held_n->second.first || touches_[i].touch.exclusive)) {
      return;
    }
    const auto taken = [&](size_t index) -> const Touched& {
      return *std::ranges::find(touches_, index, &Touched::index);
    };
    const Touched& took_m = taken(held_m->second.second);
    const Touched& took_n = taken(held_n->second.second);
    if (touches_[i].instructions - took_m.instructions > window_ ||
        touches_[j].instructions - took_n.instructions > window_) {
      return;
    }
    IRoot root = {.idiom = 5};
    root.steps = {Step{took_m.place, Operation::kLock},
                  Step{touches_[j].place, Operation::kLock},
                  Step{took_n.place, Operation::kLock},
                  Step{touches_[i].place, Operation::kLock}};
    roots_.insert(Canonical(root));
  }

  void Add(uint8_t idiom, std::vector<Node> nodes) {
    IRoot root = {.idiom = idiom};
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool source = idiom == 2 ? i == 0 : i % 2 == 0;
      root.steps[i] = {nodes[i].place, source ? AsSource(nodes[i].shape)
                                              : AsEnd(nodes[i].shape)};
    }
    roots_.insert(Canonical(root));
  }

  const trace::Trace& trace_;
  uint64_t window_;
  std::vector<Touched> touches_;
  std::vector<Held> held_;  // by touch
  order::Definition weak_;
  order::Definition loose_;
  std::set<std::pair<Node, Node>> edges_;
  std::set<Pair> pairs_;
  std::set<IRoot> roots_;
};

}  // namespace

std::set<IRoot> ExposedByDefinition(const trace::Trace& trace,
                                    uint64_t window) {
  return Exposing(trace, window).All();
}

std::set<IRoot> PredictedByDefinition(const trace::Trace& trace,
                                      uint64_t window) {
  return Predicting(trace, window).All();
}

}  // namespace fairlead::analysis::iroot
