// analysis/asset/frames.h
//
// The functions of the program that each thread is in, and which of them is the
// unit of work for a set: the outermost one that is a method for it, whatever
// object it was called on.
//
// An activation is cut into *rounds*, each a unit of its own, where the program
// says itself that its parts do not belong together:
//   a wait       for a condition, a count, a barrier, a thread: others are
//                meant to act meanwhile
//   a loop       a lock is taken, by a thread that holds none, where this
//                activation has taken one before, by the same calls
// No unit are main, what the program says is none, and for statics of a file
// and for lambdas that which a thread begins with. What is in no unit, but
// between taking a first and giving back a last lock, is one.
//
// Unsound: what belongs together over several rounds of a loop is missed.
// Differs from the paper: which knows no rounds, so that a method that is the
// body of a thread is one unit with all that the thread does.

#ifndef FAIRLEAD_ANALYSIS_ASSET_FRAMES_H_
#define FAIRLEAD_ANALYSIS_ASSET_FRAMES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/asset/layout.h"
#include "analysis/asset/objects.h"
#include "analysis/declared.h"
#include "trace/event.h"
#include "trace/types.h"

namespace fairlead::analysis::asset {

// One round of one activation.
struct UnitId {
  uint64_t activation = 0;  // counts frames and sections of the execution
  uint32_t round = 0;
  auto operator<=>(const UnitId&) const = default;
};

struct UnitFrame {
  UnitId id;
  const trace::FunctionName* function = nullptr;  // null = a section
  uint32_t node = 0;    // calling context of what it does itself
  bool starts = false;  // a thread begins with it
  std::set<std::pair<uint32_t, uint32_t>> taken;  // places where a lock was
};

class Frames {
 public:
  void Begin(trace::ProgramTables& tables, Layouts& layouts) {
    tables_ = &tables;
    layouts_ = &layouts;
  }

  // `declared` outlives it.
  void Declare(const Declared& declared) { declared_ = &declared; }

  // The unit that this access of a thread to `set` belongs to. A single access
  // outside of all is a unit of its own (activation 0).
  const UnitFrame& UnitOf(trace::Tid tid, const SetInstance& set);

  // What is no access. `held`: how many locks its thread holds after it.
  // `ended` is given every unit that is over by it.
  template <typename Ended>
  void OnOther(const trace::Event& event, size_t held, Ended ended);

  // The frame of a kEnter event, after it; null = of a function that nobody
  // knows.
  const trace::FunctionName* Entered(trace::Tid tid) const;

 private:
  struct Thread {
    std::vector<UnitFrame> frames;  // the outermost first
    UnitFrame section;              // activation 0 = in none
    size_t held = 0;
    size_t beyond = 0;  // frames that are too deep to be kept
  };
  static constexpr size_t kMostFrames = 4096;

  Thread& ThreadOf(trace::Tid tid);
  // As people or the program say; none = they do not.
  std::optional<bool> IsSaidToBeUnit(const trace::FunctionName& function);
  bool IsUnit(const UnitFrame& frame, const SetInstance& set);
  void Enter(const trace::Event& event, Thread& thread);
  static bool Waits(const trace::Event& event);
  static bool TakesFirst(const trace::Event& event, size_t held);

  trace::ProgramTables* tables_ = nullptr;
  Layouts* layouts_ = nullptr;
  const Declared* declared_ = nullptr;  // null = nothing
  std::vector<Thread> threads_;
  uint64_t num_activations_ = 0;
  UnitFrame alone_;
};

template <typename Ended>
void Frames::OnOther(const trace::Event& event, size_t held, Ended ended) {
  using trace::EventKind;
  Thread& thread = ThreadOf(event.tid);
  const auto new_round = [&](UnitFrame& frame) {
    ended(frame.id);
    ++frame.id.round;
    frame.taken.clear();
  };
  if (event.kind == EventKind::kEnter) {
    Enter(event, thread);
  } else if (event.kind == EventKind::kLeave) {
    if (thread.beyond != 0) {
      --thread.beyond;
    } else if (!thread.frames.empty()) {
      ended(thread.frames.back().id);
      thread.frames.pop_back();
    }
  } else if (event.kind == EventKind::kEnd) {
    for (const UnitFrame& frame : thread.frames) ended(frame.id);
    thread.frames.clear();
  } else if (Waits(event)) {
    for (UnitFrame& frame : thread.frames) new_round(frame);
  } else if (held == 1 && thread.held == 0) {
    for (UnitFrame& frame : thread.frames) {
      if (frame.taken.contains({event.site, event.node})) new_round(frame);
      frame.taken.insert({event.site, event.node});
    }
  }
  if (held == 0 && thread.section.id.activation != 0) {
    ended(thread.section.id);
    thread.section.id = {};
  } else if (held != 0 && thread.section.id.activation == 0) {
    thread.section.id = {++num_activations_, 0};
    thread.section.node = event.node;
  }
  thread.held = held;
}

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_FRAMES_H_
