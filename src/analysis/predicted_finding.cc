#include "analysis/predicted_finding.h"

#include "finding/fingerprint.h"

namespace fairlead::analysis {
namespace {

// "count: write at a.c:3 (worker), read at a.c:9 (main)": the sentence without
// the kind, which a reader is shown anyway where it says the same.
std::string MessageOf(const Prediction& prediction, const trace::Names& names) {
  std::string sentence = SentenceOf(prediction, names);
  const std::string_view title = finding::TitleOf(KindOf(prediction));
  if (!sentence.starts_with(title)) return sentence;
  std::string_view rest = std::string_view(sentence).substr(title.size());
  for (const std::string_view link : {" on ", ": "}) {
    if (rest.starts_with(link)) return std::string(rest.substr(link.size()));
  }
  return sentence;
}

}  // namespace

finding::Kind KindOf(const Prediction& prediction) {
#define FL_ANALYSIS(name, word, looks_for, kind, help) \
  if (prediction.analysis == (word)) return finding::Kind::kind;
#include "analysis/analyses.inc"
#undef FL_ANALYSIS
  return finding::FindFindingKind(prediction.analysis)
      .value_or(finding::Kind::kMisuse);
}

finding::Finding FindingOf(const Prediction& prediction,
                           const trace::Names& names) {
  finding::Finding finding;
  finding.kind = KindOf(prediction);
  finding.severity = prediction.likely ? finding::SeverityOf(finding.kind)
                                       : finding::Severity::kInfo;
  finding.verdict = finding::Verdict::kPredicted;
  finding.message = MessageOf(prediction, names);
  finding.sites = PlacesOf(prediction, names);
  finding.fingerprint = finding::Fingerprint(finding.kind, prediction.target);
  finding.witness.aim = finding::Aim{.target = prediction.target,
                                     .sentence = SentenceOf(prediction, names),
                                     .prediction = finding.fingerprint};
  return finding;
}

}  // namespace fairlead::analysis
