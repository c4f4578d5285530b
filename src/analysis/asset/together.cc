#include "analysis/asset/together.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/makers.h"

namespace fairlead::analysis {
namespace {

using asset::Form;
using asset::PatternStep;
using asset::SetInstance;
using asset::Side;
using asset::UnitStep;
using asset::UnitSteps;
using asset::Violation;
using order::Spot;
using trace::Event;
using trace::EventKind;

uint64_t Mixed(uint64_t digest, uint64_t word) {
  digest = (digest ^ word) * 0x9e3779b97f4a7c15;
  return digest ^ (digest >> 29);
}

bool IsSamePlace(const UnitStep& a, const UnitStep& b) {
  return a.field == b.field && a.kind == b.kind && a.spot.site == b.spot.site &&
         a.spot.node == b.spot.node;
}

// Where its thread should wait for its turn: at the first lock around the step
// that it has not held since `since`.
Spot HoldOf(const UnitStep& step, const UnitStep* since) {
  if (step.locks == nullptr) return {};
  for (const order::HeldLock& held : *step.locks) {
    if (since != nullptr && held.seq < since->spot.seq) continue;
    Spot spot;
    spot.site = static_cast<uint32_t>(held.site >> 1);
    spot.instrumented = (held.site & 1) != 0;
    return spot;
  }
  return {};
}

// The more telling first: of two fields, each touched by both; of one.
int RankOf(const Violation& violation) {
  switch (violation.pattern->number) {
    case 6:
    case 9:
      return 0;
    case 8:
      return 1;
    case 1:
      return 2;
    case 7:
    case 10:
    case 11:
      return 3;
    default:
      return 4;
  }
}

}  // namespace

void Together::OnBegin(trace::ProgramTables& tables) {
  objects_.Begin(tables);
  frames_.Begin(tables, objects_.layouts());
}

// Of what is done again and again, the first and the last.
void Together::Add(UnitStep step, UnitSteps& steps) {
  size_t same = 0;
  size_t last = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!IsSamePlace(steps[i], step)) continue;
    ++same;
    last = i;
  }
  if (same >= 2) {
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(last));
  } else if (steps.size() == kMaxSteps) {
    return;
  }
  steps.push_back(std::move(step));
}

void Together::OnAccess(const Event& event, order::Model& order,
                        PredictionSink& out) {
  const std::optional<asset::Located> located = objects_.Locate(event);
  if (!located || order.IsBenign(event.address)) return;
  const asset::UnitFrame& unit = frames_.UnitOf(event.tid, *located->set);
  UnitStep step = {.field = located->field,
                   .kind = order.kind(),
                   .wide = located->wide,
                   .spot = order::SpotOf(event),
                   .address = event.address,
                   .locks = order.locks().SnapshotOf(event.tid),
                   .epoch = order.loose_epoch(),
                   .clock = order.loose().SnapshotOf(event.tid)};
  Record fresh = {.tid = event.tid,
                  .function = unit.function,
                  .node = unit.node,
                  .steps = {},
                  .shape = 0,
                  .settled = {}};
  if (unit.id.activation == 0) {
    fresh.node = event.node;
    fresh.steps.push_back(std::move(step));
    Publish(located->set, std::move(fresh), out);
    return;
  }
  std::vector<Open>& open = open_[unit.id.activation];
  const auto known = std::ranges::find_if(open, [&](const Open& each) {
    return each.unit == unit.id && each.set == located->set;
  });
  Open& into =
      known != open.end()
          ? *known
          : open.emplace_back(Open{unit.id, located->set, std::move(fresh)});
  Add(std::move(step), into.record.steps);
}

void Together::OnOther(const Event& event, order::Model& order,
                       PredictionSink& out) {
  frames_.OnOther(event, order.locks().HeldBy(event.tid).size(),
                  [&](asset::UnitId unit) { OnEnded(unit, out); });
  if (event.kind == EventKind::kEnter) {
    const trace::FunctionName* function = frames_.Entered(event.tid);
    if (function != nullptr && function->has(abi::kFunctionThis)) {
      objects_.OnMethod(function->type, event.address,
                        function->has(abi::kFunctionConstructor));
    }
  } else {
    objects_.OnOther(event);
  }
  for (const uint64_t gone : objects_.TakeGone()) sets_.erase(gone);
}

void Together::OnEnd(PredictionSink& out) {
  std::vector<asset::UnitId> left;
  for (const auto& [activation, open] : open_) {
    for (const Open& each : open) left.push_back(each.unit);
  }
  std::ranges::sort(left);
  for (const asset::UnitId& unit : left) OnEnded(unit, out);
}

void Together::OnEnded(asset::UnitId unit, PredictionSink& out) {
  const auto at = open_.find(unit.activation);
  if (at == open_.end()) return;
  std::vector<Open> open = std::move(at->second);
  open_.erase(at);
  for (Open& each : open) Publish(each.set, std::move(each.record), out);
}

uint64_t Together::ShapeOf(const Record& record) {
  uint64_t shape = Mixed(1, static_cast<uint64_t>(record.tid));
  shape = Mixed(shape, record.node);
  std::vector<uint64_t> sections;
  for (const UnitStep& step : record.steps) {
    shape = Mixed(shape,
                  uint64_t{step.field} << 8 | static_cast<uint64_t>(step.kind));
    shape = Mixed(shape, uint64_t{step.spot.site} << 32 | step.spot.node);
    if (step.locks == nullptr) continue;
    for (const order::HeldLock& held : *step.locks) {
      // Which section of the unit it is, not of the execution.
      const auto known = std::ranges::find(sections, held.section);
      const auto number = static_cast<uint64_t>(known - sections.begin());
      if (known == sections.end()) sections.push_back(held.section);
      shape = Mixed(shape, held.lock ^ number << 50 ^
                               static_cast<uint64_t>(held.mode) << 62);
    }
  }
  return shape;
}

void Together::Publish(const std::shared_ptr<SetInstance>& set, Record record,
                       PredictionSink& out) {
  if (sets_.size() == kMaxSets && !sets_.contains(set->number)) return;
  SetState& state = sets_[set->number];
  state.set = set;
  record.shape = ShapeOf(record);
  std::vector<Record>& records = state.records;
  const auto same = std::ranges::find(records, record.shape, &Record::shape);
  if (same != records.end()) {
    record.settled = std::move(same->settled);
    records.erase(same);
  } else if (records.size() == kMaxShapes) {
    records.erase(records.begin());
  }
  for (Record& other : records) {
    if (other.tid == record.tid || record.settled.contains(other.shape)) {
      continue;
    }
    if (CompareWith(*set, record, other, out)) {
      record.settled.insert(other.shape);
      other.settled.insert(record.shape);
    }
  }
  records.push_back(std::move(record));
}

// True: nothing more will come of these two shapes.
bool Together::CompareWith(const SetInstance& set, const Record& a,
                           const Record& b, PredictionSink& out) {
  std::vector<Found> found;
  for (const auto& [u, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (Violation& violation : asset::Compare(u->steps, other->steps, rule_)) {
      found.push_back({std::move(violation), u, other});
    }
  }
  std::ranges::sort(found, {}, [&](const Found& each) {
    return std::tuple(RankOf(each.violation), each.violation.pattern->number,
                      each.u != &a, each.violation.at);
  });
  for (const Found& each : found) {
    if (MayReport(set, each)) Report(set, each, out);
  }
  if (!found.empty()) return true;
  return !asset::CouldMatch(a.steps, b.steps) &&
         !asset::CouldMatch(b.steps, a.steps);
}

bool Together::MayReport(const SetInstance& set, const Found& found) {
  if (num_reported_ == kMaxInAll) return false;
  const asset::Pattern& pattern = *found.violation.pattern;
  std::set<uint32_t> fields;
  for (size_t i = 0; i < pattern.num_steps(); ++i) {
    const Record& of =
        pattern.steps[i].side == Side::kFirst ? *found.u : *found.other;
    fields.insert(of.steps[found.violation.at[i]].field);
  }
  if (declared_ != nullptr && set.layout != nullptr) {
    Declared::Names names;
    for (const uint32_t field : fields) {
      names.insert(set.layout->fields[field].name);
    }
    if (!declared_->MayTell(set.layout->name, names)) return false;
  }
  std::string key =
      set.layout == nullptr ? set.file : fmt::format("{:x}", set.layout->type);
  for (const uint32_t field : fields) key += fmt::format(" {}", field);
  const auto id_of = [](const Record& record) {
    return record.function == nullptr ? 0 : record.function->id;
  };
  // Of two units and two fields, one of each form.
  const std::string exact =
      fmt::format("{} {} {:x} {:x}", key, static_cast<int>(pattern.form),
                  id_of(*found.u), id_of(*found.other));
  if (reported_.contains(exact)) return false;
  if (num_of_fields_[key] == kMaxOfFields) return false;
  reported_.insert(exact);
  ++num_of_fields_[key];
  ++num_reported_;
  return true;
}

void Together::Report(const SetInstance& set, const Found& found,
                      PredictionSink& out) {
  const asset::Pattern& pattern = *found.violation.pattern;
  Prediction prediction = NewPrediction(name(), "data out of step");
  auto apart = std::make_shared<Apart>();
  apart->pattern = pattern.number;
  apart->sentence = pattern.sentence;
  apart->set = set.layout != nullptr ? set.layout->name : "";
  apart->file = set.file;
  apart->units[0] = {found.u->function, found.u->node};
  apart->units[1] = {found.other->function, found.other->node};
  const auto step_at = [&](size_t i) -> const UnitStep& {
    const Record& of =
        pattern.steps[i].side == Side::kFirst ? *found.u : *found.other;
    return of.steps[found.violation.at[i]];
  };
  std::vector<uint32_t> fields;
  std::array<const UnitStep*, 2> last = {};
  std::array<uint32_t, 4> steps = {};
  for (size_t i = 0; i < pattern.num_steps(); ++i) {
    const UnitStep& step = step_at(i);
    const auto side = static_cast<size_t>(pattern.steps[i].side);
    const auto known = std::ranges::find(fields, step.field);
    const auto location = static_cast<size_t>(known - fields.begin());
    const bool is_new = known == fields.end();
    if (is_new) {
      fields.push_back(step.field);
      apart->fields.push_back(
          set.layout != nullptr ? set.layout->fields[step.field].name : "");
      apart->addresses.push_back(step.address);
    }
    if (is_new) {
      AddObject(prediction, location == 0 ? "x" : "y", step.address);
    }
    // Of an array or a container, each step may touch another part.
    const std::string object = step.wide ? "" : location == 0 ? "x" : "y";
    steps[i] = AddStep(prediction, step.spot, object);
    finding::TargetStep& made = prediction.target.steps[steps[i]];
    if (apart->units[side].function != nullptr) {
      made.unit = side == 0 ? "u" : "v";
    }
    apart->unit_of.push_back(static_cast<uint8_t>(side));
    prediction.holds[steps[i]] = HoldOf(step, last[side]);
    last[side] = &step;
  }
  for (size_t i = 1; i < pattern.num_steps(); ++i) {
    finding::TargetEdge edge = {.before = steps[i - 1], .after = steps[i]};
    if (i == 1) {
      for (const uint64_t lock : found.violation.opens) {
        edge.opens.push_back(
            AddObject(prediction, fmt::format("m{}", edge.opens.size() + 1),
                      lock, finding::Relation::kLock));
      }
    }
    prediction.target.edges.push_back(std::move(edge));
  }
  prediction.apart = std::move(apart);
  out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeTogether() {
  return std::make_unique<Together>();
}

}  // namespace fairlead::analysis
