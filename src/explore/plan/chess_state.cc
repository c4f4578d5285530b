// The state of a ChessPlanner as text:
//
//   fairlead chess 1
//   bound 2 sleep 1 profiled 3 number 17 schedules 14 repeated 2 strayed 0 …
//   wait PREEMPTIONS BRANCH NUM_CHOICES NUM_ASLEEP
//   c NEXT LEFT COUNT ANCHOR OPTION WAY
//   s THREAD

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "explore/plan/chess_planner.h"

namespace fairlead::explore {
namespace {

constexpr std::string_view kHeader = "fairlead chess 1";

// Reads the lines of a state one by one.
class Lines {
 public:
  explicit Lines(std::string_view text) : lines_(Split(text, '\n')) {}

  // The numbers behind `word` on the next line; none if it is another line.
  template <size_t kNumber>
  std::optional<std::array<uint64_t, kNumber>> Numbers(std::string_view word) {
    if (next_ == lines_.size()) return std::nullopt;
    const std::vector<std::string_view> words = Words(lines_[next_]);
    if (words.size() != kNumber + 1 || words[0] != word) return std::nullopt;
    std::array<uint64_t, kNumber> numbers;
    for (size_t i = 0; i < kNumber; ++i) {
      const std::optional<uint64_t> number = ParseNumber(words[i + 1]);
      if (!number) return std::nullopt;
      numbers[i] = *number;
    }
    ++next_;
    return numbers;
  }
  bool Skip(std::string_view line) {
    return next_ < lines_.size() && lines_[next_] == line && ++next_ != 0;
  }
  bool AtEnd() const { return next_ == lines_.size() || lines_[next_].empty(); }
  Error Refuse() const {
    return Error(ErrorCode::kMalformed)
        .Say("line {} is no line of a chess state", next_ + 1);
  }

 private:
  std::vector<std::string_view> lines_;
  size_t next_ = 0;
};

}  // namespace

std::string ChessPlanner::Save() const {
  std::string text = fmt::format(
      "{}\nstate {} {} {} {} {} {} {} {} {}\n", kHeader, bound_,
      sleep_sets_ == SleepSets::kOn ? 1 : 0, num_profiled_, number_,
      num_schedules_, num_repeated_, num_strayed_, num_left_out_, num_cut_);
  const auto put = [&](const Waiting& waiting) {
    text +=
        fmt::format("wait {} {} {} {}\n", waiting.preemptions, waiting.branch,
                    waiting.prefix.size(), waiting.asleep.size());
    for (const abi::ChoiceRecord& c : waiting.prefix) {
      text +=
          fmt::format("c {} {} {} {} {} {}\n", static_cast<uint16_t>(c.next),
                      static_cast<uint16_t>(c.left), c.count,
                      static_cast<uint64_t>(c.anchor), c.option, c.way);
    }
    for (const abi::Tid tid : waiting.asleep) {
      text += fmt::format("s {}\n", static_cast<uint16_t>(tid));
    }
  };
  for (const auto& [number, waiting] : under_way_) put(waiting);
  for (const std::deque<Waiting>& queue : waiting_) {
    for (const Waiting& waiting : queue) put(waiting);
  }
  return text;
}

Result<std::unique_ptr<ChessPlanner>> ChessPlanner::RestoreUntrusted(
    std::string_view text) {
  Lines lines(text);
  if (!lines.Skip(kHeader)) return lines.Refuse();
  const auto state = lines.Numbers<9>("state");
  if (!state) return lines.Refuse();
  auto planner = std::make_unique<ChessPlanner>(
      (*state)[0], (*state)[1] != 0 ? SleepSets::kOn : SleepSets::kOff);
  planner->num_profiled_ = (*state)[2];
  planner->number_ = (*state)[3];
  planner->num_schedules_ = (*state)[4];
  planner->num_repeated_ = (*state)[5];
  planner->num_strayed_ = (*state)[6];
  planner->num_left_out_ = (*state)[7];
  planner->num_cut_ = (*state)[8];
  planner->num_waiting_ = 0;
  for (std::deque<Waiting>& queue : planner->waiting_) queue.clear();
  while (!lines.AtEnd()) {
    const auto head = lines.Numbers<4>("wait");
    if (!head || (*head)[0] > planner->bound_) return lines.Refuse();
    Waiting waiting;
    waiting.preemptions = (*head)[0];
    waiting.branch = (*head)[1];
    for (uint64_t i = 0; i < (*head)[2]; ++i) {
      const auto c = lines.Numbers<6>("c");
      if (!c) return lines.Refuse();
      waiting.prefix.push_back({.next = static_cast<abi::Tid>((*c)[0]),
                                .left = static_cast<abi::Tid>((*c)[1]),
                                .count = static_cast<uint32_t>((*c)[2]),
                                .anchor = static_cast<abi::SiteId>((*c)[3]),
                                .option = static_cast<uint32_t>((*c)[4]),
                                .way = static_cast<uint32_t>((*c)[5])});
    }
    for (uint64_t i = 0; i < (*head)[3]; ++i) {
      const auto s = lines.Numbers<1>("s");
      if (!s) return lines.Refuse();
      waiting.asleep.push_back(static_cast<abi::Tid>((*s)[0]));
    }
    ++planner->num_waiting_;
    planner->waiting_[waiting.preemptions].push_back(std::move(waiting));
  }
  return planner;
}

}  // namespace fairlead::explore
