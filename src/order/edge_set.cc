#include "order/edge_set.h"

#include "base/text.h"

namespace fairlead::order {
namespace {

constexpr std::string_view kWords[] = {
#define FL_EDGE(name, word, help) word,
#include "order/edges.inc"
#undef FL_EDGE
};

std::optional<EdgeKind> FindEdge(std::string_view word) {
  for (size_t i = 0; i < std::size(kWords); ++i) {
    if (kWords[i] == word) return static_cast<EdgeKind>(i);
  }
  return {};
}

}  // namespace

std::string_view WordOf(EdgeKind kind) {
  return kWords[static_cast<size_t>(kind)];
}

std::optional<EdgeSet> FindEdgeSet(std::string_view text) {
  if (text == "full") return kFullOrder;
  if (text == "without-locks") return kWithoutLocks;
  if (text == "without-memory") return kWithoutMemory;
  if (text == "relaxed") return kRelaxedOrder;
  if (text == "program") return EdgeSet();
  EdgeSet edges;
  for (const std::string_view word : Split(text, ',')) {
    const std::optional<EdgeKind> kind = FindEdge(word);
    if (!kind) return {};
    edges = edges.With(*kind);
  }
  return edges;
}

}  // namespace fairlead::order
