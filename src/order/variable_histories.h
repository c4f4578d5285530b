// order/variable_histories.h
//
// The history of every variable (order/history.h), kept once for all analyses:
// of each type of access the last one, with its stamps and how many
// instructions its thread had executed. An access is entered before analyses
// look at it; what was known before comes with it.
//
//   accesses  `partners` of an entry belong to the analysis of races, `others`
//             to that of atomicity
//   pairs     of accesses of one thread in a row: entered by the analysis of
//             atomicity, and there so that both are found at once

#ifndef FAIRLEAD_ORDER_VARIABLE_HISTORIES_H_
#define FAIRLEAD_ORDER_VARIABLE_HISTORIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "order/access_types.h"
#include "order/history.h"
#include "order/variable_states.h"

namespace fairlead::order {

// An access to one variable, and what its history was before.
struct Entered {
  uint64_t address = 0;  // the variable's first byte that is accessed
  History* history = nullptr;
  History* pairs = nullptr;
  size_t index = 0;    // of the entry that stands for this access now
  bool fresh = false;  // there was none of this type before
  Stamps before;       // of the one before, unless fresh
  // Which entry had to make room; kNone = none.
  size_t dropped = History::kNone;
  // The last access of this thread, if it was of another type.
  bool follows = false;
  TypeId last = {};
  uint64_t last_seq = 0;
  uint32_t last_instructions = 0;  // modulo 2^32
};

class VariableHistories {
 public:
  // Enters an access to these variables. Holds until the next call.
  std::span<const Entered> Enter(const VariableNumbers& variables, TypeId type,
                                 const Stamps& stamps, uint32_t instructions) {
    entered_.clear();
    histories_.Touch(variables, [&](uint64_t address, Both& both) {
      EnterOne(address, both, static_cast<uint32_t>(type), stamps,
               instructions);
    });
    return entered_;
  }

  // An access to this variable will be entered: soon, and very soon.
  void PrefetchHeader(uint32_t number) {
    if (const Both* both = histories_.Find(number)) __builtin_prefetch(both);
  }
  void PrefetchEntries(uint32_t number) {
    const Both* both = histories_.Find(number);
    if (both == nullptr) return;
    both->accesses.Prefetch();
    both->pairs.Prefetch();
  }

  // The accesses to a variable that has a number.
  const History& Of(uint32_t number) { return histories_.At(number).accesses; }
  // Nothing is left of these.
  void Forget(std::span<const uint32_t> gone) { histories_.Forget(gone); }

 private:
  struct Both {
    History accesses;
    History pairs;
  };

  void EnterOne(uint64_t address, Both& both, uint32_t type,
                const Stamps& stamps, uint32_t instructions) {
    History& history = both.accesses;
    Entered& entered = entered_.emplace_back();
    entered.address = address;
    entered.history = &history;
    entered.pairs = &both.pairs;
    auto [known, last] = history.Search(type, kTypeBits);
    if (last != History::kNone && last != known) {
      entered.follows = true;
      entered.last = static_cast<TypeId>(history.type(last));
      entered.last_seq = history[last].stamps.seq;
      entered.last_instructions = history[last].extra;
    }
    if (known != History::kNone) {
      History::Entry& entry = history[known];
      entered.index = known;
      entered.before = entry.stamps;
      entry.stamps = stamps;
      entry.extra = instructions;
      history.Touch(known, last);
      return;
    }
    entered.fresh = true;
    if (history.full()) {
      entered.dropped = history.DropOldest();
      for (size_t i = 0; i < history.size(); ++i) {
        history[i].partners.Remove(entered.dropped);
      }
      if (last == entered.dropped) {
        last = History::kNone;
      } else if (last != History::kNone && last > entered.dropped) {
        --last;
      }
    }
    entered.index = history.Add(type, stamps, instructions, last);
  }

  VariableStates<Both> histories_;
  std::vector<Entered> entered_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLE_HISTORIES_H_
