#include "runtime/sites/nodes.h"

#include "abi/context.h"
#include "runtime/sites/features.h"
#include "runtime/sites/sites.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// What the control page does not hold of a node.
struct Node {
  const abi::SiteRecord* last_site;  // last child asked for, as a cache
  uint32_t last_child;
  uint32_t next;  // with the same hash slot; 0 = none
  const abi::SiteRecord* site;
  Place place;
};

Node* nodes = nullptr;
abi::NodeRecord* records = nullptr;
uint32_t num_nodes = 0;
uint32_t max_nodes = 0;
uint32_t* chains = nullptr;  // first node of each hash slot; 0 = none
constexpr size_t kChains = size_t{1} << 16;

uint32_t& ChainOf(uint32_t parent, const abi::SiteRecord* site) {
  const auto address = reinterpret_cast<uint64_t>(site);
  return chains[((address >> 4) * 0x9e3779b97f4a7c15 + parent) >> 7 &
                (kChains - 1)];
}

// The node for `site` among `node` and its ancestors, or 0.
uint32_t FindAncestor(uint32_t node, const abi::SiteRecord* site) {
  for (; node != 0; node = records[node].parent) {
    if (nodes[node].site == site) return node;
  }
  return 0;
}

bool IsLibrary(const abi::SiteRecord* site) {
  return (site->flags & abi::kSiteLibrary) != 0;
}

uint32_t MakeNode(uint32_t parent, const abi::SiteRecord* site,
                  uint32_t& chain) {
  if (num_nodes == max_nodes) return parent;
  const uint32_t made = num_nodes++;
  records[made] = {
      .parent = parent,
      .site = SiteIndex(site),
      .hash = abi::ContextOfCall(records[parent].hash, site->anchor)};
  features().SawContext(records[made].hash);
  Node& node = nodes[made];
  node.site = site;
  node.next = chain;
  chain = made;
  const bool inherits = IsLibrary(site) && nodes[parent].site != nullptr;
  node.place = inherits ? nodes[parent].place : PlaceOfSite(site);
  // Pairs with the tool's acquire load: the record is whole.
  __atomic_store_n(&control_page()->region(abi::RegionId::kNodes).used,
                   num_nodes, __ATOMIC_RELEASE);
  return made;
}

uint32_t FindOrMake(uint32_t parent, const abi::SiteRecord* site) {
  uint32_t& chain = ChainOf(parent, site);
  for (uint32_t at = chain; at != 0; at = nodes[at].next) {
    if (nodes[at].site == site && records[at].parent == parent) return at;
  }
  const uint32_t ancestor = FindAncestor(parent, site);
  return ancestor != 0 ? ancestor : MakeNode(parent, site, chain);
}

}  // namespace

void PrepareNodes() {
  abi::ControlPage& page = *control_page();
  max_nodes =
      static_cast<uint32_t>(page.region(abi::RegionId::kNodes).capacity);
  if (max_nodes == 0) return;
  records = page.entries<abi::NodeRecord>(abi::RegionId::kNodes);
  nodes = ArenaArray<Node>(max_nodes);
  chains = ArenaArray<uint32_t>(kChains);
  records[0] = {.parent = 0, .site = 0, .hash = abi::kRootContext};
  num_nodes = 1;
  page.region(abi::RegionId::kNodes).used = 1;
}

void MakeCallTheNode(abi::ThreadSlot& slot) {
  Node& node = nodes[slot.node];
  if (node.last_site != slot.call) {
    node.last_child = FindOrMake(slot.node, slot.call);
    node.last_site = slot.call;
  }
  slot.node = node.last_child;
  slot.call = nullptr;
}

uint64_t ContextOfNode(uint32_t node) {
  return node < num_nodes ? records[node].hash : 0;
}

bool Encloses(uint32_t outer, uint32_t inner) {
  // Parents have smaller numbers.
  while (inner > outer && inner < num_nodes) inner = records[inner].parent;
  return inner == outer;
}

bool FindOuter(uint32_t inner, uint64_t context, uint32_t* outer) {
  if (inner >= num_nodes) return false;
  // The root is its own parent.
  while (inner != 0 && records[inner].hash != context) {
    inner = records[inner].parent;
  }
  *outer = inner;
  return records[inner].hash == context;
}

Place PlaceOfNode(uint32_t node) {
  return node == 0 ? Place{} : nodes[node].place;
}

}  // namespace fairlead::rt
