// analysis/race/seen_races.h
//
// Data races that one execution has: accesses to common bytes, one of them a
// write, not both atomic, that the language's rules do not order. Unlike
// analysis/race/race.h, which predicts, it says how sure it is:
//
//   kTogether   both threads stood before their accesses at once: the later one
//               was at its point already when the earlier one was made
//   kUnordered  nothing orders them, and neither thread has been in code that
//               was not compiled with us in between
//   kPossible   the rest: such code may have ordered them unseen
//
// Code of others counts for more than the two threads: what one thread knows
// when it goes there, any thread that comes from there later may know, and may
// pass on. The same holds of descriptors, except standard output and error.
//
// And how much it matters: races that hand-made synchronisation orders (a flag
// that is spun on, a pointer that is handed over, volatile variables, also
// where the writer has forgotten that they are), and those where every access
// is volatile or atomic, aligned and of at most eight bytes, do no harm on most
// machines.
//
// Freeing memory counts as a write to all of it.
//
// Unsound: of accesses in one segment of a thread, and of several races on a
// variable, the latest are looked at, as in race.h. Inline assembly that names
// memory counts as an atomic operation.
// Incomplete: where sites of atomics are silent, order is missing; whoever runs
// it there must leave out kUnordered (`complete` = false).

#ifndef FAIRLEAD_ANALYSIS_RACE_SEEN_RACES_H_
#define FAIRLEAD_ANALYSIS_RACE_SEEN_RACES_H_

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "order/byte_ranges.h"
#include "order/happens_before.h"
#include "order/locksets.h"
#include "order/variables.h"
#include "trace/event.h"

namespace fairlead::analysis {

struct SeenRace {
  enum class Proof : uint8_t { kPossible, kUnordered, kTogether };

  order::Spot earlier;
  order::Spot later;
  uint64_t address = 0;  // a byte that both touch
  // Addresses of the locks that were held.
  std::vector<uint64_t> earlier_locks = {};
  std::vector<uint64_t> later_locks = {};
  Proof proof = Proof::kPossible;
  bool by_hand = false;  // hand-made synchronisation orders them
  // Every access to these bytes is volatile or atomic, and small.
  bool all_volatile = false;
  // Every write of the two leaves memory as it was.
  bool changes_nothing = false;

  bool realised() const { return proof != Proof::kPossible; }
  // Whether it is more than a matter of style.
  bool matters() const { return !by_hand && !all_volatile; }
};

class SeenRaces {
 public:
  // So many pairs of places are told apart.
  static constexpr size_t kMaxRaces = 1000;

  // `complete`: every site of the program tells.
  explicit SeenRaces(bool complete = true) : complete_(complete) {}

  // Consumes the next event of an execution. Any sequence is fine.
  void OnEvent(const trace::Event& event);

  // The execution is over. One for each pair of places, the surest and worst;
  // by when it came up.
  std::vector<SeenRace> Finish();

 private:
  struct Entry {
    order::Epoch full;
    order::Epoch hand;
    order::Epoch wary;
    order::Spot spot;
    order::LocksetId locks = order::LocksetId::kEmpty;
    bool writes = false;
    bool atomic = false;
    bool changes = false;  // writes, and another value, as far as is known
  };
  // The last plain write; and of plain reads, atomic reads and atomic writes
  // since, those that no later one of their sort is ordered behind.
  struct State {
    std::vector<Entry> entries;
    bool other_than_volatile = false;
    bool told = false;  // a race was
    // What is there, if the last access was to a word that begins here.
    uint64_t word = 0;
    bool word_known = false;
  };
  struct Thread {
    uint64_t before = 0;   // its last event, plus one; 0 = none
    uint64_t now = 0;      // the same, with the event at hand
    uint64_t foreign = 0;  // its last event behind code of others, plus one
    bool ended = false;
    // Races whose earlier access is its, and that depend on where it has been
    // since.
    std::vector<SeenRace> open;
  };
  using Key = std::pair<uint64_t, uint64_t>;

  Thread& ThreadOf(trace::Tid tid);
  void Note(const trace::Event& event);
  void Settle(Thread& thread, bool foreign);
  bool IsOfHand(const trace::Event& event);
  Entry Order(const trace::Event& event);
  void OnAccess(const trace::Event& event, const Entry& now);
  void Touch(uint64_t address, State& state, const trace::Event& event,
             const Entry& now);
  void OnEnd(const trace::Event& event, const Entry& now);
  void CheckAll(uint64_t address, State& state, const trace::Event& event,
                const Entry& now);
  void Report(uint64_t address, State& state, const Entry& earlier,
              const trace::Event& event, const Entry& now);
  SeenRace::Proof ProofOf(const Entry& earlier, const trace::Event& event);
  void Keep(const SeenRace& race);
  void Add(std::vector<Entry>& entries, const Entry& now);
  bool Changes(uint64_t address, State& state, const trace::Event& event);
  void NoteEarly(const trace::Event& event);
  void TellGuard(const trace::Event& event);
  void TellGuardAccess(const trace::Event& event, trace::EventKind kind,
                       abi::MemoryOrder order_of);
  std::vector<uint64_t> LocksOf(order::LocksetId set) const;

  bool complete_;
  bool threaded_ = false;  // a thread has been created
  order::HappensBefore full_ = order::HappensBefore(order::kFullOrder);
  // With what is recognised as synchronisation; atomics are what they say.
  order::HappensBefore hand_ = order::HappensBefore(
      order::EdgeSet::All(), order::HappensBefore::Recognise::kPlain);
  // With all that code of others may have ordered.
  order::HappensBefore wary_ = order::HappensBefore(order::kFullOrder);
  order::Locksets locks_;
  order::Variables<State> memory_;
  std::vector<Thread> threads_;  // by Tid
  std::map<Key, SeenRace> races_;
  // Pointers that were stored before there were threads.
  std::unordered_map<uint64_t, uint64_t> early_words_;
  std::set<uint64_t> not_volatile_;  // told, and touched otherwise since
  std::map<uint64_t, trace::Tid> initialisers_;  // by guard
  std::set<uint64_t> volatile_;  // addresses where a volatile access was
  order::ByteRanges benign_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_RACE_SEEN_RACES_H_
