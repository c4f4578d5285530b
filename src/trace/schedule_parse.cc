#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "trace/line_parser.h"
#include "trace/schedule.h"
#include "trace/schedule_words.h"

namespace fairlead::trace {
namespace {

// The word behind "key: " in an untrusted text; "?" if there is none.
std::string_view Header(std::string_view text, std::string_view key) {
  for (const std::string_view line : Split(text, '\n')) {
    if (line.starts_with(key)) return Trim(line.substr(key.size()));
  }
  return "?";
}

class ScheduleParser {
 public:
  Status Line(std::string_view text, size_t number) {
    LineParser line(text, number);
    if (line.AtEnd()) return {};
    if (ended_) {
      line.Take();
      return line.Wrong("something follows the end line");
    }
    if (line.Peek() == "input") return InputLine(line);
    for (const auto& [key, parse] : kKeys) {
      if (line.Peek() != key) continue;
      line.Take();
      if (Status status = (this->*parse)(line); !status) return status;
      return line.End();
    }
    return ChoiceLine(line);
  }

  Result<Schedule> Finish(size_t num_lines) {
    if (!ended_) {
      return Error(ErrorCode::kTruncated)
          .Say("{}:1: the end line is missing", num_lines)
          .Hint("the schedule was cut and cannot be replayed");
    }
    return std::move(schedule_);
  }

 private:
  Status Tool(LineParser& line) { return Text(line, schedule_.tool); }
  Status Program(LineParser& line) {
    return Text(line, schedule_.identity.program);
  }
  Status Carrier(LineParser& line) { return Text(line, schedule_.carrier); }
  Status Outcome(LineParser& line) { return Text(line, schedule_.outcome); }
  Status Argv(LineParser& line) { return Texts(line, schedule_.identity.argv); }
  Status Policies(LineParser& line) { return Texts(line, schedule_.policies); }
  Status Idle(LineParser& line) { return Ids(line, schedule_.quiet.idle); }
  Status Ordered(LineParser& line) {
    return Ids(line, schedule_.quiet.ordered);
  }

  Status Points(LineParser& line) {
    if (Status word = line.Expect("rule"); !word) return word;
    const std::string_view rule = line.Take();
    const auto number = ParseNumber(rule.substr(0, rule.size() - 1));
    if (!rule.ends_with(',') || !number || *number >> 32 != 0) {
      return line.Wrong("no rule of points: '{}'", rule);
    }
    schedule_.identity.point_rule = static_cast<uint32_t>(*number);
    if (Status word = line.Expect("set"); !word) return word;
    return Number(line, schedule_.identity.point_set);
  }

  Status Build(LineParser& line) {
    Identity::Build build;
    if (Status id = Text(line, build.build_id); !id) return id;
    if (Status path = Text(line, build.path); !path) return path;
    schedule_.identity.builds.push_back(std::move(build));
    return {};
  }

  Status Environment(LineParser& line) {
    return Number(line, schedule_.identity.environment);
  }

  Status Stdin(LineParser& line) {
    if (line.Peek() == "-") {
      line.Take();
      return {};
    }
    uint64_t digest = 0;
    if (Status number = Number(line, digest); !number) return number;
    schedule_.identity.stdin_digest = digest;
    return {};
  }

  Status Strategy(LineParser& line) {
    std::string_view name = line.Take();
    if (!name.ends_with(',')) return line.Wrong("no strategy: '{}'", name);
    name.remove_suffix(1);
    schedule_.strategy = Unescape(name).value_or("");
    if (Status word = line.Expect("seed"); !word) return word;
    return Number(line, schedule_.seed);
  }

  Status Thread(LineParser& line) {
    if (schedule_.threads.size() >= abi::kMaxThreads) {
      return line.Wrong("more than {} threads", abi::kMaxThreads);
    }
    ThreadName thread;
    if (Status path = Text(line, thread.path); !path) return path;
    if (line.Peek().starts_with("name=")) {
      const std::string_view word = line.Take().substr(5);
      thread.name = Unescape(word).value_or("");
    }
    schedule_.threads.push_back(std::move(thread));
    return {};
  }

  Status End(LineParser& line) {
    ended_ = true;
    uint64_t num_choices = 0;
    uint64_t num_inputs = 0;
    if (Status number = Number(line, num_choices); !number) return number;
    if (Status word = line.Expect("choices,"); !word) return word;
    if (Status number = Number(line, num_inputs); !number) return number;
    if (Status word = line.Expect("inputs"); !word) return word;
    if (num_choices != schedule_.choices.size() ||
        num_inputs != schedule_.inputs.size()) {
      return line.Wrong("the file holds {} choices and {} inputs",
                        schedule_.choices.size(), schedule_.inputs.size());
    }
    return {};
  }

  // "main @ 17 -> main/1  at 0x2e" or "main @ 3 = 2".
  Status ChoiceLine(LineParser& line) {
    abi::ChoiceRecord choice = {};
    const Result<Tid> left = ThreadWord(line);
    if (!left) return left.error();
    choice.left = *left;
    if (Status word = line.Expect("@"); !word) return word;
    const Result<uint64_t> count =
        line.NumberBelow(uint64_t{1} << 32, "a count");
    if (!count) return count.error();
    choice.count = static_cast<uint32_t>(*count);
    const Result<std::string_view> what = line.Word("'->' or '='");
    if (!what) return what.error();
    if (*what == "->") {
      const Result<Tid> next = ThreadWord(line);
      if (!next) return next.error();
      choice.next = *next;
    } else if (*what == "=") {
      const Result<uint64_t> option =
          line.NumberBelow(uint64_t{1} << 32, "an option");
      if (!option) return option.error();
      choice.next = choice.left;
      choice.option = static_cast<uint32_t>(*option);
    } else {
      return line.Wrong("expected '->' or '=', found '{}'", *what);
    }
    if (!line.AtEnd()) {
      if (Status word = line.Expect("at"); !word) return word;
      const Result<uint64_t> anchor = line.Number("an anchor");
      if (!anchor) return anchor.error();
      choice.anchor = abi::SiteId{*anchor};
    }
    if (!line.AtEnd()) {
      if (Status word = line.Expect("way"); !word) return word;
      const Result<uint64_t> way = line.NumberBelow(uint64_t{1} << 32, "a way");
      if (!way) return way.error();
      choice.way = static_cast<uint32_t>(*way);
    }
    schedule_.choices.push_back(choice);
    return line.End();
  }

  // "input main @ 2: result 3 bytes=abc".
  Status InputLine(LineParser& line) {
    line.Take();
    Input input;
    const Result<Tid> tid = ThreadWord(line);
    if (!tid) return tid.error();
    input.tid = *tid;
    if (Status word = line.Expect("@"); !word) return word;
    const Result<std::string_view> count = line.Word("a count");
    if (!count) return count.error();
    const auto number = ParseNumber(count->substr(0, count->size() - 1));
    if (!count->ends_with(':') || !number || *number >> 32 != 0) {
      return line.Wrong("no count and colon: '{}'", *count);
    }
    input.count = static_cast<uint32_t>(*number);
    const Result<std::string_view> word = line.Word("a kind of input");
    if (!word) return word.error();
    const auto kind = FindInput(*word);
    if (!kind) return line.Wrong("no kind of input: '{}'", *word);
    input.kind = *kind;
    if (Status value = Number(line, input.value); !value) return value;
    if (line.Peek().starts_with("bytes=")) {
      const std::string_view bytes = line.Take().substr(6);
      auto payload = Unescape(bytes);
      if (!payload) return line.Wrong("a broken %XX: '{}'", bytes);
      input.payload = *std::move(payload);
    }
    schedule_.inputs.push_back(std::move(input));
    return line.End();
  }

  Result<Tid> ThreadWord(LineParser& line) const {
    const Result<std::string_view> word = line.Word("a thread");
    if (!word) return word.error();
    if (*word == kNobody) return Tid::kNone;
    const std::string path = Unescape(*word).value_or("");
    const auto found =
        std::ranges::find(schedule_.threads, path, &ThreadName::path);
    if (found == schedule_.threads.end()) {
      return line.Wrong("unknown thread '{}'", *word);
    }
    return Tid{static_cast<uint16_t>(found - schedule_.threads.begin())};
  }

  static Status Text(LineParser& line, std::string& into) {
    Result<std::string> text = line.Escaped("a value");
    if (!text) return text.error();
    into = *std::move(text);
    return {};
  }
  static Status Texts(LineParser& line, std::vector<std::string>& into) {
    while (!line.AtEnd()) {
      if (Status text = Text(line, into.emplace_back()); !text) return text;
    }
    return {};
  }
  Status Closure(LineParser& line) {
    return Number(line, schedule_.explore_call);
  }
  // The runtime searches them by halves.
  static Status Ids(LineParser& line, std::vector<uint64_t>& into) {
    while (!line.AtEnd()) {
      uint64_t id = 0;
      if (Status number = Number(line, id); !number) return number;
      if (!into.empty() && id <= into.back()) {
        return line.Wrong("ids must ascend: {:#x}", id);
      }
      into.push_back(id);
    }
    return {};
  }
  static Status Number(LineParser& line, uint64_t& into) {
    const Result<uint64_t> number = line.Number("a value");
    if (!number) return number.error();
    into = *number;
    return {};
  }

  static constexpr std::pair<std::string_view,
                             Status (ScheduleParser::*)(LineParser&)>
      kKeys[] = {{"tool:", &ScheduleParser::Tool},
                 {"program:", &ScheduleParser::Program},
                 {"points:", &ScheduleParser::Points},
                 {"build:", &ScheduleParser::Build},
                 {"argv:", &ScheduleParser::Argv},
                 {"environment:", &ScheduleParser::Environment},
                 {"stdin:", &ScheduleParser::Stdin},
                 {"strategy:", &ScheduleParser::Strategy},
                 {"carrier:", &ScheduleParser::Carrier},
                 {"policies:", &ScheduleParser::Policies},
                 {"outcome:", &ScheduleParser::Outcome},
                 {kIdle, &ScheduleParser::Idle},
                 {kOrdered, &ScheduleParser::Ordered},
                 {kClosure, &ScheduleParser::Closure},
                 {"thread:", &ScheduleParser::Thread},
                 {"end:", &ScheduleParser::End}};

  Schedule schedule_;
  bool ended_ = false;
};

// Checks the first line and gives the version in it.
Result<uint32_t> VersionOf(std::string_view text) {
  std::string_view first = text.substr(0, text.find('\n'));
  if (!first.starts_with(kScheduleMagic)) {
    return Error(ErrorCode::kMalformed)
        .Say("1:1: this is no schedule: it does not begin with '{}'",
             kScheduleMagic);
  }
  const auto version = ParseNumber(Trim(first.substr(kScheduleMagic.size())));
  if (!version || *version == 0) {
    return Error(ErrorCode::kMalformed)
        .Say("1:{}: no version of a schedule", kScheduleMagic.size() + 2);
  }
  if (*version > abi::kScheduleVersion) {
    return Error(ErrorCode::kTooNew)
        .Say("uses schedule format {}; this build reads up to {}", *version,
             abi::kScheduleVersion)
        .Hint("replay it with the version that recorded it, fairlead {}",
              Header(text, "tool:"));
  }
  return static_cast<uint32_t>(*version);
}

}  // namespace

Result<Schedule> ParseScheduleUntrusted(std::string_view text) {
  const Result<uint32_t> version = VersionOf(text);
  if (!version) return version.error();
  ScheduleParser parser;
  size_t number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    if (++number == 1) continue;
    if (Status status = parser.Line(line, number); !status) {
      return status.error();
    }
  }
  return parser.Finish(number);
}

Result<Schedule> LoadSchedule(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kMaxScheduleBytes);
  if (!text) return text.error();
  Result<Schedule> schedule = ParseScheduleUntrusted(*text);
  if (!schedule) return schedule.error().In(path);
  return schedule;
}

std::string IdentityProblem(const Identity& recorded, const Identity& now) {
  if (recorded.point_rule != now.point_rule) {
    return fmt::format("it places points by rule {}, this build by rule {}",
                       recorded.point_rule, now.point_rule);
  }
  if (!recorded.builds.empty() && !now.builds.empty() &&
      recorded.builds[0].build_id != now.builds[0].build_id) {
    if (recorded.program != now.program) {
      return fmt::format("it was recorded from another program, {}",
                         recorded.program);
    }
    return fmt::format(
        "it was recorded from another build of {} (build id {}, now {})",
        now.program, recorded.builds[0].build_id, now.builds[0].build_id);
  }
  const auto arguments = [](const Identity& identity) {
    std::vector<std::string> words = identity.argv;
    if (!words.empty()) words.erase(words.begin());
    return words;
  };
  if (arguments(recorded) != arguments(now)) {
    return fmt::format("it was recorded with other arguments: {}",
                       ShellCommand(recorded.argv));
  }
  return "";
}

std::string IdentityDoubt(const Identity& recorded, const Identity& now) {
  if (recorded.environment != now.environment) {
    return "the environment differs from the recorded one";
  }
  if (recorded.stdin_digest != now.stdin_digest) {
    return "standard input differs from the recorded one";
  }
  return "";
}

}  // namespace fairlead::trace
