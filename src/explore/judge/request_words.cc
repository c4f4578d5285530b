#include "explore/judge/request_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/printable.h"
#include "base/text.h"

namespace fairlead::explore {
namespace {

using finding::Kind;
using lin::OrderFit;
using lin::Request;

// Orders, elements and columns beyond these are counted, not shown.
constexpr size_t kMaxOrders = 12;
constexpr size_t kMaxElements = 6;
constexpr size_t kColumn = 34;
constexpr size_t kMaxSessions = 4;  // with a column each
constexpr size_t kMaxWord = 60;

std::string Short(std::string_view bytes, size_t most = kMaxWord) {
  std::string text = PrintableLine(bytes);
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return text;
}

std::string AnswerText(const lin::Answer& answer) {
  std::string text = "'" + Short(answer.reply) + "'";
  if (answer.status != 0) {
    text = fmt::format("error {} {}", answer.status, text);
  }
  return text;
}

class RequestWords {
 public:
  explicit RequestWords(const JudgedRequests& judged) : judged_(judged) {
    for (const Request& each : judged.history) {
      if (std::ranges::find(columns_, each.session) == columns_.end()) {
        columns_.push_back(each.session);
      }
    }
  }

  Failure Make() const {
    const OrderFit& best = *judged_.judgement.Best();
    const bool latent = judged_.judgement.IsLatent();
    Failure failure =
        PlainFailure(latent ? Kind::kCorruptedState : Kind::kWrongAnswer,
                     latent ? CauseOfState(best) : CauseOfAnswer(best), {});
    failure.said = latent ? SayState(best) : SayAnswer(best);
    AddHistory(failure.details);
    AddOrders(failure.details);
    AddDifferences(best, failure.details);
    return failure;
  }

 private:
  const Request& RequestAt(const OrderFit& fit, size_t at) const {
    return judged_.history[fit.order[at]];
  }
  std::string SessionName(uint64_t session) const {
    const auto name = judged_.sessions.find(session);
    if (name != judged_.sessions.end()) return Short(name->second, 20);
    const auto at = std::ranges::find(columns_, session);
    return fmt::format("session {}", at - columns_.begin() + 1);
  }
  std::string NameOf(const Request& request) const {
    return fmt::format("'{}' of {}", Short(request.asks),
                       SessionName(request.session));
  }
  const lin::SerialRun& RunOf(const OrderFit& fit) const {
    return *judged_.specification(fit.order);
  }

  // The first word: what is asked for varies, what is done not.
  static std::string Verb(const Request& request) {
    const std::vector<std::string_view> words = Words(request.asks);
    return words.empty() ? "" : Short(words[0]);
  }
  // A request and those that it overlaps, by their verbs.
  std::string Verbs(const Request& wrong) const {
    std::set<std::string> verbs;
    for (const Request& each : judged_.history) {
      if (&each == &wrong || lin::Overlap(each, wrong)) {
        verbs.insert(Verb(each));
      }
    }
    return fmt::format("{}", fmt::join(verbs, " "));
  }

  std::string CauseOfAnswer(const OrderFit& best) const {
    const Request& wrong = RequestAt(best, best.legal);
    return fmt::format("{}: {}", Verb(wrong), Verbs(wrong));
  }
  std::string CauseOfState(const OrderFit& best) const {
    return fmt::format("{}", fmt::join(DifferingIn(best), ", "));
  }

  // Components in which the state is not that of the order.
  std::vector<std::string> DifferingIn(const OrderFit& fit) const {
    std::vector<std::string> names;
    const lin::SerialRun& run = RunOf(fit);
    if (!run.state) return names;
    std::set<std::string> all;
    for (const auto& [name, component] : *run.state) all.insert(name);
    for (const auto& [name, component] : judged_.state) all.insert(name);
    for (const std::string& name : all) {
      if (!judged_.comparison.SameComponent(name, Of(*run.state, name),
                                            Of(judged_.state, name))) {
        names.push_back(name);
      }
    }
    return names;
  }
  static lin::Component Of(const lin::Components& state,
                           const std::string& name) {
    const auto found = state.find(name);
    return found == state.end() ? lin::Component() : found->second;
  }

  // What the request was answered in the orders that were run.
  std::set<std::string> AnswersInOrder(const Request& wrong) const {
    std::set<std::string> answers;
    for (const OrderFit& fit : judged_.judgement.fits) {
      const lin::SerialRun& run = RunOf(fit);
      for (size_t i = 0; i < fit.order.size() && i < run.served.size(); ++i) {
        if (&RequestAt(fit, i) == &wrong) {
          answers.insert(AnswerText(run.served[i].answer));
        }
      }
    }
    return answers;
  }

  std::string SayAnswer(const OrderFit& best) const {
    const Request& wrong = RequestAt(best, best.legal);
    const std::set<std::string> answers = AnswersInOrder(wrong);
    const std::string own = AnswerText(*wrong.answer);
    if (answers.contains(own)) {
      return fmt::format(
          "the answers are those of no order of the requests: {} was answered "
          "{}, which does not go with the others",
          NameOf(wrong), own);
    }
    return fmt::format(
        "{} was {} {}; served one at a time, in whatever order, it is answered "
        "{}",
        NameOf(wrong), wrong.answer->status == 0 ? "answered" : "refused with",
        own, fmt::join(answers, " or "));
  }

  std::string SayState(const OrderFit& best) const {
    const std::vector<std::string> names = DifferingIn(best);
    const lin::SerialRun& run = RunOf(best);
    std::string what = "the state is that of none";
    if (!names.empty()) {
      const lin::ComponentDifference difference = lin::DifferenceOf(
          Of(*run.state, names[0]), Of(judged_.state, names[0]));
      what = fmt::format("{} {}", Short(names[0]), InShort(difference));
    }
    return fmt::format(
        "every answer is right, but what is left is the state of no order of "
        "the requests: {}; a later request will see it",
        what);
  }
  static std::string InShort(const lin::ComponentDifference& difference) {
    if (!difference.extra.empty() && difference.missing.empty()) {
      return fmt::format("has '{}' as well", Short(difference.extra[0]));
    }
    if (!difference.missing.empty() && difference.extra.empty()) {
      return fmt::format("lacks '{}'", Short(difference.missing[0]));
    }
    if (difference.missing.empty()) return "has its elements in another order";
    return fmt::format("has '{}' instead of '{}'", Short(difference.extra[0]),
                       Short(difference.missing[0]));
  }

  // A row for each begin and end; a bar where a request is under way.
  void AddHistory(std::vector<std::string>& lines) const {
    lines.push_back("requests, each from its begin (>) to its answer (<):");
    struct Row {
      uint64_t when;
      size_t request;
      bool end;
    };
    std::vector<Row> rows;
    for (size_t i = 0; i < judged_.history.size(); ++i) {
      rows.push_back({judged_.history[i].begin, i, false});
      if (judged_.history[i].answer) {
        rows.push_back({judged_.history[i].end, i, true});
      }
    }
    std::ranges::sort(rows, {}, &Row::when);
    const size_t shown = std::min(columns_.size(), kMaxSessions);
    std::string head = "  ";
    for (size_t i = 0; i < shown; ++i) {
      head += fmt::format("{:<{}}", SessionName(columns_[i]), kColumn);
    }
    lines.push_back(std::string(TrimRight(head)));
    std::vector<bool> open(columns_.size(), false);
    for (const Row& row : rows) {
      lines.push_back(RowText(row.request, row.end, shown, open));
    }
    if (shown < columns_.size()) {
      lines.push_back(
          fmt::format("  … and {} more sessions", columns_.size() - shown));
    }
  }
  static std::string_view TrimRight(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }
  std::string RowText(size_t index, bool end, size_t shown,
                      std::vector<bool>& open) const {
    const Request& request = judged_.history[index];
    const auto column = static_cast<size_t>(
        std::ranges::find(columns_, request.session) - columns_.begin());
    std::string text = "  ";
    for (size_t i = 0; i < shown; ++i) {
      std::string cell = open[i] ? "|" : "";
      if (i == column) {
        cell = end ? "< " + Short(AnswerText(*request.answer), kColumn - 4)
                   : "> " + Short(request.asks, kColumn - 4);
      }
      text += fmt::format("{:<{}}", cell, kColumn);
    }
    open[column] = !end;
    return std::string(TrimRight(text));
  }

  void AddOrders(std::vector<std::string>& lines) const {
    lines.push_back("one at a time in this order, the same answers and state?");
    const auto& fits = judged_.judgement.fits;
    for (size_t i = 0; i < std::min(fits.size(), kMaxOrders); ++i) {
      const OrderFit& fit = fits[i];
      lines.push_back(fmt::format("  answers {:<3}  state {:<3}  {}",
                                  fit.answers ? "yes" : "no",
                                  fit.infeasible ? "-"
                                  : fit.state    ? "yes"
                                                 : "no",
                                  OrderText(fit)));
    }
    if (fits.size() > kMaxOrders) {
      lines.push_back(
          fmt::format("  … and {} more orders", fits.size() - kMaxOrders));
    }
  }
  std::string OrderText(const OrderFit& fit) const {
    std::string text;
    for (size_t i = 0; i < fit.order.size(); ++i) {
      const Request& request = RequestAt(fit, i);
      text += fmt::format("{}{}: {}", i == 0 ? "" : "; ",
                          SessionName(request.session), Short(request.asks));
      if (i == fit.legal) text += fit.infeasible ? " (waits)" : " (differs)";
    }
    return text;
  }

  void AddDifferences(const OrderFit& best,
                      std::vector<std::string>& lines) const {
    size_t shown = 0;
    for (const OrderFit& fit : judged_.judgement.fits) {
      const bool wanted =
          judged_.judgement.answers_fit ? fit.answers : &fit == &best;
      if (!wanted || ++shown > kMaxOrders) continue;
      const std::vector<std::string> names = DifferingIn(fit);
      if (names.empty()) continue;
      lines.push_back("state, held against that of " + OrderText(fit) + ":");
      for (const std::string& name : names) {
        AddComponent(name,
                     lin::DifferenceOf(Of(*RunOf(fit).state, name),
                                       Of(judged_.state, name)),
                     lines);
      }
    }
  }
  static void AddComponent(const std::string& name,
                           const lin::ComponentDifference& difference,
                           std::vector<std::string>& lines) {
    const auto add = [&](const char* how,
                         const std::vector<std::string>& elements) {
      for (size_t i = 0; i < std::min(elements.size(), kMaxElements); ++i) {
        lines.push_back(
            fmt::format("  {}: {} {}", Short(name), how, Short(elements[i])));
      }
      if (elements.size() > kMaxElements) {
        lines.push_back(fmt::format("  {}: {} {} more", Short(name), how,
                                    elements.size() - kMaxElements));
      }
    };
    add("missing", difference.missing);
    add("extra  ", difference.extra);
    if (difference.reordered) {
      lines.push_back(
          fmt::format("  {}: the same in another order", Short(name)));
    }
  }

  const JudgedRequests& judged_;
  std::vector<uint64_t> columns_;  // sessions, by their first request
};

}  // namespace

Failure FailureOf(const JudgedRequests& judged) {
  return RequestWords(judged).Make();
}

}  // namespace fairlead::explore
