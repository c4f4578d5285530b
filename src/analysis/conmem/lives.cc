#include "analysis/conmem/lives.h"

#include <algorithm>

#include "analysis/conmem/held.h"

namespace fairlead::analysis::conmem {
namespace {

using order::AccessKind;
using order::LocksetId;
using trace::Event;

// How far a pointer is followed outwards: a field of a node of a list of a
// table is three.
constexpr size_t kMaxWays = 3;
// Of a range that is overwritten, bytes in which pointers are looked for.
constexpr uint64_t kMaxRange = 4096;

const Way* WayOf(const Life& life, Tid tid) {
  for (const auto& [who, way] : life.pointers) {
    if (who == tid) return &way;
  }
  return nullptr;
}

}  // namespace

Life* Lives::Look(uint64_t address, Life*& near) {
  auto after = lives_.upper_bound(address);
  if (after == lives_.begin()) return nullptr;
  --after;
  if (!after->second.Has(address)) return nullptr;
  return near = &after->second;
}

void Lives::Begin(const Event& event, abi::BlockClass block_class) {
  if (event.value == 0 || event.address + event.value < event.address) return;
  unlinks_.Forget(event.address, event.value);
  Life& life = lives_[event.address];
  life = {};
  life.begin = event.address;
  life.bytes = event.value;
  life.number = ++num_lives_;
  life.made = order::SpotOf(event);
  life.block_class = block_class;
  life.zeroed = event.block && event.block->zeroed;
  if (end_ == 0) first_ = event.address;
  first_ = std::min(first_, event.address);
  end_ = std::max(end_, event.address + event.value);
}

void Lives::Forget(uint64_t address, uint64_t bytes) {
  near_ = {};
  held_.Forget(address, bytes);
}

Use& Lives::UseOf(Life& life, const Event& event) {
  const uint64_t key = order::SpotOf(event).key();
  Use* oldest_own = nullptr;
  Use* oldest = nullptr;
  size_t num_own = 0;
  for (Use& use : life.uses) {
    if (oldest == nullptr || use.spot.seq < oldest->spot.seq) oldest = &use;
    if (use.spot.tid != event.tid) continue;
    if (use.spot.key() == key) return use;
    ++num_own;
    if (oldest_own == nullptr || use.spot.seq < oldest_own->spot.seq) {
      oldest_own = &use;
    }
  }
  if (num_own >= kUsesOfThread) return *oldest_own = {};
  if (life.uses.size() >= kMaxUses) return *oldest = {};
  return life.uses.emplace_back();
}

void Lives::FindWays(const Life& life, Use& use, order::Model& order) {
  use.ways.reset();
  std::vector<Way> ways;
  const Life* at = &life;
  for (size_t i = 0; i < kMaxWays && at != nullptr; ++i) {
    const Way* way = WayOf(*at, use.spot.tid);
    if (way == nullptr) break;
    const LocksetId over = HeldSince(way->seq, use.spot.tid, order.locks());
    if (over == LocksetId::kEmpty) break;
    ways.push_back({way->location, way->seq, over});
    at = At(way->location);
  }
  if (ways.empty()) return;
  use.ways = std::make_shared<const std::vector<Way>>(std::move(ways));
}

void Lives::OnUse(const Event& event, order::Model& order) {
  Life* life = At(event.address);
  if (life == nullptr) return;
  const auto weak = static_cast<uint32_t>(order.weak_epoch().number());
  const Way* way = WayOf(*life, event.tid);
  const uint64_t had_pointer = way == nullptr ? 0 : way->seq;
  Use& use = UseOf(*life, event);
  const bool same = use.spot.tid == event.tid && use.weak == weak &&
                    order.QuietSince(use.spot.seq) &&
                    had_pointer <= use.spot.seq;
  use.spot = order::SpotOf(event);
  use.address = event.address;
  if (!same) {
    use.weak = weak;
    use.loose = static_cast<uint32_t>(order.loose_epoch().number());
    use.hold = FirstTakenSince(had_pointer, event.tid, order.locks());
    FindWays(*life, use, order);
  }
  if (order::Writes(order.kind())) Count(*life, event);
}

// By one, up or down: in one step, or by a write of what was read just before.
void Lives::Count(Life& life, const Event& event) {
  uint64_t before = 0;
  if (event.old_value) {
    before = *event.old_value;
  } else {
    const size_t index = abi::Index(event.tid);
    if (index >= readings_.size() ||
        readings_[index].address != event.address) {
      return;
    }
    before = readings_[index].value;
  }
  const uint64_t step = event.value - before;
  const uint64_t mask =
      event.size >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * event.size) - 1;
  const bool up = (step & mask) == 1;
  if (event.size == 0 || (!up && (step & mask) != mask)) return;
  auto own = std::ranges::find_if(life.counting, [&](const Counting& each) {
    return each.tid == event.tid && each.location == event.address;
  });
  if (own == life.counting.end()) {
    if (life.counting.size() >= kMaxUses) return;
    life.counting.push_back({.tid = event.tid, .location = event.address});
    own = life.counting.end() - 1;
  }
  own->net += up ? 1 : -1;
  if (up && own->first_up == 0) own->first_up = event.seq;
  if (!up) own->last_down = event.seq;
}

void Lives::LearnPointer(const Event& event, order::Model& order) {
  const AccessKind kind = order.kind();
  if (Reads(kind)) {
    const size_t index = abi::Index(event.tid);
    if (index >= readings_.size()) readings_.resize(index + 1);
    readings_[index] = {event.address, event.value};
  }
  if (event.size == kPointerBytes) {
    if (Reads(kind)) {
      ReadPointer(event, event.old_value.value_or(event.value), order);
    }
    if (Writes(kind)) WritePointer(event, event.value, order);
  } else if (Writes(kind) && event.size > kPointerBytes &&
             held_.num_objects() != 0) {
    OverwriteAll(event.address, event.size, event, order);
  }
}

void Lives::OverwriteAll(uint64_t address, uint64_t bytes, const Event& event,
                         order::Model& order) {
  const uint64_t end = address + std::min(bytes, kMaxRange);
  for (uint64_t at = (address + 7) / 8 * 8; at + kPointerBytes <= end;
       at += kPointerBytes) {
    Overwrite(at, event, order);
  }
}

void Lives::LeaveAll(const Event& event, order::Model& order) {
  if (held_.num_objects() == 0 || event.kind != trace::EventKind::kFree) return;
  OverwriteAll(event.address, event.value, event, order);
}

// Whether the thread reads what it has itself copied in the section in which it
// came to the block: a local, an argument, an element of a copied container.
bool Lives::IsOwnCopy(const Life& life, const Held* held, const Way& way,
                      Tid tid, order::Model& order) {
  return held != nullptr && held->life == life.number &&
         held->writer.tid() == tid &&
         HeldSince(way.seq, tid, order.locks()) != LocksetId::kEmpty;
}

void Lives::ReadPointer(const Event& event, uint64_t value,
                        order::Model& order) {
  Life* life = At(value);
  if (life == nullptr) return;
  const auto own =
      std::ranges::find(life->pointers, event.tid, &std::pair<Tid, Way>::first);
  const Held* held = held_.Find(event.address);
  const Way way = {event.address, event.seq, LocksetId::kEmpty};
  if (own == life->pointers.end()) {
    life->pointers.emplace_back(event.tid, way);
  } else if (!IsOwnCopy(*life, held, own->second, event.tid, order)) {
    own->second = way;
  }
  if (held == nullptr || held->life != life->number || !held->anew ||
      held->writer.tid() == event.tid ||
      order.weak().ClockOf(event.tid).Covers(held->writer)) {
    return;
  }
  for (HandOver& each : life->handed) {
    if (each.to != event.tid || each.from.tid() != held->writer.tid()) continue;
    if (each.from.number() < held->writer.number()) each.from = held->writer;
    return;
  }
  if (life->handed.size() < kMaxUses) {
    life->handed.push_back({event.tid, held->writer});
  }
}

void Lives::Overwrite(uint64_t location, const Event& event,
                      order::Model& order) {
  Held* held = held_.Find(location);
  if (held == nullptr || held->life == 0) return;
  Unlink& unlink = unlinks_.At(location);
  unlink = {.seq = event.seq,
            .spot = order::SpotOf(event),
            .hold = FirstTakenSince(0, event.tid, order.locks()),
            .weak = order.weak_epoch(),
            .locks = order.locks().SetOf(event.tid),
            .number = held->life,
            .freed = {}};
  Life* life = At(held->begin);
  if (life != nullptr && life->number == held->life) {
    if (life->left.size() < kMostMissed) life->left.push_back(location);
  } else {
    const auto gone = std::ranges::find(freed_, held->life, &Freed::number);
    if (gone != freed_.end()) unlink.freed = *gone;
  }
  held->life = 0;
}

void Lives::WritePointer(const Event& event, uint64_t value,
                         order::Model& order) {
  const Life* life = At(value);
  const uint64_t number = life == nullptr ? 0 : life->number;
  const Held* held = held_.Find(event.address);
  const uint64_t before = held == nullptr ? 0 : held->life;
  if (before != number && before != 0) Overwrite(event.address, event, order);
  if (number == 0) return;
  held_.At(event.address) = {number, life->begin, order.weak_epoch(),
                             before != number};
}

const Unlink* Lives::ReadTooLate(const Event& event, order::Model& order) {
  if (unlinks_.num_objects() == 0) return nullptr;
  Unlink* unlink = unlinks_.Find(event.address);
  if (unlink == nullptr || unlink->weak.tid() == event.tid ||
      unlink->readers.size() >= kMostMissed ||
      unlink->freed.spot.tid == event.tid) {
    return nullptr;
  }
  const order::Spot spot = order::SpotOf(event);
  const auto same = [&](const order::Spot& reader) {
    return reader.tid == spot.tid && reader.key() == spot.key();
  };
  if (std::ranges::any_of(unlink->readers, same) ||
      before_.Of(event.tid, order)->Of(unlink->weak.tid()) >=
          unlink->weak.number() ||
      order.IsBenign(event.address)) {
    return nullptr;
  }
  unlink->readers.push_back(spot);
  return unlink;
}

}  // namespace fairlead::analysis::conmem
