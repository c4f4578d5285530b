// Every block of every *.targets file here is one test; README.md has the form.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "abi/context.h"
#include "base/file.h"
#include "base/text.h"
#include "explore/aim/force.h"
#include "explore/aim/target_places.h"

namespace fairlead::explore {
namespace {

namespace fs = std::filesystem;

struct Litmus {
  std::string program;  // "pairs"
  std::string title;
  bool feasible = false;
  bool fails = false;
  std::vector<std::string> arguments = {};
  std::string text = {};  // as written
};

void PrintTo(const Litmus& litmus, std::ostream* out) {
  *out << litmus.program << ": " << litmus.title;
}

std::vector<Litmus> LitmusOf(const fs::path& path) {
  std::vector<Litmus> all;
  const Result<std::string> text = ReadFile(path.string());
  if (!text) return all;
  for (const std::string_view line : Split(*text, '\n')) {
    if (!line.starts_with("--- ")) {
      if (!all.empty()) all.back().text += std::string(line) + "\n";
      continue;
    }
    const size_t colon = line.find(':');
    Litmus litmus = {.program = path.stem(),
                     .title = std::string(line.substr(colon + 2))};
    for (const std::string_view word : Words(line.substr(4, colon - 4))) {
      if (word == "feasible" || word == "infeasible") {
        litmus.feasible = word == "feasible";
      } else if (word == "fails") {
        litmus.fails = true;
      } else {
        litmus.arguments.emplace_back(word);
      }
    }
    all.push_back(std::move(litmus));
  }
  return all;
}

std::vector<Litmus> AllLitmus() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(LITMUS_SOURCES)) {
    if (entry.path().extension() == ".targets") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<Litmus> all;
  for (const fs::path& path : paths) {
    for (Litmus& litmus : LitmusOf(path)) all.push_back(std::move(litmus));
  }
  return all;
}

// Lines of the source by the names in their comments.
std::map<std::string, uint32_t> LabelsOf(const std::string& program) {
  std::map<std::string, uint32_t> labels;
  const Result<std::string> source =
      ReadFile(std::string(LITMUS_SOURCES "/") + program + ".c");
  EXPECT_TRUE(source.has_value());
  uint32_t number = 0;
  for (const std::string_view line : Split(source ? *source : "", '\n')) {
    ++number;
    const size_t at = line.find("// #");
    if (at != std::string_view::npos) {
      labels[std::string(line.substr(at + 4))] = number;
    }
  }
  return labels;
}

// The target with labels made into places, anchors and contexts.
class Translation {
 public:
  Translation(const std::string& program, const trace::SiteTable& sites)
      : file_(program + ".c"), labels_(LabelsOf(program)), sites_(sites) {}

  std::string Of(const std::string& text) {
    std::string result = "fairlead target 1\nkind: litmus\n";
    for (const std::string_view line : Split(text, '\n')) {
      for (const std::string_view word : Words(line)) {
        result += Word(word) + " ";
      }
      result += "\n";
    }
    return result;
  }

 private:
  trace::Place At(std::string_view label) {
    const auto found = labels_.find(std::string(label));
    EXPECT_NE(found, labels_.end()) << "no line has the label #" << label;
    return {.file = file_, .line = found == labels_.end() ? 1 : found->second};
  }
  uint64_t CallAt(std::string_view label) {
    const std::vector<uint64_t> anchors =
        AnchorsAt(sites_, At(label), finding::Operation::kLock);
    EXPECT_EQ(anchors.size(), 1u) << "calls at #" << label;
    return anchors.empty() ? 0 : anchors[0];
  }
  std::string Word(std::string_view word) {
    if (word.starts_with("@#")) {
      return "@" + trace::PlaceText(At(word.substr(2)));
    }
    if (word.starts_with("hold-at=#")) {
      return fmt::format("hold-at={}", CallAt(word.substr(9)));
    }
    if (word.starts_with("context=#")) {
      uint64_t context = abi::kRootContext;
      for (const std::string_view call : Split(word.substr(8), ',')) {
        context = abi::ContextOfCall(context, CallAt(call.substr(1)));
      }
      return fmt::format("context={}", context);
    }
    return std::string(word);
  }

  std::string file_;
  std::map<std::string, uint32_t> labels_;
  const trace::SiteTable& sites_;
};

class LitmusTest : public testing::TestWithParam<Litmus> {};

TEST_P(LitmusTest, IsRealisedIfItCanBe) {
  const Litmus& litmus = GetParam();
  SCOPED_TRACE(litmus.program + ": " + litmus.title);
  const std::string path = std::string(LITMUS_PROGRAMS "/") + litmus.program;
  const Result<Program> program = InspectProgram(path);
  ASSERT_TRUE(program.has_value()) << program.error().Text();
  const Result<trace::SiteTable> sites = SitesOf(program->path);
  ASSERT_TRUE(sites.has_value()) << sites.error().Text();
  const std::string text = Translation(litmus.program, *sites).Of(litmus.text);
  const Result<finding::Target> parsed = finding::ParseTargetUntrusted(text);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().Text() << "\n" << text;
  const Result<finding::Target> target = WithAnchors(*parsed, *sites);
  ASSERT_TRUE(target.has_value()) << target.error().Text();

  Order order = {.program = *program,
                 .argv = {path},
                 .environment = OwnEnvironment(),
                 .runtime = FAIRLEAD_RUNTIME};
  for (const std::string& argument : litmus.arguments) {
    order.argv.push_back(argument);
  }
  order.plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  order.plan.seed = 1;
  order.timeout = std::chrono::seconds(20);
  const Result<Forced> forced = ForceTarget(*target, order, {}, {});
  ASSERT_TRUE(forced.has_value()) << forced.error().Text();
  std::string why = forced->verdict.sentence + "\n";
  for (const std::string& line : forced->why) why += line + "\n";
  EXPECT_EQ(forced->reached == Reached::kRealised, litmus.feasible) << why;
  EXPECT_NE(WordOf(forced->verdict.word), "cut") << why;
  if (litmus.feasible) return;
  EXPECT_FALSE(forced->why.empty());
  EXPECT_EQ(forced->attempts, kDefaultAttempts);
  if (!litmus.fails) EXPECT_EQ(WordOf(forced->verdict.word), "ok") << why;
}

INSTANTIATE_TEST_SUITE_P(Litmus, LitmusTest, testing::ValuesIn(AllLitmus()),
                         [](const auto& litmus) {
                           std::string name =
                               litmus.param.program + "_" + litmus.param.title;
                           std::ranges::replace_if(
                               name, [](char c) { return !isalnum(c); }, '_');
                           return name + "_" + std::to_string(litmus.index);
                         });

TEST(LitmusTest, ThereAreAtLeastForty) { EXPECT_GE(AllLitmus().size(), 40u); }

}  // namespace
}  // namespace fairlead::explore
