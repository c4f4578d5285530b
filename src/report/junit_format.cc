#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "report/format.h"
#include "report/junit.h"
#include "report/markup.h"
#include "report/shown.h"
#include "report/text.h"

namespace fairlead::report {
namespace {

using Result = JUnitCase::Result;

// An attribute is one line.
std::string Attribute(std::string_view text) {
  return XmlText(PrintableLine(text));
}

std::string CaseText(const JUnitCase& each) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                  Attribute(each.suite), Attribute(each.name), each.seconds);
  std::string_view element;
  switch (each.result) {
    case Result::kPassed:
      return text + "/>\n";
    case Result::kSkipped:
      return text + fmt::format(
                        ">\n      <skipped message=\"{}\"/>\n    "
                        "</testcase>\n",
                        Attribute(each.message));
    case Result::kFailed:
      element = "failure";
      break;
    case Result::kUnknown:
      element = "error";
      break;
  }
  return text + fmt::format(
                    ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n"
                    "    </testcase>\n",
                    element, Attribute(each.kind), Attribute(each.message),
                    XmlText(each.text));
}

JUnitCase CaseOf(const ShownFinding& shown, const Shown& all) {
  const finding::Finding& finding = *shown.finding;
  JUnitCase each = {.suite = all.program,
                    .name = TitleText(finding),
                    .result = Result::kFailed,
                    .kind = std::string(finding::WordOf(finding.kind)),
                    .message = finding.message};
  if (!shown.silenced.empty() || shown.cleared || shown.predicted()) {
    each.result = Result::kSkipped;
    each.message = shown.cleared       ? "cleared"
                   : shown.predicted() ? "predicted, and shown by no execution"
                                       : shown.silenced;
    return each;
  }
  constexpr size_t kWidth = 110;
  each.text = TextReport(
      {.finding = &finding,
       .heading = shown.name.empty() ? "a finding" : "finding " + shown.name,
       .facts = shown.facts,
       .commands = shown.commands,
       .rows = Rows::kDeciding},
      kWidth);
  return each;
}

std::string Cases(const Shown& shown) {
  std::vector<JUnitCase> cases;
  for (const ShownFinding& each : shown.findings) {
    cases.push_back(CaseOf(each, shown));
  }
  const bool failed = std::ranges::find(cases, Result::kFailed,
                                        &JUnitCase::result) != cases.end();
  JUnitCase whole = {.suite = shown.program,
                     .name = "interleavings",
                     .seconds = shown.seconds};
  if (!shown.why_unknown.empty() && !failed) {
    whole.result = Result::kUnknown;
    whole.kind = "unknown";
    whole.message = whole.text = shown.why_unknown;
  }
  // What passed is a case, too: a report without any looks like a mistake.
  if (!failed) cases.push_back(std::move(whole));
  return JUnitText(shown.program, cases);
}

std::string CampaignReport(const Campaign& campaign, const View&) {
  return Cases(ShownOf(campaign));
}

std::string FindingsReport(const FindingList& list, const View& view) {
  return Cases(ShownOf(list, view.all ? Listed::kAll : Listed::kOpen));
}

std::string OneFinding(const KeptFinding& kept, const View&) {
  return Cases(ShownOf(kept));
}

}  // namespace

std::string JUnitText(const std::string& suite,
                      const std::vector<JUnitCase>& cases) {
  const auto count = [&](Result result) {
    return std::ranges::count(cases, result, &JUnitCase::result);
  };
  double seconds = 0;
  std::string body;
  for (const JUnitCase& each : cases) {
    seconds += each.seconds;
    body += CaseText(each);
  }
  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\"",
      cases.size(), count(Result::kFailed), count(Result::kUnknown),
      count(Result::kSkipped), seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"fairlead\" {0}>\n"
      "  <testsuite name=\"{1}\" {0}>\n{2}  </testsuite>\n</testsuites>\n",
      counts, Attribute(suite), body);
}

const Format kJUnitFormat = {.name = "junit",
                             .help = "JUnit XML",
                             .campaign = CampaignReport,
                             .findings = FindingsReport,
                             .finding = OneFinding,
                             .wants_witness = true};

}  // namespace fairlead::report
