// analysis/sharing/sharing.h
//
// Which sites touched memory that threads share (the shared-instruction
// analysis of Maple: Yu, Narayanasamy, Pereira, Pokam, OOPSLA 2012). Those that
// ran and touched none need be neither points nor events in later executions,
// which is what makes long programs fast under control.
//
//              first thread      a second one reads       a write by anyone
//   kFresh ----------------> kOwned --------------> kRead ----------------+
//                               |                                         v
//                               +--- a second thread, and one wrote --->
//                               kShared
//
// All sites seen on a location become shared when it does. Freeing or unmapping
// memory is a write to it, and makes its locations fresh again.
//
// A shared site is *ordered* when no two conflicting accesses to any location
// that it touched were concurrent under an order of creation, end, join and
// barriers alone, which every schedule keeps (other edges may be asked for).
// Its accesses are to be told, but switching threads in front of them changes
// nothing: they need be no points.
//
// Differs from the paper: what happens before the first thread is created is
// ordered before everything else by every schedule, so those writes do not make
// a location shared; and works in the bytes that accesses share (order/
// variables.h), not in units of 4.
//
// Unsound: a site that touched shared memory, or raced, in no profiled
// execution may do so in another. Whoever silences sites by this must sometimes
// run with all.

#ifndef FAIRLEAD_ANALYSIS_SHARING_SHARING_H_
#define FAIRLEAD_ANALYSIS_SHARING_SHARING_H_

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "analysis/sharing/site_sets.h"
#include "order/orders.h"
#include "order/variables.h"
#include "trace/event.h"

namespace fairlead::analysis {

// Edges that every schedule has.
inline constexpr order::EdgeSet kKeptEdges = {order::EdgeKind::kCreate,
                                              order::EdgeKind::kBarrier};
// And those that another schedule may turn round: what is ordered by them alone
// did not race, since a switch where they begin changes the order.
inline constexpr order::EdgeSet kLockEdges = {
    order::EdgeKind::kCreate,  order::EdgeKind::kBarrier,
    order::EdgeKind::kCondvar, order::EdgeKind::kSemaphore,
    order::EdgeKind::kOnce,    order::EdgeKind::kMutex,
    order::EdgeKind::kRwlock};

class Sharing {
 public:
  // `edges` make the order; none of them comes from accesses.
  explicit Sharing(order::EdgeSet edges = kKeptEdges)
      : edges_(edges), order_(std::make_shared<order::SharedOrder>(edges)) {}

  // As order::Model::Share.
  void Share(order::Orders& orders) { order_ = orders.Of(edges_); }

  // Consumes the next event of an execution.
  void OnEvent(const trace::Event& event);

  // Sites, by index, ascending: those that ran, and those that touched shared
  // memory.
  std::vector<uint32_t> SeenSites() const;
  std::vector<uint32_t> SharedSites() const;
  // Those that ran once there was more than one thread.
  bool SeenThreaded(uint32_t site) const;
  // Seen and not shared: the ones that may be silenced.
  std::vector<uint32_t> UnsharedSites() const;
  // Shared, and always in an order that every schedule keeps.
  std::vector<uint32_t> OrderedSites() const;
  // Of these, those that are no atomics.
  std::vector<uint32_t> OrderedPlainSites() const;

  // Sites, by index, ascending, that touched one shared location together; of
  // every such location, each once.
  std::vector<std::vector<uint32_t>> SharedSets();

  // Nodes of the call tree, ascending, in which something happened that stays
  // visible when the unshared sites are silenced.
  std::vector<uint32_t> NodesThatMatter() const;

 private:
  enum class State : uint8_t { kFresh, kOwned, kRead, kShared };
  struct Cell {  // what is known of some bytes
    State state = State::kFresh;
    bool written = false;  // meaningful while kOwned
    bool concurrent = false;
    trace::Tid owner = {};                   // meaningful while kOwned
    SiteSets::Set sites = SiteSets::kEmpty;  // seen here
    uint32_t readers = 0;     // into reader_lists_: more of them; 0 = none
    order::Epoch written_at;  // the last write
    order::Epoch read_at;     // a read since, or unknown
  };

  void OnAccess(const trace::Event& event, bool writes);
  void AddNode(uint32_t site, uint32_t node);
  void Touch(Cell& cell, const trace::Event& event, bool writes);
  void BecomeShared(Cell& cell);
  bool IsConcurrent(const Cell& cell, const order::VectorClock& clock,
                    bool writes) const;
  void Order(Cell& cell, const trace::Event& event, bool writes);
  void AddReader(Cell& cell, order::Epoch epoch,
                 const order::VectorClock& clock);
  void DropReaders(Cell& cell);
  uint32_t NewReaders();
  void Forget(const trace::Event& event);
  void Forget(Cell& cell, trace::Tid tid);

  bool threaded_ = false;  // a thread has been created
  order::Variables<Cell> memory_;
  order::EdgeSet edges_;
  std::shared_ptr<order::SharedOrder> order_;  // never null
  SiteSets sets_;
  std::vector<bool> ended_sets_;  // by number: of shared locations that ended
  std::vector<std::vector<order::Epoch>> reader_lists_ =
      std::vector<std::vector<order::Epoch>>(1);
  std::vector<uint32_t> free_readers_;
  std::vector<bool> seen_;           // by site index
  std::vector<bool> threaded_seen_;  // by site index
  std::vector<bool> shared_;         // by site index
  std::vector<bool> concurrent_;     // by site index
  std::vector<bool> atomic_;         // by site index
  std::vector<bool> nodes_;          // by node: something other than an access
  // By site index: the nodes that it ran in.
  std::vector<std::vector<uint32_t>> site_nodes_;
  std::unordered_set<uint64_t> more_nodes_;  // of those that have many
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_SHARING_SHARING_H_
