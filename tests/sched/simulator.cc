#include "tests/sched/simulator.h"

#include <stdexcept>

#include "sched/fairness.h"
#include "sched/record.h"

namespace fairlead::sched {
namespace {

// A thread that spins in vain is given this many rounds before the simulator
// calls it a livelock: one to see that nothing changed is enough, since the
// toy's threads have no memory.
constexpr uint64_t kIdleRounds = 2;

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(Trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

ToyStep ParseStep(std::string_view text) {
  static constexpr struct {
    std::string_view word;
    Op op;
  } kWords[] = {{"read ", Op::kRead},
                {"write ", Op::kWrite},
                {"lock ", Op::kLock},
                {"unlock ", Op::kUnlock},
                {"yield until ", Op::kYield}};
  if (text == "yield") return {Op::kYield, ""};
  for (const auto& [word, op] : kWords) {
    if (text.starts_with(word)) {
      return {op, std::string(Trim(text.substr(word.size())))};
    }
  }
  throw std::invalid_argument("no operation of a toy program: '" +
                              std::string(text) + "'");
}

// One execution in the making.
class Execution {
 public:
  explicit Execution(const ToyProgram& program) : program_(program) {
    next_.resize(program.size());
    counts_.resize(program.size());
  }

  std::string Run(Strategy& strategy) {
    while (true) {
      std::vector<Candidate> enabled = Enabled();
      if (enabled.empty()) return taken_ + (AllEnded() ? "" : "!");
      enabled.resize(fairness_.Keep(enabled));
      if (fairness_.idle_rounds() >= kIdleRounds) return taken_ + "~";
      Take(enabled[Choose(strategy, enabled)].tid);
    }
  }

  const std::vector<abi::ChoiceRecord>& choices() const { return choices_; }
  const std::vector<abi::SeenRecord>& seen() const { return seen_; }

 private:
  size_t Choose(Strategy& strategy, const std::vector<Candidate>& enabled) {
    if (enabled.size() == 1 && !strategy.WatchesAll()) return 0;
    const Point point = {.step = Step{step_++},
                         .enabled = enabled,
                         .running = running_,
                         .count = Here(),
                         .site = Where(running_),
                         .yielding = yielding_};
    const size_t picked = strategy.Pick(point);
    if (picked >= enabled.size()) throw std::out_of_range("Pick");
    if (enabled.size() == 1) return picked;
    if (IsRecorded(point, picked)) choices_.push_back(RecordOf(point, picked));
    for (size_t i = 0; i < enabled.size(); ++i) {
      const int flags = (i + 1 == enabled.size() ? abi::kSeenLast : 0) |
                        (i == picked ? abi::kSeenChosen : 0) |
                        (yielding_ ? abi::kSeenYielding : 0) |
                        (fairness_.ever_demoted() ? abi::kSeenAside : 0);
      seen_.push_back({.thread = enabled[i].tid,
                       .op = enabled[i].next,
                       .flags = static_cast<uint8_t>(flags),
                       .count = point.count,
                       .running = point.running,
                       .reserved = 0,
                       .way = point.way,
                       .object = static_cast<uint64_t>(enabled[i].object),
                       .site = point.site});
    }
    return picked;
  }

  SiteId Where(Tid tid) const {
    if (tid == Tid::kNone) return SiteId::kNone;
    return SiteId{(Index(tid) << 16) + next_[Index(tid)] + 1};
  }

  uint32_t Here() const {
    return running_ == Tid::kNone ? 0 : counts_[Index(running_)];
  }

  std::vector<Candidate> Enabled() const {
    std::vector<Candidate> enabled;
    for (size_t i = 0; i < program_.size(); ++i) {
      if (next_[i] == program_[i].steps.size()) continue;
      const ToyStep& step = program_[i].steps[next_[i]];
      if (step.op == Op::kLock && values_.contains(step.object)) continue;
      enabled.push_back({.tid = Tid{static_cast<uint16_t>(i)},
                         .next = step.op,
                         .object = ObjectOf(step.object),
                         .site = Where(Tid{static_cast<uint16_t>(i)})});
    }
    return enabled;
  }

  void Take(Tid tid) {
    const size_t i = Index(tid);
    const ToyStep& step = program_[i].steps[next_[i]];
    running_ = tid;
    ++counts_[i];
    yielding_ = step.op == Op::kYield &&
                (step.object.empty() ? !yielded_.contains(tid)
                                     : !values_.contains(step.object));
    if (yielding_) {
      yielded_.insert(tid);
      fairness_.Yielded(tid);
      return;
    }
    yielded_.erase(tid);
    if (step.op == Op::kWrite || step.op == Op::kLock) {
      values_.insert(step.object);
    }
    if (step.op == Op::kUnlock) values_.erase(step.object);
    if (step.op != Op::kRead) fairness_.Changed();
    taken_ += program_[i].letter;
    ++next_[i];
  }

  bool AllEnded() const {
    for (size_t i = 0; i < program_.size(); ++i) {
      if (next_[i] != program_[i].steps.size()) return false;
    }
    return true;
  }

  static ObjId ObjectOf(const std::string& name) {
    uint64_t object = 0;
    for (const char c : name) object = object << 8 | static_cast<uint8_t>(c);
    return ObjId{object};
  }

  const ToyProgram& program_;
  std::vector<size_t> next_;      // by thread: index of its pending operation
  std::vector<uint32_t> counts_;  // by thread: times it came to the gate
  std::set<std::string> values_;  // written variables and held locks
  std::set<Tid> yielded_;         // in a plain yield, yielded already
  Fairness fairness_;
  Tid running_ = Tid::kNone;
  bool yielding_ = false;
  uint64_t step_ = 0;
  std::string taken_;
  std::vector<abi::ChoiceRecord> choices_;
  std::vector<abi::SeenRecord> seen_;
};

}  // namespace

ToyProgram ParseToy(std::string_view text) {
  ToyProgram program;
  for (const std::string_view thread : Split(text, '|')) {
    if (thread.size() < 2 || thread[1] != ':') {
      throw std::invalid_argument("no letter and colon: '" +
                                  std::string(thread) + "'");
    }
    ToyThread& parsed = program.emplace_back(thread[0]);
    for (const std::string_view step : Split(thread.substr(2), ';')) {
      parsed.steps.push_back(ParseStep(step));
    }
  }
  return program;
}

std::string Simulate(Strategy& strategy, const ExecutionPlan& plan,
                     const ToyProgram& program,
                     std::vector<abi::ChoiceRecord>* choices,
                     std::vector<abi::SeenRecord>* seen) {
  strategy.Begin(plan);
  Execution execution(program);
  std::string taken = execution.Run(strategy);
  if (choices != nullptr) *choices = execution.choices();
  if (seen != nullptr) *seen = execution.seen();
  return taken;
}

std::string Simulate(Strategy& strategy, uint64_t seed,
                     std::string_view program) {
  return Simulate(strategy, {.seed = seed}, ParseToy(program));
}

std::map<std::string, int> Count(Strategy& strategy, uint64_t first,
                                 uint64_t number, std::string_view program) {
  const ToyProgram parsed = ParseToy(program);
  std::map<std::string, int> counts;
  for (uint64_t seed = first; seed < first + number; ++seed) {
    ++counts[Simulate(strategy, {.seed = seed}, parsed)];
  }
  return counts;
}

std::set<std::string> SchedulesOver(Strategy& strategy, uint64_t first,
                                    uint64_t number, std::string_view program) {
  std::set<std::string> schedules;
  for (const auto& [schedule, count] :
       Count(strategy, first, number, program)) {
    schedules.insert(schedule);
  }
  return schedules;
}

}  // namespace fairlead::sched
