// The observer and the profiler against their definitions, on every small trace
// and on random ones; the iRoot as a value.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "analysis/iroot/observer.h"
#include "analysis/iroot/profiler.h"
#include "sched/rng.h"
#include "tests/analysis/iroot_definition.h"
#include "trace/program_tables.h"
#include "trace/text.h"

namespace fairlead::analysis::iroot {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Trace;

constexpr uint64_t kTestWindow = 100;

// Makes traces that a program could produce, of reads, writes and updates of a
// few variables, locks and a semaphore.
class Maker {
 public:
  enum class What { kRead, kWrite, kUpdate, kLock, kUnlock, kPost, kWait };

  // False when the thread cannot do that now.
  bool Do(uint16_t thread, What what, uint64_t which, uint32_t site,
          uint64_t instructions, uint64_t size = 8) {
    const Tid tid{thread};
    Event event;
    event.seq = trace_.events.size();
    event.tid = tid;
    event.instructions = instructions;
    event.site = site;
    event.flags = abi::kFlagInstrumented;
    event.size = size;
    event.address = 0x1000 + which;
    switch (what) {
      case What::kRead:
        event.kind = EventKind::kRead;
        break;
      case What::kWrite:
        event.kind = EventKind::kWrite;
        // Neither pointers nor values that anybody waits for.
        event.value = event.seq + 1;
        break;
      case What::kUpdate:
        event.kind = EventKind::kRmw;
        event.value = event.seq + 1;
        event.old_value = event.seq;
        break;
      case What::kLock:
        event.address = 0x2000 + 64 * which;
        if (owner_.contains(event.address)) return false;
        owner_[event.address] = tid;
        event.kind = EventKind::kLock;
        event.size = 0;
        break;
      case What::kUnlock: {
        event.address = 0x2000 + 64 * which;
        const auto owner = owner_.find(event.address);
        if (owner == owner_.end() || owner->second != tid) return false;
        owner_.erase(owner);
        event.kind = EventKind::kUnlock;
        event.size = 0;
        break;
      }
      case What::kPost:
        event.address = 0x3000;
        event.kind = EventKind::kSemPost;
        event.size = 0;
        event.value = ++posts_;
        break;
      case What::kWait:
        if (posts_ == 0) return false;
        event.address = 0x3000;
        event.kind = EventKind::kSemWait;
        event.flags |= abi::kFlagSuccess;
        event.size = 0;
        event.value = --posts_;
        break;
    }
    trace_.events.push_back(event);
    return true;
  }
  const Trace& trace() const { return trace_; }

 private:
  Trace trace_;
  std::map<uint64_t, Tid> owner_;
  uint64_t posts_ = 0;
};

std::string Text(const std::set<IRoot>& roots) {
  std::string text;
  for (const IRoot& root : roots) text += PrintIRoot(root) + "\n";
  return text;
}

std::set<IRoot> Exposed(const Trace& trace) {
  Observer observer(kTestWindow);
  for (const Event& event : trace.events) observer.OnEvent(event);
  return {observer.exposed().begin(), observer.exposed().end()};
}

std::set<IRoot> Predicted(const Trace& trace) {
  Profiler profiler({.window = kTestWindow, .find_shared = false});
  for (const Event& event : trace.events) profiler.OnEvent(event);
  profiler.OnEnd();
  std::set<IRoot> roots;
  for (const auto& [root, candidate] : profiler.predicted()) {
    roots.insert(root);
  }
  return roots;
}

struct Counts {
  size_t exposed[kNumIdioms + 1] = {};
  size_t predicted[kNumIdioms + 1] = {};
};

void Judge(const Trace& trace, Counts& counts) {
  const std::set<IRoot> exposed = ExposedByDefinition(trace, kTestWindow);
  EXPECT_EQ(Text(Exposed(trace)), Text(exposed)) << trace::PrintTrace(trace);
  const std::set<IRoot> predicted = PredictedByDefinition(trace, kTestWindow);
  EXPECT_EQ(Text(Predicted(trace)), Text(predicted))
      << trace::PrintTrace(trace);
  for (const IRoot& root : exposed) ++counts.exposed[root.idiom];
  for (const IRoot& root : predicted) ++counts.predicted[root.idiom];
}

void ForEachTrace(const Maker& start, size_t length,
                  const std::function<void(const Trace&)>& visit) {
  if (length == 0) {
    visit(start.trace());
    return;
  }
  using What = Maker::What;
  // Which thread is the first one does not matter.
  const uint16_t num_threads = start.trace().events.empty() ? 1 : 2;
  for (uint16_t thread = 0; thread < num_threads; ++thread) {
    for (const What what :
         {What::kRead, What::kWrite, What::kLock, What::kUnlock}) {
      for (uint64_t which = 0; which < 2; ++which) {
        const bool lock = what == What::kLock || what == What::kUnlock;
        if (lock && which != 0) continue;
        Maker next = start;
        const auto site =
            static_cast<uint32_t>(1 + start.trace().events.size());
        if (!next.Do(thread, what, 16 * which, site, 30)) continue;
        ForEachTrace(next, length - 1, visit);
      }
    }
  }
}

TEST(IRoots, AreThoseOfTheDefinitionOnEverySmallTrace) {
  Counts counts;
  size_t num_traces = 0;
  ForEachTrace(Maker(), 5, [&](const Trace& trace) {
    if (HasFailure()) return;
    Judge(trace, counts);
    ++num_traces;
  });
  EXPECT_GT(num_traces, 20'000u);
  for (uint8_t idiom = 1; idiom <= kNumIdioms; ++idiom) {
    EXPECT_GT(counts.exposed[idiom], 50u) << "idiom " << int{idiom};
    EXPECT_GT(counts.predicted[idiom], 50u) << "idiom " << int{idiom};
  }
}

Trace RandomTrace(uint64_t seed, bool overlapping) {
  using What = Maker::What;
  sched::Rng rng(seed);
  Maker maker;
  const uint64_t num_threads = 2 + rng.Below(2);
  const uint64_t num_sites = 1 + rng.Below(4);
  const size_t length = 10 + rng.Below(30);
  constexpr What kWhat[] = {What::kRead,   What::kRead, What::kWrite,
                            What::kWrite,  What::kLock, What::kUnlock,
                            What::kUpdate, What::kPost, What::kWait};
  for (size_t tries = 0;
       maker.trace().events.size() < length && tries < 10 * length; ++tries) {
    const What what = kWhat[rng.Below(std::size(kWhat))];
    const auto thread = static_cast<uint16_t>(rng.Below(num_threads));
    // A place does one thing.
    const auto site = static_cast<uint32_t>(1 + static_cast<uint32_t>(what) +
                                            10 * rng.Below(num_sites));
    const uint64_t instructions = rng.Below(4) == 0 ? rng.Below(90) : 5;
    if (what >= What::kLock) {
      maker.Do(thread, what, rng.Below(2), site, instructions);
    } else if (overlapping) {
      maker.Do(thread, what, rng.Below(4), site, instructions,
               1 + rng.Below(2));
    } else {
      maker.Do(thread, what, 16 * rng.Below(3), site, instructions);
    }
  }
  return maker.trace();
}

TEST(IRoots, AreThoseOfTheDefinitionOnRandomTraces) {
  Counts counts;
  for (uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Judge(RandomTrace(seed, false), counts);
  }
  for (uint8_t idiom = 1; idiom <= kNumIdioms; ++idiom) {
    EXPECT_GT(counts.exposed[idiom], 100u) << "idiom " << int{idiom};
    EXPECT_GT(counts.predicted[idiom], 100u) << "idiom " << int{idiom};
  }
}

TEST(Observer, KnowsBytesThatOverlap) {
  for (uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Trace trace = RandomTrace(seed, true);
    EXPECT_EQ(Text(Exposed(trace)),
              Text(ExposedByDefinition(trace, kTestWindow)))
        << trace::PrintTrace(trace);
  }
}

TEST(IRoot, SurvivesItsText) {
  for (const char* text :
       {"1 unlock:0x1=>lock:0x2", "2 read:0x1=>write:0x2=>read:0x3",
        "3 write:0x1=>read:0x2 write:0x3=>read:0xffffffffffffffff",
        "5 lock:0x1=>lock:0x2 lock:0x3=>lock:0x4"}) {
    const Result<IRoot> root = ParseIRootUntrusted(text);
    ASSERT_TRUE(root.has_value()) << text;
    EXPECT_EQ(PrintIRoot(*root), text);
  }
  for (const char* text :
       {"", "1", "7 read:0x1=>write:0x2", "1 read:0x1", "1 read:1=>write:0x2",
        "1 look:0x1=>write:0x2", "2 read:0x1=>write:0x2",
        "3 read:0x1=>write:0x2=>read:0x3 write:0x4", "1 read:0x=>write:0x2",
        "1 read:0x1=>write:0x2 read:0x3=>write:0x4"}) {
    EXPECT_FALSE(ParseIRootUntrusted(text).has_value()) << text;
  }
}

TEST(IRoot, OfIdiom5HasOneSpelling) {
  const auto one =
      ParseIRootUntrusted("5 write:0x9=>read:0x8 read:0x1=>write:0x2");
  const auto other =
      ParseIRootUntrusted("5 read:0x1=>write:0x2 write:0x9=>read:0x8");
  ASSERT_TRUE(one && other);
  EXPECT_EQ(*one, *other);
  EXPECT_EQ(IdentityOf(*one), IdentityOf(*other));
  const auto six =
      ParseIRootUntrusted("6 write:0x9=>read:0x8 read:0x1=>write:0x2");
  const auto six_other =
      ParseIRootUntrusted("6 read:0x1=>write:0x2 write:0x9=>read:0x8");
  ASSERT_TRUE(six && six_other);
  EXPECT_NE(*six, *six_other);
}

// A place that touches several locations: only its third pass is about the one
// that the other thread touches.
TEST(Profiler, TellsWhatIsUnlockedAndWhatIsAtomic) {
  using What = Maker::What;
  Maker maker;
  for (uint16_t thread = 0; thread < 2; ++thread) {
    const uint32_t site = 10 * thread;
    maker.Do(thread, What::kWrite, 0, site + 1, 1);
    maker.Do(thread, What::kUpdate, 8, site + 2, 1);
    maker.Do(thread, What::kLock, 0, site + 3, 1);
    maker.Do(thread, What::kWrite, 16, site + 4, 1);
    maker.Do(thread, What::kUnlock, 0, site + 5, 1);
  }
  Profiler profiler({.window = kTestWindow, .find_shared = false});
  for (const Event& event : maker.trace().events) profiler.OnEvent(event);
  profiler.OnEnd();
  std::map<uint64_t, Candidate> by_site;  // of idiom 1, of the first step
  for (const auto& [root, candidate] : profiler.predicted()) {
    if (root.idiom == 1) by_site[root.steps[0].place >> 1] = candidate;
  }
  EXPECT_TRUE(by_site.at(1).unlocked);
  EXPECT_FALSE(by_site.at(1).atomic);
  EXPECT_TRUE(by_site.at(2).unlocked);
  EXPECT_TRUE(by_site.at(2).atomic);
  EXPECT_FALSE(by_site.at(4).unlocked);
}

// What a zero of eight bytes is, only the compiler knows.
TEST(Profiler, TellsPointersFromOtherZeros) {
  Result<Trace> trace = trace::ParseTraceUntrusted(
      "thread 0 main\n"
      "thread 1 a\n"
      "site 1 store f a.c:1 flags=pointer size=8\n"
      "site 2 store f a.c:2 size=8\n"
      "site 3 load g a.c:3 flags=pointer size=8\n"
      "site 4 load g a.c:4 size=8\n"
      "main: fork a\n"
      "main: write p value=0 site=1\n"
      "main: write n value=0 site=2\n"
      "a: read p value=0 site=3\n"
      "a: read n value=0 site=4\n");
  ASSERT_TRUE(trace.has_value()) << trace.error().Text();
  trace::NamedTables tables(trace->names);
  Profiler profiler({.window = kTestWindow, .find_shared = false});
  profiler.OnBegin(tables);
  for (const Event& event : trace->events) profiler.OnEvent(event);
  profiler.OnEnd();
  std::map<uint64_t, bool> severe;  // of idiom 1, by site of the first step
  for (const auto& [root, candidate] : profiler.predicted()) {
    if (root.idiom == 1) severe[root.steps[0].place >> 1] |= candidate.severe;
  }
  EXPECT_TRUE(severe.at(1));
  EXPECT_FALSE(severe.at(2));
}

// Each place comes up once: that it shares something shows when it is too late
// to look at what is near it.
TEST(Profiler, PairsTouchesThatWereNotKnownToShareAnything) {
  using What = Maker::What;
  Maker maker;
  maker.Do(1, What::kWrite, 0, 1, 1);
  maker.Do(1, What::kWrite, 8, 2, 1);
  maker.Do(2, What::kRead, 0, 3, 1);
  maker.Do(2, What::kRead, 8, 4, 1);
  for (const uint64_t kept : {0, 100}) {
    Profiler profiler({.window = kTestWindow, .max_unknown = kept});
    for (const Event& event : maker.trace().events) profiler.OnEvent(event);
    profiler.OnEnd();
    const auto compound = [](const auto& each) { return each.first.idiom > 1; };
    EXPECT_EQ(std::ranges::any_of(profiler.predicted(), compound), kept != 0);
  }
}

TEST(Profiler, CanLeaveCompoundIdiomsOut) {
  Maker maker;
  sched::Rng rng(5);
  for (int i = 0; i < 60; ++i) {
    maker.Do(static_cast<uint16_t>(rng.Below(2)),
             rng.Below(2) == 0 ? Maker::What::kRead : Maker::What::kWrite,
             8 * rng.Below(2), static_cast<uint32_t>(1 + rng.Below(9)), 1);
  }
  const auto predicted = [&](bool compound) {
    Profiler profiler(
        {.window = kTestWindow, .find_shared = false, .compound = compound});
    for (const Event& event : maker.trace().events) profiler.OnEvent(event);
    profiler.OnEnd();
    std::set<IRoot> simple, others;
    for (const auto& [root, candidate] : profiler.predicted()) {
      (root.idiom == 1 ? simple : others).insert(root);
    }
    return std::pair(simple, others);
  };
  EXPECT_FALSE(predicted(true).second.empty());
  EXPECT_TRUE(predicted(false).second.empty());
  EXPECT_EQ(Text(predicted(false).first), Text(predicted(true).first));
}

TEST(Profiler, RemembersWhichPassOverAPlaceItWas) {
  using What = Maker::What;
  Maker maker;
  for (uint64_t slot = 0; slot < 4; ++slot) {
    maker.Do(1, What::kRead, 8 * slot, 1, 5);
  }
  maker.Do(2, What::kWrite, 16, 2, 5);
  Profiler profiler;
  for (const Event& event : maker.trace().events) profiler.OnEvent(event);
  profiler.OnEnd();
  const IRoot root = {
      .idiom = 1,
      .steps = {Step{3, Operation::kRead}, Step{5, Operation::kWrite}}};
  const auto found = profiler.predicted().find(root);
  ASSERT_NE(found, profiler.predicted().end());
  EXPECT_EQ(found->second.occurrences[0], 3u);
  EXPECT_EQ(found->second.occurrences[1], 1u);
}

}  // namespace
}  // namespace fairlead::analysis::iroot
