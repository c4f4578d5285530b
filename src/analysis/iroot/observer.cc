#include "analysis/iroot/observer.h"

#include <algorithm>

namespace fairlead::analysis::iroot {

using order::EventKind;

void Observer::OnEvent(const trace::Event& event) {
  const size_t index = abi::Index(event.tid);
  if (index >= instructions_.size()) instructions_.resize(index + 1);
  instructions_[index] += event.instructions;
  const std::optional<Touch> touch = TouchOf(event);
  if (!touch) {
    if (order::EndsMemory(event.kind)) {
      memory_.Forget(event.address, event.value, [](uint64_t, State&) {});
      locks_.Forget(event.address, event.value);
    } else if (event.kind == EventKind::kInit ||
               event.kind == EventKind::kDestroy) {
      locks_.Forget(event.address, 1);
    }
    return;
  }
  const Mark mark = {event.seq, order::SiteKey(event), instructions_[index],
                     event.tid, touch->shape,          touch->exclusive};
  num_fresh_ = 0;
  if (IsLock(touch->shape)) {
    State& state = locks_.At(touch->address);
    if (state.marks.empty()) {
      memory_.Touch(touch->address, kLockBytes, [](uint64_t, State& bytes) {
        bytes = {};
        bytes.is_lock = true;
      });
    }
    OnTouch(state, {true, touch->address, touch->address}, mark);
  } else {
    memory_.Touch(touch->address, touch->bytes,
                  [&](uint64_t first, uint64_t last, State& state) {
                    if (!state.is_lock)
                      OnTouch(state, {false, first, last}, mark);
                  });
  }
  if (num_fresh_ != 0) Finish(num_fresh_);
}

void Observer::OnTouch(State& state, const Extent& at, const Mark& mark) {
  std::vector<Mark>& marks = state.marks;
  if (!marks.empty() && marks.front().tid == mark.tid) {  // mostly
    marks.front() = mark;
    if (mark.exclusive) state.last_exclusive = mark.seq + 1;
    return;
  }
  const auto own = std::ranges::find(marks, mark.tid, &Mark::tid);
  const uint64_t own_touch = own == marks.end() ? 0 : own->seq + 1;
  // What is behind the own last touch is separated by it.
  for (auto source = marks.begin(); source != own; ++source) {
    if (!CanDepend(source->shape, source->exclusive, mark.shape,
                   mark.exclusive)) {
      continue;
    }
    // Touches since are of third threads: all of them conflict with two
    // exclusive ones, else the exclusive ones do.
    const bool separated = source->exclusive && mark.exclusive
                               ? source != marks.begin()
                               : state.last_exclusive > source->seq + 1;
    if (!separated) {
      Add(*source, mark, at.lock, {at.first, at.last, own_touch});
    }
  }
  if (own == marks.end()) {
    marks.insert(marks.begin(), mark);
  } else {
    *own = mark;
    std::rotate(marks.begin(), own, own + 1);
  }
  if (mark.exclusive) state.last_exclusive = mark.seq + 1;
}

void Observer::Add(const Mark& source, const Mark& end, bool lock,
                   Before byte) {
  for (size_t i = 0; i < num_fresh_; ++i) {
    Dependency& known = fresh_[i].dependency;
    if (known.source.seq != source.seq) continue;
    known.extent.first = std::min(known.extent.first, byte.address);
    known.extent.last = std::max(known.extent.last, byte.last);
    fresh_[i].bytes.push_back(byte);
    return;
  }
  if (num_fresh_ == fresh_.size()) fresh_.emplace_back();
  Fresh& fresh = fresh_[num_fresh_++];
  fresh.dependency = {source, end, {lock, byte.address, byte.last}};
  fresh.bytes.assign(1, byte);
}

void Observer::Finish(size_t num_fresh) {
  num_dependencies_ += num_fresh;
  for (size_t i = 0; i < num_fresh; ++i) {
    const Fresh& fresh = fresh_[i];
    const Dependency& second = fresh.dependency;
    Expose(1, {{second.source.place, AsSource(second.source.shape)},
               {second.end.place, AsEnd(second.end.shape)}});
    const Tid source = second.source.tid;
    const Tid end = second.end.tid;
    const auto opposite = recent_.find(PairOf(end, source));
    if (opposite != recent_.end()) {
      for (const Dependency& first : opposite->second.all) {
        if (!Over(first.source)) WithOpposite(fresh, first);
      }
    }
    Recent& same = recent_[PairOf(source, end)];
    for (size_t k = same.all.size(); k-- > 0;) {
      if (Over(same.all[k].end)) break;
      WithSame(second, same.all[k]);
    }
    Keep(second, same);
  }
}

void Observer::Expose(uint8_t idiom, std::initializer_list<Step> steps) {
  IRoot root = {.idiom = idiom};
  std::ranges::copy(steps, root.steps.begin());
  exposed_.insert(Canonical(root));
}

// Idioms 2 to 5: `first` is A => B, `fresh` the one back, C => D.
void Observer::WithOpposite(const Fresh& fresh, const Dependency& first) {
  const Mark& a = first.source;
  const Mark& b = first.end;
  const Mark& c = fresh.dependency.source;
  const Mark& d = fresh.dependency.end;
  if (!Near(a, d) || !Near(b, c)) return;
  const Step steps[] = {{a.place, AsSource(a.shape)},
                        {b.place, AsEnd(b.shape)},
                        {c.place, AsSource(c.shape)},
                        {d.place, AsEnd(d.shape)}};
  if (first.extent.Overlaps(fresh.dependency.extent)) {
    const bool untouched =
        std::ranges::any_of(fresh.bytes, [&](const Before& byte) {
          return byte.own_touch == a.seq + 1 &&
                 byte.address >= first.extent.first &&
                 byte.address <= first.extent.last;
        });
    if (!untouched || b.seq > c.seq) return;
    if (b.seq == c.seq && b.shape != Shape::kUpdate) {
      Expose(2, {steps[0], steps[1], steps[3]});
    } else {
      Expose(3, {steps[0], steps[1], steps[2], steps[3]});
    }
    return;
  }
  if (c.seq < b.seq) {
    Expose(5, {steps[0], steps[1], steps[2], steps[3]});
    return;
  }
  if (b.seq == c.seq) return;
  const bool end_untouched = std::ranges::any_of(
      fresh.bytes,
      [&](const Before& byte) { return byte.own_touch < a.seq + 1; });
  if (end_untouched && Untouched(first.extent, a)) {
    Expose(4, {steps[0], steps[1], steps[2], steps[3]});
  }
}

// Idiom 6: the same way twice.
void Observer::WithSame(const Dependency& second, const Dependency& first) {
  const Mark& a = first.source;
  const Mark& b = first.end;
  const Mark& c = second.source;
  const Mark& d = second.end;
  if (a.seq >= c.seq || b.seq >= d.seq || !Near(a, c) || !Near(b, d)) return;
  if (first.extent.Overlaps(second.extent)) return;
  Expose(6, {{a.place, AsSource(a.shape)},
             {b.place, AsEnd(b.shape)},
             {c.place, AsSource(c.shape)},
             {d.place, AsEnd(d.shape)}});
}

bool Observer::Untouched(const Extent& extent, const Mark& mark) {
  const auto last_is = [&](const State* state) {
    if (state == nullptr) return false;
    const auto own = std::ranges::find(state->marks, mark.tid, &Mark::tid);
    return own != state->marks.end() && own->seq == mark.seq;
  };
  if (extent.lock) return last_is(locks_.Find(extent.first));
  for (uint64_t byte = extent.first;; ++byte) {
    if (last_is(memory_.Find(byte))) return true;
    if (byte == extent.last) return false;
  }
}

void Observer::Keep(const Dependency& dependency, Recent& recent) {
  if (recent.all.size() >= recent.room) {
    std::erase_if(recent.all, [&](const Dependency& each) {
      return Over(each.source) && Over(each.end);
    });
    recent.room = std::max<size_t>(16, 2 * recent.all.size());
  }
  recent.all.push_back(dependency);
}

}  // namespace fairlead::analysis::iroot
