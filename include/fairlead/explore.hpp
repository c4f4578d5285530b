// fairlead/explore.hpp
//
// Runs a closure under many schedules in one process: for unit tests.
//
//   TEST(Queue, KeepsEverything) {
//     fairlead::explore([] {
//       Queue queue;
//       std::thread producer([&] { queue.Push(1); });
//       std::thread consumer([&] { queue.Pop(); });
//       producer.join();
//       consumer.join();
//       return queue.Empty();
//     });
//   }
//
// Under `fairlead test` the closure is run again and again, each time under
// another schedule. Run plainly, it runs once, and a line on standard error
// says how to explore it. Under `fairlead run` and `replay` it runs once, too.
//
// The closure makes its threads and joins them all; what it leaves in memory
// stays for the next iteration, so it should leave nothing. It has failed if it
// returns false, throws, or ends the process (an assertion, a crash, a
// deadlock). Exploring ends with the first failure.
//
// C++11 and later. Nothing has to be linked.

#ifndef FAIRLEAD_EXPLORE_HPP_
#define FAIRLEAD_EXPLORE_HPP_

#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <utility>

#include "fairlead.h"

namespace fairlead {

struct ExploreOptions {
  // Schedules at most; 0 = as many as the tool has time for.
  uint64_t iterations = 0;
  // In messages; null = "explore".
  const char* name = nullptr;
};

namespace detail {

// Whether the closure is content: what it returns, if that is a bool.
template <typename Closure>
auto Succeeds(Closure& closure) ->
    typename std::enable_if<std::is_same<decltype(closure()), bool>::value,
                            bool>::type {
  return closure();
}
template <typename Closure>
auto Succeeds(Closure& closure) ->
    typename std::enable_if<!std::is_same<decltype(closure()), bool>::value,
                            bool>::type {
  closure();
  return true;
}

inline void SayHowToExplore() {
  static bool said = false;
  if (said) return;
  said = true;
  std::fprintf(stderr,
               "fairlead: explore() ran its closure once; to try many "
               "schedules: fairlead test -- PROGRAM\n");
}

inline const fairlead_table* ExploringTable() {
#if FAIRLEAD_DETAIL_PRESENT
  const fairlead_table* const table = __fl_annotations;
  if (table != nullptr && table->size >= sizeof(fairlead_table) &&
      table->explore_next != nullptr && table->explore_failed != nullptr) {
    return table;
  }
#endif
  return nullptr;
}

// Tells of an iteration that was left by an exception.
class Leaving {
 public:
  Leaving(const fairlead_table* table, fairlead_exploration* exploration)
      : table_(table), exploration_(exploration) {}
  ~Leaving() {
    if (exploration_ != nullptr) {
      table_->explore_failed(exploration_, "the closure threw an exception");
    }
  }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  void Stayed() { exploration_ = nullptr; }

 private:
  const fairlead_table* table_;
  fairlead_exploration* exploration_;
};

}  // namespace detail

// Returns false if the closure failed (and returned), else true.
template <typename Closure>
bool explore(const ExploreOptions& options, Closure&& closure) {
  const fairlead_table* const table = detail::ExploringTable();
  if (table == nullptr) {
    const bool content = detail::Succeeds(closure);
    detail::SayHowToExplore();
    return content;
  }
  fairlead_exploration exploration = {sizeof(fairlead_exploration), 0,
                                      options.iterations, 0, options.name};
  while (table->explore_next(&exploration) != 0) {
    detail::Leaving leaving(table, &exploration);
    const bool content = detail::Succeeds(closure);
    leaving.Stayed();
    if (!content) {
      table->explore_failed(&exploration, "the closure returned false");
    }
  }
  return exploration.failed == 0;
}

template <typename Closure>
bool explore(Closure&& closure) {
  return explore(ExploreOptions(), std::forward<Closure>(closure));
}

}  // namespace fairlead

#endif  // FAIRLEAD_EXPLORE_HPP_
