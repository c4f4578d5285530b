#include "cli/explain.h"

#include <fmt/format.h>

#include "base/text.h"

namespace fairlead::cli {

explore::Subject SubjectOf(const Rerun& rerun) {
  return {.setting = rerun.setting(),
          .finding = &rerun.finding(),
          .schedule = &rerun.schedule(),
          .expectations = rerun.ExpectationsOf(),
          .timeout = rerun.RepetitionOf().timeout};
}

std::string SmallerText(const finding::Explanation& explanation) {
  const std::string verified =
      fmt::format("repeated {} of {} times on fibers, {} of {} on threads",
                  explanation.fibers.failed, explanation.fibers.tried,
                  explanation.threads.failed, explanation.threads.tried);
  if (explanation.before == explanation.after) {
    return fmt::format("its schedule has {}, and none smaller was found; {}",
                       finding::SizeText(explanation.after), verified);
  }
  return fmt::format("its schedule had {}; one with {} fails, too; {}",
                     finding::SizeText(explanation.before),
                     finding::SizeText(explanation.after), verified);
}

Json ExplanationJson(const finding::Explanation& explanation,
                     const std::string& no_orders) {
  Json json = {{"before", finding::SizeJson(explanation.before)},
               {"after", finding::SizeJson(explanation.after)},
               {"executions", explanation.executions},
               {"fibers", finding::CountJson(explanation.fibers)},
               {"threads", finding::CountJson(explanation.threads)},
               {"ordering", Json()},
               {"no_ordering", no_orders}};
  if (explanation.ordering) {
    json["ordering"] = finding::OrderingJson(*explanation.ordering);
  }
  return json;
}

}  // namespace fairlead::cli
