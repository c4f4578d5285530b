// order/edge_set.h
//
// Which kinds of edges an order is made of. Every technique drops different
// ones, because an edge that only this schedule made (who took a mutex first)
// says nothing about other schedules, while one that every schedule makes
// (creation, join) forbids a reordering for good.

#ifndef FAIRLEAD_ORDER_EDGE_SET_H_
#define FAIRLEAD_ORDER_EDGE_SET_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::order {

enum class EdgeKind : uint8_t {
#define FL_EDGE(name, word, help) name,
#include "order/edges.inc"
#undef FL_EDGE
};

class EdgeSet {
 public:
  constexpr EdgeSet() = default;
  constexpr EdgeSet(std::initializer_list<EdgeKind> kinds) {
    for (const EdgeKind kind : kinds) bits_ |= Bit(kind);
  }

  constexpr bool has(EdgeKind kind) const { return (bits_ & Bit(kind)) != 0; }
  constexpr EdgeSet With(EdgeKind kind) const {
    return EdgeSet(bits_ | Bit(kind));
  }
  constexpr EdgeSet Without(EdgeKind kind) const {
    return EdgeSet(bits_ & ~Bit(kind));
  }
  static constexpr EdgeSet All() { return EdgeSet(~uint32_t{0}); }
  constexpr bool operator==(const EdgeSet&) const = default;

 private:
  explicit constexpr EdgeSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t Bit(EdgeKind kind) {
    return uint32_t{1} << static_cast<uint32_t>(kind);
  }

  uint32_t bits_ = 0;  // by EdgeKind
};

// What the C and C++ memory model and POSIX say: the order of data races. No
// guesses, so nothing that is only recognised.
inline constexpr EdgeSet kFullOrder =
    EdgeSet::All().Without(EdgeKind::kRecognised);

// Without what any schedule may turn around: Maple's and ConMem's order.
inline constexpr EdgeSet kWithoutLocks =
    EdgeSet::All().Without(EdgeKind::kMutex).Without(EdgeKind::kRwlock);

// The same without what only this execution's atomics order: for questions
// about the atomics themselves, which are what makes those edges.
inline constexpr EdgeSet kWithoutMemory =
    kWithoutLocks.Without(EdgeKind::kAtomics).Without(EdgeKind::kRecognised);

// Without edges of memory and locks: AssetFuzzer's relaxed order.
inline constexpr EdgeSet kRelaxedOrder = {
    EdgeKind::kCreate,    EdgeKind::kBarrier, EdgeKind::kCondvar,
    EdgeKind::kSemaphore, EdgeKind::kOnce,    EdgeKind::kAnnotated};

// "full", "without-locks", "without-memory", "relaxed", "program", or words of
// edges.inc with commas between; none for anything else.
std::optional<EdgeSet> FindEdgeSet(std::string_view text);
std::string_view WordOf(EdgeKind kind);

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_EDGE_SET_H_
