// Histories of requests from events, and what they are compared with.

#include "explore/watch/request_watch.h"

#include <gtest/gtest.h>

#include "explore/judge/request_references.h"
#include "explore/judge/request_words.h"
#include "fairlead/detail/table.h"

namespace fairlead::explore {
namespace {

using trace::EventKind;

class Events {
 public:
  Events& Begin(uint64_t session, uint64_t number, const char* asks) {
    return Tell(EventKind::kRequestBegin, session, number, asks);
  }
  Events& End(uint64_t session, uint64_t number, const char* reply,
              uint64_t status = 0) {
    return Tell(EventKind::kRequestEnd, session, number, reply, status);
  }
  Events& Add(const std::string& component, const std::string& element) {
    return Tell(EventKind::kStateAdd, 0, element.size(),
                component + '\0' + element);
  }
  Events& Quiescent() { return Tell(EventKind::kQuiescent, 0, 0, ""); }
  // A walk begins to show this component.
  Events& Walk(const char* component) {
    return Tell(EventKind::kStateClear, 0, 1, component);
  }
  Events& Tell(EventKind kind, uint64_t address, uint64_t value,
               const std::string& payload, uint64_t status = 0) {
    trace::Event event;
    event.seq = next_++;
    event.kind = kind;
    event.address = address;
    event.value = value;
    event.payload = payload;
    if (kind == EventKind::kRequestEnd) event.old_value = status;
    watch.OnEvent(event);
    return *this;
  }
  RequestWatch watch;

 private:
  uint64_t next_ = 0;
};

TEST(RequestWatch, ReadsWhatWasAskedAndAnsweredAndWhen) {
  Events events;
  events.Tell(EventKind::kSession, 0, 7, "ann");
  events.Begin(7, 1, "get").Begin(8, 1, "put").End(7, 1, "x", ~uint64_t{1});
  const lin::RequestHistory& history = events.watch.history();
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[0].asks, "get");
  EXPECT_EQ(history[0].answer, (lin::Answer{.status = -2, .reply = "x"}));
  EXPECT_TRUE(lin::Overlap(history[0], history[1]));
  EXPECT_FALSE(history[1].answer);
  EXPECT_EQ(events.watch.sessions().at(7), "ann");
  EXPECT_EQ(events.watch.problem(), "");
}

TEST(RequestWatch, TwoRequestsWithOneNumberAreAProblem) {
  Events events;
  events.Begin(7, 1, "a").End(7, 1, "").Begin(7, 1, "b");
  EXPECT_NE(events.watch.problem().find("have the number 1"),
            std::string::npos);
  Events stray;
  stray.End(7, 1, "");
  EXPECT_EQ(stray.watch.problem(), "a request ended that had not begun");
}

// What is taken down behind the moment of comparison is still there.
TEST(RequestWatch, ComparesAtTheLastQuietMoment) {
  Events events;
  events.Begin(1, 1, "a").Add("c", "x").Quiescent().End(1, 1, "");
  EXPECT_EQ(events.watch.state().at("c").elements.size(), 1u);
  events.Quiescent();
  events.Tell(EventKind::kStateClear, 0, 0, "c");
  EXPECT_EQ(events.watch.state().at("c").elements.size(), 1u);
  // A later request begins anew.
  events.Begin(1, 2, "b").End(1, 2, "");
  EXPECT_TRUE(events.watch.state().at("c").elements.empty());
}

TEST(RequestWatch, NamesComponentsThatNothingChangesOrTheWalkContradicts) {
  Events events;
  events.Tell(EventKind::kComponent, 0, FAIRLEAD_SET, "stale");
  events.Add("c", "x").Add("d", "x");
  events.Walk("c").Add("c", "x").Walk("d").Add("d", "y").Walk("e").Add("e", "");
  events.Quiescent();
  EXPECT_FALSE(events.watch.touched().at("stale"));
  EXPECT_TRUE(events.watch.touched().at("c"));
  EXPECT_EQ(events.watch.disagreeing(), std::set<std::string>{"d"});
  // What only walks show may change between two of them.
  events.Walk("e").Add("e", "other").Quiescent();
  EXPECT_EQ(events.watch.disagreeing(), std::set<std::string>{"d"});
}

TEST(RequestWatch, AWalkAddsToWhateverItsComponentIs) {
  Events events;
  events.Tell(EventKind::kComponent, 0, FAIRLEAD_SEQUENCE, "log");
  events.Tell(EventKind::kComponent, 0, FAIRLEAD_REGISTER, "leader");
  events.Walk("log").Add("log", "a").Add("log", "b");
  events.Walk("leader").Add("leader", "ann").Quiescent();
  EXPECT_EQ(events.watch.state().at("log").sequence,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(events.watch.state().at("leader").value, "ann");
}

using Order = RequestReferences::Order;

// One request, served with the time of the world; `served` is how often.
RequestReferences Clock(int* served) {
  return RequestReferences([served](const Order& order, World world) {
    ++*served;
    ServedInOrder all;
    all.ended = true;
    for (const abi::RequestRecord& each : order) {
      all.history.push_back(
          {.session = each.session,
           .number = each.request,
           .asks = "time",
           .answer = lin::Answer{
               .reply = world == World::kOther ? "it is 7" : "it is 12"}});
    }
    return Result<ServedInOrder>(all);
  });
}

TEST(RequestReferences, RunsAnOrderTwiceAndLearnsWhatDiffersByItself) {
  int served = 0;
  RequestReferences references = Clock(&served);
  const lin::SerialRun* run = references.Of({{1, 1}});
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(references.Of({{1, 1}}), run);
  EXPECT_EQ(served, 2);
  EXPECT_TRUE(references.comparison().SameAnswer("time", {.reply = "it is 12"},
                                                 {.reply = "it is 99"}));
  EXPECT_NE(references.Of({{1, 1}, {2, 1}}), nullptr);
  EXPECT_EQ(served, 4);
}

// Where an execution does something else than the order says, nothing counts.
TEST(RequestReferences, AnOrderThatIsNotKeptEndsThere) {
  RequestReferences references([](const Order&, World) {
    ServedInOrder all;
    all.ended = true;
    all.history.push_back(
        {.session = 1, .number = 1, .asks = "a", .answer = lin::Answer()});
    all.history.push_back({.session = 2, .number = 1, .asks = "b"});
    return Result<ServedInOrder>(all);
  });
  const lin::SerialRun* run = references.Of({{1, 1}, {2, 1}});
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->served.size(), 1u);
  EXPECT_FALSE(run->state);
  // One more than the order has.
  EXPECT_FALSE(references.Of({{1, 1}})->state);
}

TEST(RequestReferences, WithoutAnyRunNothingIsKnown) {
  RequestReferences references([](const Order&, World) {
    return Result<ServedInOrder>(Error(ErrorCode::kInterrupted).Say("no time"));
  });
  EXPECT_EQ(references.Of({{1, 1}}), nullptr);
  EXPECT_TRUE(references.Lines().empty());
  EXPECT_EQ(references.WhyUnknown(), "");
  references.tally().judged = references.tally().unknown = 3;
  EXPECT_NE(references.WhyUnknown(), "");
}

}  // namespace
}  // namespace fairlead::explore
