// analysis/asset/together.h
//
// Data that belongs together, and that another schedule would see, or leave,
// out of step, although every access may be locked: Phase I of AssetFuzzer
// (Lai, Cheung and Chan, ICSE 2010), from one execution, which may be a good
// one.
//
//   objects.h   which atomic set an access touches
//   frames.h    which unit of work it belongs to
//   compare.h   whether two units could be mixed
//   pattern.h   what is wrong with that
//
// A unit that is over is compared with those that other threads did to the same
// set, one of each shape: what it did, where, with which locks. Predictions are
// targets of three or four steps with units, contexts, and the locks that open
// the window.
//
// Unsound: of a unit, kMaxSteps accesses to one set, of an access that is
// repeated the first and the last; of a set, the kMaxShapes shapes seen last;
// kMaxSets sets. Predictions: kMaxOfFields for two fields of a class, kMaxInAll
// in all.
// Incomplete: that fields of one class belong together is a guess. Forcing
// tells what comes of it.

#ifndef FAIRLEAD_ANALYSIS_ASSET_TOGETHER_H_
#define FAIRLEAD_ANALYSIS_ASSET_TOGETHER_H_

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/asset/compare.h"
#include "analysis/asset/frames.h"
#include "analysis/asset/objects.h"
#include "analysis/declared.h"

namespace fairlead::analysis {

class Together final : public Analysis {
 public:
  static constexpr size_t kMaxSteps = 24;
  static constexpr size_t kMaxShapes = 32;
  static constexpr size_t kMaxSets = 1u << 16;
  static constexpr size_t kMaxOfFields = 4;
  static constexpr size_t kMaxInAll = 40;

  explicit Together(asset::LockRule rule = asset::LockRule::kExact)
      : rule_(rule) {}

  std::string_view name() const override { return "together"; }
  bool WantsFrames() const override { return true; }
  void OnDeclared(const Declared& declared) override {
    declared_ = &declared;
    frames_.Declare(declared);
  }
  void OnBegin(trace::ProgramTables& tables) override;
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;
  void OnEnd(PredictionSink& out) override;

 private:
  // What one round of a unit did to one set.
  struct Record {
    trace::Tid tid = trace::Tid::kNone;
    const trace::FunctionName* function = nullptr;  // null = a section
    uint32_t node = 0;                              // of its frame
    asset::UnitSteps steps;
    uint64_t shape = 0;
    // Shapes with which it could never match, or has been reported.
    std::set<uint64_t> settled;
  };
  struct SetState {
    std::shared_ptr<asset::SetInstance> set;
    std::vector<Record> records;
  };
  struct Open {
    asset::UnitId unit;
    std::shared_ptr<asset::SetInstance> set;
    Record record;
  };
  // What is wrong between which two records.
  struct Found {
    asset::Violation violation;
    const Record* u;
    const Record* other;
  };

  static void Add(asset::UnitStep step, asset::UnitSteps& steps);
  static uint64_t ShapeOf(const Record& record);
  void OnEnded(asset::UnitId unit, PredictionSink& out);
  void Publish(const std::shared_ptr<asset::SetInstance>& set, Record record,
               PredictionSink& out);
  bool CompareWith(const asset::SetInstance& set, const Record& a,
                   const Record& b, PredictionSink& out);
  bool MayReport(const asset::SetInstance& set, const Found& found);
  void Report(const asset::SetInstance& set, const Found& found,
              PredictionSink& out);

  asset::LockRule rule_;
  const Declared* declared_ = nullptr;  // null = nothing
  asset::Objects objects_;
  asset::Frames frames_;
  std::unordered_map<uint64_t, std::vector<Open>> open_;  // by activation
  std::unordered_map<uint64_t, SetState> sets_;           // by number
  std::map<std::string, size_t> num_of_fields_;           // reported
  std::set<std::string> reported_;
  size_t num_reported_ = 0;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_ASSET_TOGETHER_H_
