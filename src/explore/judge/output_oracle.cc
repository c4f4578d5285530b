// Standard output: the one that the user expects (--expect-output), or one that
// some serial order of threads gives (--same-output).

#include <algorithm>

#include "base/text.h"
#include "explore/judge/oracle.h"

namespace fairlead::explore {
namespace {

using finding::Kind;

// The first line in which two texts differ, for the report.
std::string FirstDifference(std::string_view wanted, std::string_view found) {
  const auto lines = Split(wanted, '\n');
  const auto other = Split(found, '\n');
  for (size_t i = 0; i < std::max(lines.size(), other.size()); ++i) {
    const std::string_view a = i < lines.size() ? lines[i] : "";
    const std::string_view b = i < other.size() ? other[i] : "";
    if (a == b) continue;
    return fmt::format("line {} is '{}' instead of '{}'", i + 1, b, a);
  }
  return "it ends differently";
}

Opinion Wrong(std::string_view wanted, std::string_view found) {
  return {.failures = {PlainFailure(Kind::kOutput, "",
                                    {FirstDifference(wanted, found)})}};
}

class ExpectedOutput final : public Oracle {
 public:
  explicit ExpectedOutput(std::string wanted) : wanted_(std::move(wanted)) {}

  Opinion Judge(const Evidence& evidence) override {
    const std::string output = evidence.finished.output->Output();
    return output == wanted_ ? Opinion() : Wrong(wanted_, output);
  }

 private:
  std::string wanted_;
};

// Until there is a reference, everything is right.
class SerialOutput final : public Oracle {
 public:
  explicit SerialOutput(SerialReferences& references)
      : references_(references) {}

  Opinion Judge(const Evidence& evidence) override {
    if (references_.empty()) return {};
    const Finished& finished = evidence.finished;
    const std::string output = finished.output->Output();
    if (references_.GiveOutput(output, finished.executed.outcome.num_threads)) {
      return {};
    }
    return Wrong(references_.AnOutput(), output);
  }

  ReferenceNeeds Needs() const override { return {.output = true}; }

 private:
  SerialReferences& references_;
};

}  // namespace

std::unique_ptr<Oracle> MakeOutputOracle(const OracleSetting& setting) {
  const Expectations& expectations = setting.expectations;
  if (expectations.output) {
    return std::make_unique<ExpectedOutput>(*expectations.output);
  }
  if (!expectations.same_output || setting.references == nullptr) {
    return nullptr;
  }
  return std::make_unique<SerialOutput>(*setting.references);
}

}  // namespace fairlead::explore
