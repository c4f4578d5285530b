// The state of a program, from the events of its annotations.

#include "explore/watch/program_state.h"

#include <gtest/gtest.h>

#include "fairlead/detail/table.h"

namespace fairlead::explore {
namespace {

using trace::EventKind;

// A change of the component `name`.
struct Change {
  EventKind kind;
  std::string bytes = "";
  std::string name = "c";
  uint64_t value = 0;
};

ProgramState After(const std::vector<Change>& changes) {
  ProgramState state;
  for (const Change& change : changes) {
    trace::Event event;
    event.kind = change.kind;
    event.value = change.value;
    event.payload = change.name;
    if (change.kind != EventKind::kStateClear &&
        change.kind != EventKind::kComponent) {
      event.payload += '\0' + change.bytes;
    }
    state.OnEvent(event);
  }
  return state;
}

constexpr EventKind kAdd = EventKind::kStateAdd;
constexpr EventKind kRemove = EventKind::kStateRemove;
constexpr EventKind kAppend = EventKind::kStateAppend;

Change Is(uint64_t kind) {
  return {.kind = EventKind::kComponent, .value = kind};
}
Change Put(const std::string& key, const std::string& value) {
  return {
      .kind = EventKind::kStatePut, .bytes = key + value, .value = key.size()};
}

TEST(ProgramState, ComparesComponentsByTheirKind) {
  struct Case {
    const char* name;
    std::vector<Change> wanted;
    std::vector<Change> found;
    const char* difference;  // "" = they are equal
  };
  const Case kCases[] = {
      {"nothing", {}, {}, ""},
      {"other order",
       {{kAdd, "a"}, {kAdd, "b"}},
       {{kAdd, "b"}, {kAdd, "a"}},
       ""},
      {"one too few", {{kAdd, "a"}, {kAdd, "b"}}, {{kAdd, "b"}}, "c lacks 'a'"},
      {"one too many",
       {{kAdd, "a"}},
       {{kAdd, "a"}, {kAdd, "b"}},
       "c has 'b' as well"},
      {"a multiset counts",
       {{kAdd, "a"}},
       {{kAdd, "a"}, {kAdd, "a"}},
       "c has another value or number of 'a'"},
      {"a set does not",
       {Is(FAIRLEAD_SET), {kAdd, "a"}},
       {Is(FAIRLEAD_SET), {kAdd, "a"}, {kAdd, "a"}},
       ""},
      {"removed",
       {{kAdd, "a"}, {kAdd, "b"}, {kRemove, "a"}},
       {{kAdd, "b"}},
       ""},
      {"removed before it was there", {{kRemove, "a"}}, {}, ""},
      {"a sequence has an order",
       {{kAppend, "a"}, {kAppend, "b"}},
       {{kAppend, "b"}, {kAppend, "a"}},
       "c has 'b' instead of 'a' as element 1"},
      {"a sequence ends",
       {{kAppend, "a"}, {kAppend, "b"}},
       {{kAppend, "a"}},
       "c ends before 'b'"},
      {"a sequence goes on",
       {{kAppend, "a"}},
       {{kAppend, "a"}, {kAppend, "b"}},
       "c goes on with 'b'"},
      {"a map",
       {Put("k", "1")},
       {Put("k", "2")},
       "c has another value or number of 'k'"},
      {"a key that is gone",
       {},
       {Is(FAIRLEAD_MAP), Put("k", "1"), {kRemove, "k"}},
       ""},
      {"a register",
       {{EventKind::kStateSet, "1"}},
       {{EventKind::kStateSet, "2"}},
       "c is '2' instead of '1'"},
      {"cleared", {{kAdd, "a"}, {EventKind::kStateClear}}, {}, ""},
      {"a component that is not there",
       {{kAdd, "a"}},
       {{kAdd, "a", "d"}},
       "c lacks 'a'"},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(FirstDifference(After(each.wanted), After(each.found)),
              each.difference);
  }
}

TEST(ProgramState, IsNotChangedByWhatMakesNoSense) {
  Change key_is_longer = Put("k", "");
  key_is_longer.value = 5;
  EXPECT_EQ(FirstDifference(After({}), After({key_is_longer})), "");
  EXPECT_EQ(FirstDifference(After({}), After({{EventKind::kUnitBegin, "f"}})),
            "");
}

}  // namespace
}  // namespace fairlead::explore
