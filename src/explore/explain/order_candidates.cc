#include "explore/explain/order_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "explore/explain/stable_order.h"
#include "finding/frames.h"
#include "finding/thread_path.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

struct Ranked {
  OrderCandidate order;
  bool library = false;
  bool point = true;
  bool memory = true;
  size_t position = 0;
};

// Where an event is known from.
struct Known {
  const OrderedEvents* in = nullptr;
  const OrderedEvent* event = nullptr;
};

Known Find(const EventKey& key, const OrderedEvents& failed,
           const Compared& others) {
  if (const OrderedEvent* event = failed.Find(key)) return {&failed, event};
  for (const OrderedEvents& other : others.passed) {
    if (const OrderedEvent* event = other.Find(key)) return {&other, event};
  }
  return {};
}

size_t PositionIn(const OrderedEvents& events, const EventKey& key) {
  const OrderedEvent* event = events.Find(key);
  return event == nullptr ? 0 : event->position;
}

std::string FieldOf(const trace::Event& event, const trace::Names& names) {
  if (event.instrumented()) {
    const auto site = names.sites.find(event.site);
    if (site != names.sites.end() && site->second.type != 0) {
      const auto type = names.types.find(site->second.type);
      if (type != names.types.end() && !type->second.name.empty()) {
        const trace::FieldName* field =
            type->second.FieldAt(site->second.field_offset);
        if (field != nullptr && !field->name.empty()) {
          return fmt::format("{}::{}", type->second.name, field->name);
        }
      }
    }
  }
  return "";
}

// A name that people have given; "" where there is an address or a number of a
// block alone.
std::string VariableOf(uint64_t address, const trace::Names& names) {
  const std::string text = names.ObjectText(address);
  const bool nameless = text.starts_with("0x") || text.starts_with("heap#") ||
                        text.starts_with("stack");
  return nameless ? "" : text;
}

finding::StepName NameOf(const EventKey& key, const Known& known) {
  const trace::Trace& trace = known.in->trace();
  const trace::Event& event = trace.events[known.event->position];
  finding::StepName name;
  name.function = trace.names.FunctionOf(event);
  if (event.instrumented()) {
    const auto site = trace.names.sites.find(event.site);
    if (site != trace.names.sites.end()) {
      name.kind = trace::WordOf(site->second.kind);
    }
  }
  name.field = FieldOf(event, trace.names);
  name.object = VariableOf(event.address, trace.names);
  if (name.object.empty()) name.object = name.field;
  const auto frames = finding::FramesOf(event, trace.names);
  if (!frames.empty()) name.thread = frames.back().function;
  name.calls = CallsOf(event, trace.names);
  name.pass = key.pass;
  name.passes = known.in->PassesOf(key.thread, key.anchor);
  return name;
}

class Builder {
 public:
  Builder(const OrderedEvents& failed, const Compared& others)
      : failed_(failed), others_(others) {
    ordering_.target.kind = "orders";
    ordering_.target.success = finding::Success::kFailure;
  }

  finding::Ordering Build(const std::vector<OrderCandidate>& orders,
                          const std::vector<CommonOrder>& common) {
    // Steps of one thread must stand in its order: the director takes them so.
    std::vector<EventKey> keys;
    for (const OrderCandidate& order : orders) {
      keys.push_back(order.before);
      keys.push_back(order.after);
    }
    for (const CommonOrder& each : common) {
      keys.push_back(each.order.before);
      keys.push_back(each.order.after);
    }
    SortStablyBy(keys, [&](const EventKey& key) {
      const Known known = Find(key, failed_, others_);
      const bool never = failed_.Find(key) == nullptr;
      return std::tuple(never,
                        known.event == nullptr ? 0 : known.event->position);
    });
    for (const EventKey& key : keys) StepOf(key);
    for (const OrderCandidate& order : orders) {
      ordering_.target.edges.push_back(
          {.before = StepOf(order.before), .after = StepOf(order.after)});
      ShareObject(order);
    }
    for (const CommonOrder& each : common) {
      ordering_.common.push_back({.before = StepOf(each.order.before),
                                  .after = StepOf(each.order.after),
                                  .needed = each.needed});
      ShareObject(each.order);
    }
    return std::move(ordering_);
  }

 private:
  // Of two accesses that begin at one byte, the target says so.
  void ShareObject(const OrderCandidate& order) {
    const Known before = Find(order.before, failed_, others_);
    const Known after = Find(order.after, failed_, others_);
    if (before.in != after.in || !before.event->memory ||
        !after.event->memory || before.event->object == 0 ||
        before.event->object != after.event->object) {
      return;
    }
    std::string& one = ordering_.target.steps[StepOf(order.before)].object;
    std::string& other = ordering_.target.steps[StepOf(order.after)].object;
    if (one.empty() && other.empty()) {
      one = fmt::format("x{}", ordering_.target.objects.size() + 1);
      ordering_.target.objects.push_back({one, finding::Relation::kItself, ""});
    }
    if (one.empty()) one = other;
    if (other.empty()) other = one;
  }

  uint32_t StepOf(const EventKey& key) {
    const auto known = std::ranges::find(keys_, key);
    if (known != keys_.end()) {
      return static_cast<uint32_t>(known - keys_.begin());
    }
    keys_.push_back(key);
    const Known found = Find(key, failed_, others_);
    finding::TargetStep step;
    step.thread = RoleOf(key.thread);
    step.anchor = key.anchor;
    step.operation = found.event->operation;
    // Where its thread comes there once, any pass is that one.
    finding::StepName name = NameOf(key, found);
    uint32_t most = name.passes;
    for (const OrderedEvents& other : others_.passed) {
      most = std::max(most, other.PassesOf(key.thread, key.anchor));
    }
    name.passes = most;
    if (most > 1) step.occurrence = key.pass;
    const trace::Trace& trace = found.in->trace();
    const trace::Event& event = trace.events[found.event->position];
    if (const trace::Place* place = trace.names.ShownPlaceOf(event)) {
      step.place = *place;
    }
    ordering_.target.steps.push_back(std::move(step));
    ordering_.names.push_back(std::move(name));
    return static_cast<uint32_t>(keys_.size() - 1);
  }

  std::string RoleOf(const std::string& thread) {
    if (finding::ThreadPathOf(thread)) return thread;
    const auto known = std::ranges::find(threads_, thread);
    const auto index = static_cast<size_t>(known - threads_.begin());
    if (known == threads_.end()) threads_.push_back(thread);
    if (index < 26) return std::string(1, static_cast<char>('a' + index));
    return fmt::format("t{}", index);
  }

  const OrderedEvents& failed_;
  const Compared& others_;
  std::vector<EventKey> keys_;
  std::vector<std::string> threads_;
  finding::Ordering ordering_;
};

}  // namespace

std::vector<OrderCandidate> CandidatesOf(const OrderedEvents& failed,
                                         const Compared& others, size_t limit,
                                         size_t least_reversed) {
  std::set<std::pair<EventKey, EventKey>> asked;
  std::vector<Ranked> ranked;
  const auto ask = [&](const EventKey& a, const EventKey& b) {
    if (!asked.insert(std::minmax(a, b)).second) return;
    const std::optional<bool> first = failed.Before(a, b);
    if (!first) return;
    OrderCandidate order = {*first ? a : b, *first ? b : a};
    for (size_t i = 0; i < others.passed.size() && i < kMostCompared; ++i) {
      const OrderedEvents& other = others.passed[i];
      order.reversed +=
          other.Before(order.before, order.after) == std::optional(false);
      if (other.Lacks(order.before, order.after)) {
        order.lacking |= uint64_t{1} << i;
      }
    }
    if (order.reversed < least_reversed) return;
    for (const OrderedEvents& other : others.alike) {
      order.kept += other.Before(order.before, order.after) == true;
    }
    const Known before = Find(order.before, failed, others);
    const Known after = Find(order.after, failed, others);
    ranked.push_back({.order = order,
                      .library = before.event->library || after.event->library,
                      .point = before.event->point && after.event->point,
                      .memory = before.event->memory && after.event->memory,
                      .position = std::max(PositionIn(failed, order.before),
                                           PositionIn(failed, order.after))});
  };
  for (const auto& [a, b] : failed.pairs()) ask(a, b);
  for (const OrderedEvents& other : others.passed) {
    for (const auto& [a, b] : other.pairs()) ask(a, b);
    for (const auto& [a, b] : failed.Awaited(other)) ask(a, b);
  }
  SortStably(ranked, [](const Ranked& a, const Ranked& b) {
    return std::tuple(a.order.kept, a.order.reversed, !a.library, a.point,
                      a.memory, a.position) >
           std::tuple(b.order.kept, b.order.reversed, !b.library, b.point,
                      b.memory, b.position);
  });
  if (ranked.size() > limit) ranked.resize(limit);
  std::vector<OrderCandidate> orders;
  for (Ranked& each : ranked) orders.push_back(std::move(each.order));
  return orders;
}

bool IsOwnAccess(const EventKey& key, const OrderedEvents& failed,
                 const Compared& others) {
  const Known known = Find(key, failed, others);
  return known.event != nullptr && known.event->memory && !known.event->library;
}

finding::Ordering OrderingOf(const std::vector<OrderCandidate>& orders,
                             const OrderedEvents& failed,
                             const Compared& others,
                             const std::vector<CommonOrder>& common) {
  return Builder(failed, others).Build(orders, common);
}

}  // namespace fairlead::explore
