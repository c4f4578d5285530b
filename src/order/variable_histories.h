// order/variable_histories.h
//
// The history of every variable (order/history.h), kept once for all analyses:
// of each type of access the last one, with its stamps and how many
// instructions its thread had executed. An access is entered before analyses
// look at it; what was known before comes with it.
//
//   accesses  `partners` of an entry belong to the analysis of races, `others`
//             and `followed` to that of atomicity
//   pairs     of accesses of one thread in a row, by number, with the thread
//             above as in a TypeId: entered by the analysis of atomicity, and
//             there so that both are found at once

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
  size_t last_index = 0;  // where it was, if nothing was dropped
  TypeId last = {};
  uint64_t last_seq = 0;
  uint32_t last_instructions = 0;  // modulo 2^32
};

class VariableHistories {
 public:
  // Enters an access to these variables. Holds until the next call.
  std::span<const Entered> Enter(const VariableNumbers& variables, TypeId type,
                                 const Stamps& stamps, uint32_t instructions) {
    // Nearly always.
    if (variables.touched().size() == 1 && variables.splits().empty()) {
      const VariableNumbers::Touched& one = variables.touched().front();
      EnterOne(one.address, histories_.At(one.number),
               static_cast<uint32_t>(type), stamps, instructions,
               entered_.front());
      return std::span(entered_).first(1);
    }
    return EnterMany(variables, type, stamps, instructions);
  }

  // An access to this variable will be entered: soon, sooner, and very soon by
  // this thread.
  void PrefetchHeader(uint32_t number) {
    if (const Both* both = histories_.Find(number)) __builtin_prefetch(both);
  }
  void PrefetchTypes(uint32_t number) {
    const Both* both = histories_.Find(number);
    if (both == nullptr) return;
    both->accesses.Prefetch();
    both->pairs.Prefetch();
  }
  void PrefetchOwn(uint32_t number, Tid tid) {
    const Both* both = histories_.Find(number);
    if (both == nullptr) return;
    const auto owner = static_cast<uint32_t>(abi::Index(tid));
    both->accesses.PrefetchOwn(owner, kTypeBits);
    both->pairs.PrefetchOwn(owner, kTypeBits);
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

  [[gnu::noinline]] std::span<const Entered> EnterMany(
      const VariableNumbers& variables, TypeId type, const Stamps& stamps,
      uint32_t instructions) {
    size_t num_entered = 0;
    histories_.Touch(variables, [&](uint64_t address, Both& both) {
      if (num_entered == entered_.size()) entered_.emplace_back();
      EnterOne(address, both, static_cast<uint32_t>(type), stamps, instructions,
               entered_[num_entered++]);
    });
    return std::span(entered_).first(num_entered);
  }

  [[gnu::always_inline]] static void EnterOne(uint64_t address, Both& both,
                                              uint32_t type,
                                              const Stamps& stamps,
                                              uint32_t instructions,
                                              Entered& entered) {
    History& history = both.accesses;
    entered.address = address;
    entered.history = &history;
    entered.pairs = &both.pairs;
    entered.dropped = History::kNone;
    const auto [known, last] = history.Search(type, kTypeBits);
    entered.follows = last != History::kNone && last != known;
    if (entered.follows) {
      entered.last_index = last;
      entered.last = static_cast<TypeId>(history.type(last));
      entered.last_seq = history[last].stamps.seq;
      entered.last_instructions = history[last].extra;
    }
    entered.fresh = known == History::kNone;
    if (entered.fresh) {
      Add(history, type, stamps, instructions, last, entered);
      return;
    }
    History::Entry& entry = history[known];
    entered.index = known;
    entered.before = entry.stamps;
    entry.stamps = stamps;
    entry.extra = instructions;
    history.Touch(known, last);
  }

  [[gnu::noinline]] static void Add(History& history, uint32_t type,
                                    const Stamps& stamps, uint32_t instructions,
                                    size_t last, Entered& entered) {
    if (history.full()) {
      entered.dropped = history.DropOldest();
      for (size_t i = 0; i < history.size(); ++i) {
        history[i].partners.Remove(entered.dropped);
        history[i].followed.Remove(entered.dropped);
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
  std::vector<Entered> entered_ = std::vector<Entered>(1);  // with room
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_VARIABLE_HISTORIES_H_
