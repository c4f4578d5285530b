// The contract of store::Store, and what the file does when things go wrong.

#include "store/store.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "old_store.h"
#include "store/database.h"
#include "trace/text.h"

namespace fairlead::store {
namespace {

using finding::Finding;
using finding::Kind;
using testing::HasSubstr;
using testing::SizeIs;

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    char name[] = "/tmp/fairlead-store-XXXXXX";
    directory_ = mkdtemp(name);
    path_ = directory_ / ".fairlead" / "store.db";
  }
  ~StoreTest() override { fs::remove_all(directory_); }

  std::unique_ptr<Store> Open() {
    Result<std::unique_ptr<Store>> store = OpenStore(path_, IfMissing::kCreate);
    EXPECT_TRUE(store) << store.error().Text();
    return *std::move(store);
  }
  // The error of opening what is at `path_`.
  Error OpenError() {
    const auto store = OpenStore(path_, IfMissing::kCreate);
    EXPECT_FALSE(store);
    return store ? Error(ErrorCode::kOurBug) : store.error();
  }

  fs::path directory_;
  fs::path path_;
};

const Build kBuild = {
    .program = "app", .build_id = "aa", .instrumented = true, .num_sites = 7};
const Build kNextBuild = {
    .program = "app", .build_id = "bb", .instrumented = true, .num_sites = 8};

CampaignId Begin(Store& store, const Build& build = kBuild) {
  const auto campaign =
      store.BeginCampaign(build, {{"argv", {"./app"}}}, "0.1.0");
  EXPECT_TRUE(campaign) << campaign.error().Text();
  return *campaign;
}

Finding Sample(uint64_t fingerprint = 1) {
  Finding finding;
  finding.kind = Kind::kDeadlock;
  finding.verdict = finding::Verdict::kConfirmed;
  finding.message = "main and main/1 wait for each other";
  finding.details = {"one", "two"};
  finding.sites = {{.function = "f", .place = {"a.c", 3, 9}, .anchor = 0x77}};
  finding.fingerprint = fingerprint;
  finding.witness.schedule.emplace();
  finding.witness.schedule->seed = 42;
  finding.witness.schedule->strategy = "random";
  finding.witness.schedule->identity.program = "/x/app";
  finding.witness.schedule->identity.builds = {{"aa", "/x/app"}};
  finding.witness.schedule->identity.argv = {"./app"};
  finding.witness.schedule->carrier = "fiber";
  finding.witness.schedule->tool = "0.1.0";
  finding.witness.schedule->threads = {{.path = "main"}};
  finding.witness.schedule->quiet = {.idle = {0x10, 0xffffffffffffffff},
                                     .ordered = {0x20}};
  finding.witness.slice = trace::ParseTrace("main: write x\nmain: lock m\n");
  finding.witness.threads = {{.thread = "main",
                              .doing = "waits",
                              .at_fault = true,
                              .frames = finding.sites}};
  finding.witness.sources["a.c"][3] = "  lock(m);";
  finding.witness.output = std::string("not \xff utf-8\0", 12);
  return finding;
}

Recorded Record(Store& store, CampaignId campaign, const Finding& finding,
                uint64_t execution = 1) {
  const auto recorded = store.RecordFinding(campaign, finding, execution);
  EXPECT_TRUE(recorded) << recorded.error().Text();
  return *recorded;
}

TEST_F(StoreTest, KeepsAFindingWithItsWitness) {
  const Finding finding = Sample();
  {
    const auto store = Open();
    Record(*store, Begin(*store), finding, 37);
  }
  const auto store = Open();
  const auto stored = store->Load(FindingId{1});
  ASSERT_TRUE(stored) << stored.error().Text();
  EXPECT_EQ(stored->build.program, "app");
  EXPECT_EQ(stored->first_execution, 37);
  EXPECT_EQ(stored->times, 1);
  EXPECT_EQ(stored->setting["argv"][0], "./app");
  EXPECT_EQ(stored->finding.message, finding.message);
  EXPECT_EQ(stored->finding.details, finding.details);
  EXPECT_EQ(stored->finding.sites, finding.sites);
  EXPECT_EQ(stored->finding.verdict, finding.verdict);
  const finding::Witness& witness = stored->finding.witness;
  EXPECT_EQ(witness.schedule->seed, 42);
  EXPECT_EQ(witness.schedule->quiet, finding.witness.schedule->quiet);
  EXPECT_EQ(witness.slice, finding.witness.slice);
  EXPECT_EQ(witness.threads, finding.witness.threads);
  EXPECT_EQ(witness.sources, finding.witness.sources);
  EXPECT_EQ(witness.output, finding.witness.output);
}

TEST_F(StoreTest, KeepsAnExplanationUntilTheWitnessIsReplaced) {
  const auto store = Open();
  Record(*store, Begin(*store), Sample());
  EXPECT_FALSE(store->Load(FindingId{1})->explanation);
  finding::Explanation explanation;
  explanation.before = {.preemptions = 9, .switches = 40};
  explanation.after = {.preemptions = 1, .switches = 4};
  explanation.executions = 77;
  explanation.fibers = {.failed = 20, .tried = 20};
  explanation.witness = Sample().witness;
  explanation.witness.schedule->seed = 7;
  explanation.ordering.emplace();
  explanation.ordering->target = *finding::ParseTargetUntrusted(
      "fairlead target 1\nkind: orders\nobject x\n"
      "step 1 a: read x anchor=0x1\nstep 2 b: write x anchor=0x2\n"
      "edge 1 -> 2\nsuccess failure\n");
  explanation.ordering->names = {{.function = "f", .same_kind = {1, 3}},
                                 {.line = "x = 1;", .pass = 2, .passes = 3}};
  explanation.ordering->edges = {{.released = {.failed = 3, .tried = 50},
                                  .reversed = {.possible = false}}};
  ASSERT_TRUE(store->Explain(FindingId{1}, explanation));

  const auto stored = Open()->Load(FindingId{1});
  ASSERT_TRUE(stored->explanation);
  EXPECT_EQ(stored->finding.witness.schedule->seed, 42) << "the original stays";
  EXPECT_EQ(stored->explanation->before, explanation.before);
  EXPECT_EQ(stored->explanation->after, explanation.after);
  EXPECT_EQ(stored->explanation->executions, 77);
  EXPECT_EQ(stored->explanation->fibers, explanation.fibers);
  EXPECT_EQ(stored->explanation->witness.schedule->seed, 7);
  EXPECT_EQ(stored->explanation->witness.slice, explanation.witness.slice);
  EXPECT_EQ(stored->explanation->ordering->target,
            explanation.ordering->target);
  EXPECT_EQ(stored->explanation->ordering->names, explanation.ordering->names);
  EXPECT_EQ(stored->explanation->ordering->edges, explanation.ordering->edges);

  Record(*store, Begin(*store, kNextBuild), Sample());
  EXPECT_FALSE(store->Load(FindingId{1})->explanation);
}

// A use after free of what one function freed, at another place each time.
Finding UseOf(uint64_t fingerprint, int site_of_free) {
  Finding finding = Sample(fingerprint);
  finding.kind = finding::Kind::kUseAfterFree;
  finding.witness.slice = trace::ParseTrace(
      fmt::format("site 1 call Close a.cc:3\nsite 2 call Other a.cc:9\n"
                  "object block 0x5000 40\na: free block value=40 site={}\n"
                  "b: misuse block+8 value=17\n",
                  site_of_free));
  return finding;
}

TEST_F(StoreTest, OneCauseIsOneFindingOverCampaigns) {
  const auto store = Open();
  EXPECT_EQ(Record(*store, Begin(*store), UseOf(1, 1)).novelty, Novelty::kNew);
  const CampaignId second = Begin(*store);
  const Recorded again = Record(*store, second, UseOf(2, 1));
  EXPECT_EQ(again.id, FindingId{1});
  EXPECT_EQ(again.novelty, Novelty::kKnown);
  EXPECT_EQ(Record(*store, second, UseOf(3, 2)).id, FindingId{2});
  ASSERT_EQ(store->Findings({})->size(), 2u);
  EXPECT_EQ(store->Findings({})->front().num_campaigns, 2u);
  // What the user does not want to hear of hides nothing.
  ASSERT_TRUE(store->SetStatus(FindingId{1}, FindingStatus::kIgnored));
  EXPECT_EQ(Record(*store, second, UseOf(4, 1)).novelty, Novelty::kNew);
}

TEST_F(StoreTest, OneFingerprintIsOneFinding) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  EXPECT_EQ(Record(*store, campaign, Sample(1)).novelty, Novelty::kNew);
  EXPECT_EQ(Record(*store, campaign, Sample(2)).id, FindingId{2});
  const Recorded again = Record(*store, campaign, Sample(1));
  EXPECT_EQ(again.id, FindingId{1});
  EXPECT_EQ(again.novelty, Novelty::kKnown);
  EXPECT_THAT(*store->Findings({}), SizeIs(2));
  EXPECT_THAT(*store->Findings("app"), SizeIs(2));
  EXPECT_THAT(*store->Findings("other"), SizeIs(0));
}

TEST_F(StoreTest, SightingsAddUpOverCampaigns) {
  const auto store = Open();
  for (int i = 0; i < 2; ++i) {
    const CampaignId campaign = Begin(*store);
    const Recorded recorded = Record(*store, campaign, Sample());
    ASSERT_TRUE(store->CountSightings(campaign, recorded.id, 5));
  }
  const auto findings = store->Findings({});
  ASSERT_THAT(*findings, SizeIs(1));
  EXPECT_EQ(findings->front().times, 10);
  EXPECT_EQ(findings->front().num_campaigns, 2);
}

TEST_F(StoreTest, ANewBuildBringsItsOwnWitness) {
  const auto store = Open();
  Record(*store, Begin(*store), Sample());
  Finding later = Sample();
  later.witness.schedule->seed = 43;
  Record(*store, Begin(*store), later);
  EXPECT_EQ(store->Load(FindingId{1})->finding.witness.schedule->seed, 42);
  Record(*store, Begin(*store, kNextBuild), later);
  const auto stored = store->Load(FindingId{1});
  EXPECT_EQ(stored->finding.witness.schedule->seed, 43);
  EXPECT_EQ(stored->first_build_id, "aa");
  EXPECT_EQ(stored->build.build_id, "bb");
}

TEST_F(StoreTest, WhatIsClearedComesBackWhatIsIgnoredDoesNot) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  Record(*store, campaign, Sample());
  ASSERT_TRUE(store->SetStatus(FindingId{1}, FindingStatus::kCleared));
  EXPECT_EQ(Record(*store, campaign, Sample()).novelty, Novelty::kBack);
  EXPECT_EQ(store->Load(FindingId{1})->status, FindingStatus::kOpen);
  ASSERT_TRUE(store->SetStatus(FindingId{1}, FindingStatus::kIgnored));
  EXPECT_EQ(Record(*store, campaign, Sample()).novelty, Novelty::kIgnored);
  EXPECT_EQ(store->Load(FindingId{1})->status, FindingStatus::kIgnored);
}

TEST_F(StoreTest, ThatItFailsAlwaysMayBecomeKnownLater) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  Finding finding = Sample();
  Record(*store, campaign, finding);
  finding.always = true;
  Record(*store, campaign, finding);
  EXPECT_TRUE(store->Load(FindingId{1})->finding.always);
}

TEST_F(StoreTest, AWrongNumberIsToldAsSuch) {
  const auto store = Open();
  EXPECT_EQ(store->Load(FindingId{9}).error().code(), ErrorCode::kUsage);
  EXPECT_EQ(store->SetStatus(FindingId{9}, FindingStatus::kOpen).error().code(),
            ErrorCode::kUsage);
}

TEST_F(StoreTest, CampaignsAddUpTheirBatches) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  ASSERT_TRUE(store->RecordExecutions(
      campaign, {.first = 1, .executions = 100, .failed = 2, .cut = 1}));
  ASSERT_TRUE(
      store->RecordExecutions(campaign, {.first = 101, .executions = 50}));
  EXPECT_EQ((*store->Campaigns(9))[0].ending, "");
  ASSERT_TRUE(store->EndCampaign(campaign, "done", Json::object()));
  const auto campaigns = store->Campaigns(9);
  ASSERT_THAT(*campaigns, SizeIs(1));
  EXPECT_EQ(campaigns->front().executions, 150);
  EXPECT_EQ(campaigns->front().failed, 2);
  EXPECT_EQ(campaigns->front().ending, "done");
}

TEST_F(StoreTest, TwoCampaignsAtOnceShareAStore) {
  const auto one = Open();
  const auto other = Open();
  const CampaignId a = Begin(*one);
  const CampaignId b = Begin(*other);
  for (uint64_t i = 1; i <= 20; ++i) {
    Record(*one, a, Sample(2 * i));
    Record(*other, b, Sample(2 * i + 1));
    Record(*other, b, Sample(2 * i));
  }
  const auto findings = one->Findings({});
  ASSERT_THAT(*findings, SizeIs(40));
  EXPECT_EQ(findings->back().id, FindingId{40});
}

TEST_F(StoreTest, WhatWasRecordedSurvivesAKill) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto store = Open();
    const CampaignId campaign = Begin(*store);
    for (uint64_t i = 1;; ++i) {
      Record(*store, campaign, Sample(i));
      if (i == 5 && write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const auto store = Open();
  const auto findings = store->Findings({});
  ASSERT_TRUE(findings);
  EXPECT_GE(findings->size(), 5);
  EXPECT_TRUE(store->Load(findings->back().id));
}

TEST_F(StoreTest, AMissingStoreIsMadeOnlyWhenAsked) {
  const auto store = OpenStore(path_, IfMissing::kFail);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(StoreTest, AnEmptyFileIsNoStoreYet) {
  fs::create_directories(path_.parent_path());
  ASSERT_TRUE(WriteFile(path_, ""));
  const auto store = OpenStore(path_, IfMissing::kFail);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().Text(),
            path_.string() +
                " is empty: no store yet; fairlead test makes one; --store "
                "names another file");
  EXPECT_EQ(fs::file_size(path_), 0u) << "who only reads has written";
  const auto made = Open();
  Record(*made, Begin(*made), Sample());
  EXPECT_TRUE(OpenStore(path_, IfMissing::kFail));
}

TEST_F(StoreTest, WhatIsNoFileIsRefusedByItsName) {
  fs::create_directories(path_);
  EXPECT_THAT(OpenError().Text(), HasSubstr("is a directory, and no store"));
  path_ = "/dev/null";
  EXPECT_THAT(OpenError().Text(),
              HasSubstr("/dev/null is no regular file, and no store"));
}

TEST_F(StoreTest, ALinkToNothingIsAStoreOnceItIsMade) {
  fs::create_symlink("real.db", directory_ / "link.db");
  path_ = directory_ / "link.db";
  EXPECT_FALSE(OpenStore(path_, IfMissing::kFail));
  Open();
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_TRUE(fs::exists(directory_ / "real.db"));
  fs::create_symlink("no/real.db", directory_ / "far.db");
  path_ = directory_ / "far.db";
  EXPECT_THAT(OpenError().Text(), HasSubstr("No such file or directory"));
}

TEST_F(StoreTest, ANewerVersionIsRefusedAndLeftAlone) {
  Open();
  {
    auto database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_TRUE(database->Execute("PRAGMA user_version = 99"));
  }
  const Error error = OpenError();
  EXPECT_EQ(error.code(), ErrorCode::kTooNew);
  EXPECT_THAT(error.Text(), HasSubstr("version 99"));
  EXPECT_EQ(OpenError().code(), ErrorCode::kTooNew);
}

TEST_F(StoreTest, OtherFilesAreRefusedAndLeftAlone) {
  fs::create_directories(path_.parent_path());
  const std::string text(1000, 'x');
  ASSERT_TRUE(WriteFile(path_, text));
  EXPECT_EQ(OpenError().code(), ErrorCode::kMalformed);
  EXPECT_EQ(*ReadFile(path_), text);
  fs::remove(path_);
  {
    auto database = Database::Open(path_, Database::Mode::kCreate);
    ASSERT_TRUE(database->Execute("CREATE TABLE theirs (x)"));
  }
  EXPECT_EQ(OpenError().code(), ErrorCode::kMalformed);
}

// Where nothing can be written, SQLite's files beside it cannot be, either.
TEST_F(StoreTest, AStoreIsReadWithoutWritingAnything) {
  {
    const auto store = Open();
    Record(*store, Begin(*store), Sample());
  }
  auto database = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_TRUE(database);
  auto query = database->Prepare("SELECT count(*) AS n FROM findings");
  ASSERT_TRUE(query);
  ASSERT_TRUE(query->Next());
  EXPECT_EQ(query->Number("n"), 1u);
  EXPECT_EQ(query->Text("n"), "1");
  EXPECT_DEATH(query->Number("m"), "column m of SELECT count");
  const auto files = fs::directory_iterator(path_.parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  const Status written = database->Execute("DELETE FROM findings");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kPermission);
}

TEST_F(StoreTest, AnOlderStoreIsBroughtUpToDate) {
  MakeVersion3(path_);
  const auto store = Open();
  const auto stored = store->Load(FindingId{1});
  ASSERT_TRUE(stored) << stored.error().Text();
  EXPECT_EQ(stored->finding.message, "main/1 uses what main freed");
  EXPECT_EQ(stored->finding.severity, finding::Severity::kHigh);
  EXPECT_FALSE(stored->finding.witness.aim);
  EXPECT_EQ(stored->times, 3u);
  EXPECT_EQ(Record(*store, Begin(*store), Sample()).id, FindingId{2});
}

TEST_F(StoreTest, AnOlderStoreThatMayOnlyBeReadIsShownAndLeftAlone) {
  MakeVersion3(path_);
  const Result<std::string> before = ReadFile(path_);
  {
    const auto store = OpenStoreToRead(path_);
    ASSERT_TRUE(store) << store.error().Text();
    EXPECT_THAT(*(*store)->Findings({}), SizeIs(1));
    EXPECT_TRUE((*store)->Load(FindingId{1}));
    const Status set =
        (*store)->SetStatus(FindingId{1}, FindingStatus::kIgnored);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code(), ErrorCode::kPermission);
  }
  EXPECT_EQ(*before, *ReadFile(path_));
}

// A race that an analysis says is possible.
Finding Predicted(finding::Verdict verdict, uint64_t fingerprint = 70) {
  Finding finding;
  finding.kind = Kind::kRace;
  finding.severity = finding::Severity::kLow;
  finding.verdict = verdict;
  finding.message = "x: write at a.c:3 (main), read at a.c:9 (main/1)";
  finding.fingerprint = fingerprint;
  finding::Aim& aim = finding.witness.aim.emplace();
  aim.target.kind = "race";
  aim.target.objects = {{.name = "x", .other = ""}};
  aim.target.steps.resize(2);
  aim.target.steps[0] = {.thread = "a", .object = "x", .anchor = 1};
  aim.target.steps[1] = {.thread = "b", .object = "x", .anchor = 2};
  aim.target.edges = {{.before = 0, .after = 1}};
  aim.prediction = fingerprint;
  aim.attempts = 4;
  aim.tried = {"it did not happen in 4 attempts"};
  return finding;
}

void Predict(Store& store, CampaignId campaign, const Finding& finding) {
  const Status done = store.RecordPredictions(campaign, {&finding, 1});
  ASSERT_TRUE(done) << done.error().Text();
}

constexpr FindingId kP1 = FindingId{~uint64_t{0}};

TEST_F(StoreTest, APredictionIsAFindingWithItsTarget) {
  const auto store = Open();
  Predict(*store, Begin(*store), Predicted(finding::Verdict::kPredicted));
  EXPECT_EQ(NameOf(kP1), "P1");
  const auto stored = store->Load(kP1);
  ASSERT_TRUE(stored) << stored.error().Text();
  EXPECT_EQ(stored->finding.verdict, finding::Verdict::kPredicted);
  ASSERT_TRUE(stored->finding.witness.aim);
  const Finding sample = Predicted(finding::Verdict::kPredicted);
  EXPECT_EQ(stored->finding.witness.aim->target, sample.witness.aim->target);
  EXPECT_EQ(stored->finding.witness.aim->tried, sample.witness.aim->tried);
  // Numbers of what executions show do not depend on it.
  EXPECT_EQ(Record(*store, Begin(*store), Sample()).id, FindingId{1});
}

TEST_F(StoreTest, WhatWasRefutedIsNotForgottenUntilTheNextBuild) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  Predict(*store, campaign, Predicted(finding::Verdict::kPredicted));
  Predict(*store, campaign, Predicted(finding::Verdict::kRefuted));
  Predict(*store, Begin(*store), Predicted(finding::Verdict::kPredicted));
  EXPECT_EQ(store->Load(kP1)->finding.verdict, finding::Verdict::kRefuted);
  Predict(*store, Begin(*store, kNextBuild),
          Predicted(finding::Verdict::kPredicted));
  EXPECT_EQ(store->Load(kP1)->finding.verdict, finding::Verdict::kPredicted);
  EXPECT_THAT(*store->Findings({}), SizeIs(1));
}

TEST_F(StoreTest, WhatShowsAPredictionTakesItsRow) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  Predict(*store, campaign, Predicted(finding::Verdict::kPredicted));
  Finding crash = Sample();
  crash.witness.aim = Predicted(finding::Verdict::kPredicted).witness.aim;
  const Recorded recorded = Record(*store, campaign, crash, 7);
  EXPECT_EQ(recorded.id, FindingId{1});
  EXPECT_EQ(recorded.novelty, Novelty::kNew);
  EXPECT_THAT(*store->Findings({}), SizeIs(1));
  const auto stored = store->Load(kP1);  // its name as a prediction
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->id, FindingId{1});
  EXPECT_EQ(stored->finding.kind, Kind::kDeadlock);
  EXPECT_EQ(stored->finding.verdict, finding::Verdict::kConfirmed);
  EXPECT_EQ(stored->first_execution, 7u);
  EXPECT_TRUE(stored->finding.witness.aim);
  // Predicted once more, it is known; and so is the failure.
  Predict(*store, Begin(*store), Predicted(finding::Verdict::kRefuted));
  EXPECT_EQ(Record(*store, Begin(*store), crash).novelty, Novelty::kKnown);
  EXPECT_THAT(*store->Findings({}), SizeIs(1));
  EXPECT_EQ(store->Load(FindingId{1})->finding.verdict,
            finding::Verdict::kConfirmed);
}

TEST_F(StoreTest, OneFindingStandsForAllPredictionsThatItShows) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  const Recorded known = Record(*store, campaign, Sample());
  Predict(*store, campaign, Predicted(finding::Verdict::kPredicted));
  ASSERT_TRUE(store->ShowPrediction(campaign, 70, known.id));
  EXPECT_THAT(*store->Findings({}), SizeIs(1));
  EXPECT_EQ(store->Load(kP1)->id, known.id);
  Predict(*store, Begin(*store), Predicted(finding::Verdict::kPredicted));
  EXPECT_THAT(*store->Findings({}), SizeIs(1));
}

TEST_F(StoreTest, WhatIsIgnoredAsAPredictionDoesNotHideWhatShowsIt) {
  const auto store = Open();
  const CampaignId campaign = Begin(*store);
  Predict(*store, campaign, Predicted(finding::Verdict::kPredicted));
  ASSERT_TRUE(store->SetStatus(kP1, FindingStatus::kIgnored));
  Finding crash = Sample();
  crash.witness.aim = Predicted(finding::Verdict::kPredicted).witness.aim;
  EXPECT_EQ(Record(*store, campaign, crash).novelty, Novelty::kNew);
}

TEST_F(StoreTest, AFullDiskIsToldAsSuch) {
  Open();
  auto database = Database::Open(path_, Database::Mode::kReadWrite);
  // The smallest limit SQLite takes: as large as it is now.
  ASSERT_TRUE(database->Execute("PRAGMA max_page_count = 1"));
  const Status filled = database->Execute(
      "INSERT INTO programs VALUES ('x', hex(zeroblob(100000)), 0)");
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code(), ErrorCode::kNoSpace);
}

TEST_F(StoreTest, ADamagedWitnessIsAnErrorAndTheListStillWorks) {
  const auto store = Open();
  Record(*store, Begin(*store), Sample());
  {
    auto database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_TRUE(database->Execute(
        "UPDATE findings SET witness = x'00112233', kind = 'martian'"));
  }
  EXPECT_EQ(store->Load(FindingId{1}).error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(store->Findings({})->front().finding.message,
              HasSubstr("martian"));
}

TEST(ProgramName, IsRelativeToTheProject) {
  EXPECT_EQ(ProgramName("/p/build/app", "/p/.fairlead/store.db"), "build/app");
  EXPECT_EQ(ProgramName("/q/app", "/p/.fairlead/store.db"), "/q/app");
  EXPECT_EQ(ProgramPath("build/app", "/p/.fairlead/store.db"), "/p/build/app");
  EXPECT_EQ(ProgramPath("/q/app", "/p/.fairlead/store.db"), "/q/app");
}

TEST_F(StoreTest, KeepsWhatIsKnownAcrossExecutions) {
  const auto store = Open();
  const MemoKey app = {.program = "app", .kind = "iroot"};
  const MemoKey other_kind = {.program = "app", .kind = "unit"};
  const uint64_t input = ~uint64_t{0} - 5;  // digests use all 64 bits
  MemoRows rows;
  rows.items = {{.item = "1 write:0x1=>read:0x2",
                 .exposures = 3,
                 .attempts = 1,
                 .predicted = true,
                 .attempts_here = 1,
                 .flags = 2}};
  rows.places = {{.anchor = ~uint64_t{0},
                  .place = {"a.c", 3, 9},
                  .function = "f",
                  .library = true,
                  .update = false}};
  rows.growth = {{1, 10, 1}, {4, 50, 2}};
  ASSERT_TRUE(store->AddToMemo(app, input, rows));
  const auto loaded = store->LoadMemo(app, input);
  ASSERT_TRUE(loaded) << loaded.error().Text();
  EXPECT_EQ(loaded->items, rows.items);
  EXPECT_EQ(loaded->places, rows.places);
  EXPECT_EQ(loaded->growth, rows.growth);
  EXPECT_EQ(*store->MainInput(app), input);
  EXPECT_THAT(store->LoadMemo({"other", "iroot"}, input)->items, SizeIs(0));
  // Of another kind nothing is known yet, but where places are.
  const auto unlike = store->LoadMemo(other_kind, input);
  EXPECT_THAT(unlike->items, SizeIs(0));
  EXPECT_THAT(unlike->growth, SizeIs(0));
  EXPECT_EQ(unlike->places, rows.places);

  // Counts are added up; another input clears what was predicted.
  rows.items[0].exposures = 2;
  ASSERT_TRUE(store->AddToMemo(app, input, rows));
  const auto elsewhere = store->LoadMemo(app, 7);
  ASSERT_TRUE(elsewhere);
  EXPECT_EQ(elsewhere->items[0].exposures, 5u);
  EXPECT_EQ(elsewhere->items[0].attempts, 2u);
  EXPECT_FALSE(elsewhere->items[0].predicted);
  EXPECT_EQ(elsewhere->items[0].attempts_here, 0u);
}

TEST_F(StoreTest, ForgetsOneKindOrAll) {
  const auto store = Open();
  const MemoKey kinds[] = {{"app", "iroot"}, {"app", "unit"}};
  MemoRows rows;
  rows.items = {{.item = "x", .exposures = 1}};
  rows.places = {{.anchor = 1, .place = {"a.c", 3, 9}, .function = "f"}};
  rows.growth = {{1, 10, 1}};
  for (const MemoKey& kind : kinds) {
    ASSERT_TRUE(store->AddToMemo(kind, 7, rows));
  }
  EXPECT_EQ(*store->ProgramsWithMemo("unit"), std::vector<std::string>{"app"});
  ASSERT_TRUE(store->ForgetMemo("app", "unit"));
  EXPECT_THAT(*store->ProgramsWithMemo("unit"), SizeIs(0));
  EXPECT_THAT(store->LoadMemo(kinds[1], 7)->growth, SizeIs(0));
  EXPECT_EQ(store->LoadMemo(kinds[0], 7)->items, rows.items);
  EXPECT_EQ(store->LoadMemo(kinds[0], 7)->growth, rows.growth);
  EXPECT_EQ(store->LoadMemo(kinds[0], 7)->places, rows.places);
  ASSERT_TRUE(store->AddToMemo(kinds[1], 7, rows));
  ASSERT_TRUE(store->ForgetMemo("app", {}));
  for (const MemoKey& kind : kinds) {
    const auto left = store->LoadMemo(kind, 7);
    EXPECT_THAT(left->items, SizeIs(0));
    EXPECT_THAT(left->growth, SizeIs(0));
    EXPECT_THAT(left->places, SizeIs(0));
  }
}

TEST_F(StoreTest, KeepsWhatAnOlderStoreKnewOfIRoots) {
  MakeVersion3(path_);
  {
    auto database = Database::Open(path_, Database::Mode::kReadWrite);
    const Status put = database->Execute(
        "INSERT INTO iroots VALUES ('p1', '1 write:0x1=>read:0x2', 3, 2, 7, 1, "
        "1, 2);"
        "INSERT INTO iroot_places VALUES ('p1', 1, 'a.c', 3, 9, 'f', 1, 0);"
        "INSERT INTO iroot_growth VALUES ('p1', 4, 50, 2)");
    ASSERT_TRUE(put) << put.error().Text();
  }
  const auto store = Open();
  const auto memo = store->LoadMemo({"app", "iroot"}, 7);
  ASSERT_TRUE(memo) << memo.error().Text();
  EXPECT_EQ(memo->items,
            (std::vector<MemoItemRow>{{.item = "1 write:0x1=>read:0x2",
                                       .exposures = 3,
                                       .attempts = 2,
                                       .predicted = true,
                                       .attempts_here = 1,
                                       .flags = 2}}));
  EXPECT_EQ(memo->places, (std::vector<MemoPlaceRow>{{.anchor = 1,
                                                      .place = {"a.c", 3, 9},
                                                      .function = "f",
                                                      .library = true,
                                                      .update = false}}));
  EXPECT_EQ(memo->growth, (std::vector<MemoGrowthRow>{{4, 50, 2}}));
}

}  // namespace
}  // namespace fairlead::store
