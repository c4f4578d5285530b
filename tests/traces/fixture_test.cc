// Every file under tests/traces is one test case, and its path is its name.
// The claims of each kind are in README.md here.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "analysis/iroot/observer.h"
#include "analysis/iroot/profiler.h"
#include "analysis/predictor/predictor.h"
#include "base/file.h"
#include "base/text.h"
#include "order/locksets.h"
#include "order/trace_order.h"
#include "trace/program_tables.h"
#include "trace/text.h"

namespace fairlead {
namespace {

using trace::Event;
using trace::Expectation;
using trace::Trace;

namespace fs = std::filesystem;

constexpr uint32_t kFirstOwnSite = 1000;

std::vector<std::string> Fixtures() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(TRACES)) {
    if (entry.path().extension() == ".trace") {
      paths.push_back(fs::relative(entry.path(), TRACES));
    }
  }
  std::ranges::sort(paths);
  return paths;
}

// Events that name no site come from one of their own.
Trace Load(const std::string& path) {
  const Result<std::string> text = ReadFile((fs::path(TRACES) / path).string());
  EXPECT_TRUE(text.has_value());
  Result<Trace> trace = trace::ParseTraceUntrusted(text ? *text : "");
  EXPECT_TRUE(trace.has_value()) << trace.error().Text();
  if (!trace) return {};
  const Status valid = trace::Validate(*trace);
  EXPECT_TRUE(valid.has_value()) << valid.error().Text();
  for (Event& event : trace->events) {
    if (event.site != 0) continue;
    event.site = kFirstOwnSite + static_cast<uint32_t>(event.seq);
    event.flags |= abi::kFlagInstrumented;
  }
  return *std::move(trace);
}

std::string LabelOf(const Trace& trace, uint64_t seq) {
  for (const auto& [label, labelled] : trace.labels) {
    if (labelled == seq) return "#" + label;
  }
  return fmt::format("event {}", seq);
}

// "#a -> #b -> #c", "#a || #b".
void JudgeOrder(const Trace& trace, const Expectation& want,
                order::EdgeSet edges) {
  const order::TraceOrder order(trace, edges);
  const std::vector<std::string_view> words = Words(want.claim);
  for (size_t i = 0; i + 2 < words.size(); i += 2) {
    const Event& one = trace[words[i].substr(1)];
    const Event& other = trace[words[i + 2].substr(1)];
    const bool before = order.Before(one, other);
    if (words[i + 1] == "->") {
      EXPECT_TRUE(before) << words[i] << " is not before " << words[i + 2];
    } else {
      ASSERT_EQ(words[i + 1], "||");
      EXPECT_FALSE(before || order.Before(other, one))
          << words[i] << " and " << words[i + 2] << " are ordered";
    }
  }
  EXPECT_GE(words.size(), 3u);
}

// "#a none", "#a m n:shared": what its thread holds at #a.
void JudgeLocks(const Trace& trace, const Expectation& want) {
  const std::vector<std::string_view> words = Words(want.claim);
  const Event& at = trace[words[0].substr(1)];
  order::Locksets locks;
  for (const Event& event : trace.events) {
    locks.OnEvent(event);
    if (event.seq == at.seq) break;
  }
  std::string held = std::string(words[0]);
  for (const order::HeldLock& lock : locks.HeldBy(at.tid)) {
    held += " " + trace.names.ObjectText(lock.lock);
    if (lock.mode == order::LockMode::kShared) held += ":shared";
  }
  if (locks.HeldBy(at.tid).empty()) held += " none";
  EXPECT_EQ(held, want.claim);
}

// What an analysis predicts, one claim each: "x at #a #b".
std::vector<std::string> Predicted(const Trace& trace,
                                   const analysis::AnalysisEntry& entry) {
  std::vector<std::unique_ptr<analysis::Analysis>> one;
  one.push_back(entry.make());
  analysis::Predictor predictor(std::move(one));
  trace::NamedTables tables(trace.names);
  predictor.OnBegin(tables);
  for (const Event& event : trace.events) predictor.OnEvent(event);
  predictor.OnEnd();
  std::vector<std::string> claims;
  for (analysis::Prediction& each : predictor.list().predictions()) {
    std::string claim;
    if (entry.name == "condvar") claim = std::string(each.kind) + ": ";
    claim += trace.names.ObjectText(each.addresses[0]) + " at";
    for (const order::Spot& spot : each.spots) {
      claim += " " + LabelOf(trace, spot.seq);
    }
    if (!each.likely) claim += " unlikely";
    claims.push_back(std::move(claim));
    // Whatever is predicted can be forced: it is a target, and survives a file.
    analysis::Resolve(each, trace.names);
    const auto again =
        finding::ParseTargetUntrusted(finding::PrintTarget(each.target));
    EXPECT_TRUE(again.has_value()) << again.error().Text();
    if (again) EXPECT_EQ(*again, each.target);
    EXPECT_FALSE(analysis::SentenceOf(each, trace.names).empty());
  }
  std::ranges::sort(claims);
  return claims;
}

// The iRoots of one idiom, one claim each: "#a #b #c". Every event is a place
// of its own here.
std::vector<std::string> IRootClaims(const Trace& trace, std::string_view what,
                                     uint8_t idiom) {
  namespace iroot = analysis::iroot;
  std::vector<std::string> claims;
  const auto add = [&](const iroot::IRoot& root) {
    if (root.idiom != idiom) return;
    std::string claim;
    for (const iroot::Step& step : root.used()) {
      if (!claim.empty()) claim += " ";
      claim += LabelOf(trace, (step.place >> 1) - kFirstOwnSite);
    }
    claims.push_back(std::move(claim));
  };
  if (what == "exposed") {
    iroot::Observer observer;
    for (const Event& event : trace.events) observer.OnEvent(event);
    for (const iroot::IRoot& root : observer.exposed()) add(root);
  } else {
    iroot::Profiler profiler({.find_shared = false});
    for (const Event& event : trace.events) profiler.OnEvent(event);
    profiler.OnEnd();
    for (const auto& [root, candidate] : profiler.predicted()) add(root);
  }
  std::ranges::sort(claims);
  return claims;
}

// "exposed:4", "predicted:1": the idiom; 0 = something else is meant.
uint8_t IdiomOf(std::string_view analysis) {
  const size_t colon = analysis.find(':');
  const std::string_view what = analysis.substr(0, colon);
  if (what != "exposed" && what != "predicted") return 0;
  return static_cast<uint8_t>(analysis.back() - '0');
}

class TraceFixture : public testing::TestWithParam<std::string> {};

TEST_P(TraceFixture, MeetsItsExpectations) {
  const Trace trace = Load(GetParam());
  EXPECT_FALSE(trace.expectations.empty()) << "nothing is expected";
  std::map<std::string, std::vector<std::string>> wanted;
  for (const Expectation& want : trace.expectations) {
    SCOPED_TRACE(fmt::format("{}:{}", GetParam(), want.line));
    constexpr std::string_view kOrder = "order:";
    if (want.analysis == "order") {
      JudgeOrder(trace, want, order::kFullOrder);
    } else if (want.analysis.starts_with(kOrder)) {
      const auto edges =
          order::FindEdgeSet(want.analysis.substr(kOrder.size()));
      ASSERT_TRUE(edges.has_value()) << want.analysis;
      JudgeOrder(trace, want, *edges);
    } else if (want.analysis == "locks") {
      JudgeLocks(trace, want);
    } else {
      std::vector<std::string>& claims = wanted[want.analysis];
      if (want.claim != "none") claims.push_back(want.claim);
    }
  }
  for (auto& [name, claims] : wanted) {
    if (const uint8_t idiom = IdiomOf(name); idiom != 0) {
      std::ranges::sort(claims);
      EXPECT_EQ(IRootClaims(trace, name.substr(0, name.find(':')), idiom),
                claims)
          << GetParam() << ": " << name;
      continue;
    }
    const analysis::AnalysisEntry* entry = analysis::FindAnalysis(name);
    ASSERT_NE(entry, nullptr) << name;
    std::ranges::sort(claims);
    EXPECT_EQ(Predicted(trace, *entry), claims) << GetParam() << ": " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, TraceFixture, testing::ValuesIn(Fixtures()),
                         [](const auto& fixture) {
                           std::string name = fixture.param;
                           std::ranges::replace_if(
                               name, [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace fairlead
