// Every file under figures/ is one test case; figures/README.md says what its
// lines mean.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "analysis/invariant/recorder.h"
#include "base/file.h"
#include "base/text.h"
#include "trace/text.h"

namespace fairlead {
namespace {

using analysis::BelongingSets;
using analysis::PredecessorRecorder;
using analysis::Violation;
using trace::Event;
using trace::Trace;

namespace fs = std::filesystem;

std::vector<std::string> Figures() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(FIGURES)) {
    if (entry.path().extension() == ".txt") {
      names.push_back(entry.path().stem());
    }
  }
  std::ranges::sort(names);
  return names;
}

// Sites are known by their lines.
class Lines {
 public:
  explicit Lines(const Trace& trace) : trace_(trace) {}
  uint64_t operator()(uint32_t site) const {
    const auto found = trace_.names.sites.find(site);
    return found == trace_.names.sites.end() ? 0 : found->second.place.line;
  }

 private:
  const Trace& trace_;
};

std::string NameOf(uint64_t line) {
  return line == 0 ? "nil" : std::to_string(line);
}

class Figure : public testing::TestWithParam<std::string> {
 protected:
  // Ends the execution that was read up to here.
  void EndExecution() {
    if (text_.empty()) return;
    Result<Trace> trace = trace::ParseTraceUntrusted(text_);
    ASSERT_TRUE(trace.has_value()) << trace.error().Text() << '\n' << text_;
    text_.clear();
    trace_ = *std::move(trace);
    const Lines lines(trace_);
    if (bad_) {
      violations_ =
          analysis::ViolationsOf(trace_.events, sets_.WithoutHistory(),
                                 analysis::Histories::kIgnored, lines);
      return;
    }
    PredecessorRecorder recorder;
    for (const Event& event : trace_.events) {
      const auto* found = recorder.OnEvent(event);
      if (found == nullptr) continue;
      for (analysis::Predecessor each : *found) {
        each.site =
            each.site == 0 ? 0 : lines(static_cast<uint32_t>(each.site));
        sets_.Add(lines(event.site), each);
      }
    }
  }

  void Set(std::string_view site, std::string_view wanted) {
    const BelongingSets plain = sets_.WithoutHistory();
    std::string is;
    for (const auto& [line, set] : plain.sets()) {
      if (std::to_string(line) != site) continue;
      for (const analysis::Predecessor& each : set) {
        is += (is.empty() ? "" : " ") + NameOf(each.site);
      }
    }
    EXPECT_EQ(is, wanted) << "the set of site " << site;
  }

  void Turns(std::string_view label, std::string_view actual) {
    ASSERT_FALSE(violations_.empty()) << "nothing is violated";
    EXPECT_EQ(violations_[0].seq, trace_[label].seq);
    EXPECT_EQ(NameOf(violations_[0].actual.site == 0
                         ? 0
                         : Lines(trace_)(static_cast<uint32_t>(
                               violations_[0].actual.site))),
              actual);
  }

  void Later(std::string_view label) {
    ASSERT_FALSE(violations_.empty());
    EXPECT_LT(violations_[0].seq, trace_[label].seq) << "too late to wait";
  }

  std::string text_;
  bool bad_ = false;
  Trace trace_;  // the last one
  BelongingSets sets_;
  std::vector<Violation> violations_;
};

TEST_P(Figure, IsAnticipated) {
  const Result<std::string> text =
      ReadFile((fs::path(FIGURES) / GetParam()).string() + ".txt");
  ASSERT_TRUE(text.has_value());
  for (const std::string_view line : Split(*text, '\n')) {
    const std::vector<std::string_view> words = Words(line);
    if (words.empty() || words[0].starts_with("//")) continue;
    if (words[0] == "good" || words[0] == "bad") {
      EndExecution();
      bad_ = words[0] == "bad";
    } else if (words[0] == "set") {
      EndExecution();
      std::string wanted;
      for (size_t i = 2; i < words.size(); ++i) {
        wanted += (wanted.empty() ? "" : " ") + std::string(words[i]);
      }
      Set(words[1].substr(0, words[1].size() - 1), wanted);
    } else if (words[0] == "turns") {
      EndExecution();
      Turns(words[1].substr(1, words[1].size() - 2), words[2]);
    } else if (words[0] == "later") {
      Later(words[1].substr(1));
    } else {
      text_ += std::string(line) + "\n";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Paper, Figure, testing::ValuesIn(Figures()),
                         [](const auto& figure) { return figure.param; });

}  // namespace
}  // namespace fairlead
