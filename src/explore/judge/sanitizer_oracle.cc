#include "explore/judge/sanitizer_oracle.h"

#include "base/text.h"
#include "explore/judge/oracle.h"
#include "finding/sanitizer_report.h"

namespace fairlead::explore {
namespace {

using finding::Kind;

// A sanitizer's report, by its own kind and by the program's frame.
Failure SanitizerFailure(const std::string& line, std::string_view error) {
  const auto report = finding::ReadSanitizerReport(error, line);
  if (!report) return PlainFailure(Kind::kSanitizer, line, {line});
  Failure failure = PlainFailure(Kind::kSanitizer, finding::CauseOf(*report),
                                 {report->first});
  failure.said = finding::SentenceOf(*report);
  if (!report->access.empty()) failure.details.push_back(report->access);
  for (const auto& stack : report->stacks) {
    if (stack.heading.empty()) {
      failure.place = stack.where;
    } else {
      failure.details.push_back(fmt::format("{} at {}", stack.heading,
                                            finding::WhereText(stack.where)));
    }
  }
  return failure;
}

class SanitizerOracle final : public Oracle {
 public:
  Opinion Judge(const Evidence& evidence) override {
    const std::string error = evidence.finished.output->Error();
    const std::string line = SanitizerLine(error);
    if (line.empty()) return {};
    // What it does to the exit code is not another failure.
    return {.failures = {SanitizerFailure(line, error)}, .explains_exit = true};
  }
};

}  // namespace

std::string SanitizerLine(std::string_view text) {
  static constexpr std::string_view kMarks[] = {
      "ERROR: AddressSanitizer", "WARNING: ThreadSanitizer",
      "ERROR: LeakSanitizer",    "WARNING: MemorySanitizer",
      "ERROR: ThreadSanitizer",  ": runtime error: "};
  for (const std::string_view line : Split(text, '\n')) {
    for (const std::string_view mark : kMarks) {
      if (line.find(mark) != std::string_view::npos) {
        return std::string(Trim(line));
      }
    }
  }
  return "";
}

// Other programs may say such words as well.
std::unique_ptr<Oracle> MakeSanitizerOracle(const OracleSetting& setting) {
  if (!setting.expectations.sanitized) return nullptr;
  return std::make_unique<SanitizerOracle>();
}

}  // namespace fairlead::explore
