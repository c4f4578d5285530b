#include "explore/judge/request_references.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/printable.h"
#include "base/text.h"

namespace fairlead::explore {
namespace {

// What was served as the order says; behind the first request that was not,
// nothing counts.
lin::SerialRun SerialRunOf(const ServedInOrder& served,
                           const RequestReferences::Order& order) {
  lin::SerialRun run;
  for (size_t i = 0; i < served.history.size() && i < order.size(); ++i) {
    const lin::Request& request = served.history[i];
    if (request.session != order[i].session ||
        request.number != order[i].request || !request.answer) {
      return run;
    }
    run.served.push_back({request.asks, *request.answer});
  }
  // Requests that the order does not have change the state as well.
  if (served.ended && served.history.size() == order.size()) {
    run.state = served.state;
  }
  return run;
}

}  // namespace

RequestReferences::Key RequestReferences::KeyOf(const Order& order) {
  Key key;
  for (const abi::RequestRecord& each : order) {
    key.emplace_back(each.session, each.request);
  }
  return key;
}

const lin::SerialRun* RequestReferences::Of(const Order& order) {
  Key key = KeyOf(order);
  if (const auto known = known_.find(key); known != known_.end()) {
    return &known->second;
  }
  if (num_runs_ >= kMaxRuns) return nullptr;
  num_runs_ += 2;
  const Result<ServedInOrder> one = run_(order, World::kOrdinary);
  if (!one) return nullptr;
  const Result<ServedInOrder> two = run_(order, World::kOther);
  if (!two) return nullptr;
  LearnOwn(*one, *two);
  return &known_.emplace(std::move(key), SerialRunOf(*one, order))
              .first->second;
}

void RequestReferences::LearnOwn(const ServedInOrder& one,
                                 const ServedInOrder& two) {
  const size_t number = std::min(one.history.size(), two.history.size());
  for (size_t i = 0; i < number; ++i) {
    const lin::Request& a = one.history[i];
    const lin::Request& b = two.history[i];
    // From here on they do other things.
    if (a.asks != b.asks || !a.answer || !b.answer) return;
    comparison_.LearnOwn(a.asks, *a.answer, *b.answer);
  }
  if (!one.ended || !two.ended) return;
  for (const auto& [name, component] : one.state) {
    const auto other = two.state.find(name);
    comparison_.LearnOwn(
        name, component,
        other == two.state.end() ? lin::Component() : other->second);
  }
}

std::string RequestReferences::WhyUnknown() const {
  if (tally_.judged == 0 && !tally_.problems.empty()) {
    return "requests could not be judged: " + *tally_.problems.begin();
  }
  if (tally_.judged == 0 || tally_.unknown != tally_.judged) return "";
  if (tally_.infeasible == tally_.judged) {
    return "every order of the requests, one at a time, blocks: there is "
           "nothing to hold the answers against";
  }
  return "no order of the requests could be run to its end in time";
}

std::vector<std::string> RequestReferences::Lines() const {
  std::vector<std::string> lines;
  if (tally_.judged == 0 && tally_.problems.empty()) return lines;
  std::string first = fmt::format("requests: {} judged by {}",
                                  Counted(tally_.judged, "execution"),
                                  Counted(known_.size(), "serial order"));
  if (tally_.wrong != 0) {
    first += fmt::format("; {} fit none, {} of them only by the state",
                         tally_.wrong, tally_.latent);
  }
  if (tally_.unknown != 0) {
    first += fmt::format("; {} unknown", tally_.unknown);
  }
  lines.push_back(std::move(first));
  for (const std::string& problem : tally_.problems) {
    lines.push_back("requests not judged: " + problem);
  }
  const auto own = [](lin::Own how) {
    return how == lin::Own::kNumbers ? "numbers in it are" : "it is";
  };
  for (const auto& [asks, how] : comparison_.own_replies()) {
    lines.push_back(
        fmt::format("differs by itself: the answer to '{}'; {} not compared",
                    PrintableLine(asks), own(how)));
  }
  for (const auto& [name, how] : comparison_.own_components()) {
    lines.push_back(
        fmt::format("differs by itself: component {}; {} not "
                    "compared",
                    PrintableLine(name), own(how)));
  }
  for (const auto& [name, changed] : tally_.touched) {
    if (changed) continue;
    lines.push_back(
        fmt::format("stale annotation? no execution changed "
                    "component {}",
                    PrintableLine(name)));
  }
  for (const std::string& name : tally_.disagreeing) {
    lines.push_back(fmt::format(
        "stale annotation? of component {} the walk function shows something "
        "else than the calls have said",
        PrintableLine(name)));
  }
  for (const std::string& rule : comparison_.used()) {
    lines.push_back(
        fmt::format("filtered: {} let executions through; what "
                    "they do may cost time",
                    PrintableLine(rule)));
  }
  for (const std::string& rule : comparison_.Unused()) {
    lines.push_back("filter without use: " + PrintableLine(rule));
  }
  return lines;
}

}  // namespace fairlead::explore
