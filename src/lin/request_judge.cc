#include "lin/request_judge.h"

#include <algorithm>

namespace fairlead::lin {
namespace {

class RequestSearch {
 public:
  RequestSearch(const RequestHistory& history, const Components& state,
                const Comparison& comparison,
                const Specification& specification)
      : history_(history),
        state_(state),
        comparison_(comparison),
        specification_(specification),
        placed_(history.size(), false) {}

  RequestJudgement Run() {
    const End end = Visit(nullptr);
    RequestJudgement judgement = std::move(judgement_);
    const bool all_infeasible =
        !judgement.fits.empty() &&
        std::ranges::all_of(judgement.fits, &OrderFit::infeasible);
    judgement.all_infeasible = end == End::kNo && all_infeasible;
    judgement.verdict = end == End::kYes      ? Verdict::kYes
                        : end == End::kBroken ? Verdict::kUnknown
                        : all_infeasible      ? Verdict::kUnknown
                                              : Verdict::kNo;
    return judgement;
  }

 private:
  enum class End { kYes, kNo, kBroken };

  // An order that was run, and how far it fits.
  struct Tried {
    RequestOrder order;
    const SerialRun* run;
    size_t legal;
  };

  // All orders that begin with order_, whose answers are right as far as
  // `known` goes; null = nobody has run one of them yet.
  End Visit(const Tried* known) {
    if (AllAnswered()) {
      const End here = Leaf(known);
      if (here != End::kNo) return here;
    }
    for (uint32_t next = 0; next < history_.size(); ++next) {
      if (!MayComeNext(next, placed_)) continue;
      const End end = Follow(next, known);
      if (end != End::kNo) return end;
    }
    return End::kNo;
  }

  End Follow(uint32_t next, const Tried* known) {
    const size_t at = order_.size();
    order_.push_back(next);
    placed_[next] = true;
    End end = End::kNo;
    if (known != nullptr && known->order.size() > at &&
        known->order[at] == next) {
      if (known->legal > at) end = Visit(known);
    } else {
      const std::optional<Tried> tried = Try();
      if (!tried) {
        end = End::kBroken;
      } else if (tried->legal > at) {
        end = Visit(&*tried);
      }
    }
    placed_[next] = false;
    order_.pop_back();
    return end;
  }

  // order_ has all that were answered: it may be the whole.
  End Leaf(const Tried* known) {
    if (known != nullptr && known->order == order_) {
      return Fits(*known) ? End::kYes : End::kNo;
    }
    const std::optional<Tried> tried = Try();
    if (!tried) return End::kBroken;
    return Fits(*tried) ? End::kYes : End::kNo;
  }

  bool Fits(const Tried& tried) const {
    return tried.legal == tried.order.size() && tried.run->state &&
           comparison_.SameState(*tried.run->state, state_);
  }

  // order_, and behind it the others that were answered, by their ends.
  RequestOrder Completed() const {
    RequestOrder order = order_;
    std::vector<bool> placed = placed_;
    while (true) {
      std::optional<uint32_t> first;
      for (uint32_t i = 0; i < history_.size(); ++i) {
        if (!history_[i].answer || !MayComeNext(i, placed)) continue;
        if (!first || history_[i].end < history_[*first].end) first = i;
      }
      if (!first) return order;
      order.push_back(*first);
      placed[*first] = true;
    }
  }

  std::optional<Tried> Try() {
    RequestOrder order = Completed();
    const SerialRun* run = specification_(order);
    if (run == nullptr) return {};
    Tried tried = {.order = std::move(order), .run = run, .legal = 0};
    while (tried.legal < tried.order.size() && IsLegalAt(tried, tried.legal)) {
      ++tried.legal;
    }
    Note(tried);
    return tried;
  }

  bool IsLegalAt(const Tried& tried, size_t at) const {
    if (at >= tried.run->served.size()) return false;
    const Request& request = history_[tried.order[at]];
    const SerialRun::Served& served = tried.run->served[at];
    if (served.asks != request.asks) return false;
    return !request.answer ||
           comparison_.SameAnswer(request.asks, served.answer, *request.answer);
  }

  void Note(const Tried& tried) {
    const bool whole = tried.legal == tried.order.size();
    const bool blocks = tried.legal == tried.run->served.size() && !whole;
    OrderFit fit = {.order = tried.order,
                    .legal = tried.legal,
                    .infeasible = blocks || (whole && !tried.run->state),
                    .answers = whole && tried.run->state.has_value(),
                    .state = tried.run->state &&
                             comparison_.SameState(*tried.run->state, state_)};
    judgement_.answers_fit |= fit.answers;
    judgement_.fits.push_back(std::move(fit));
  }

  bool AllAnswered() const {
    for (size_t i = 0; i < history_.size(); ++i) {
      if (!placed_[i] && history_[i].answer) return false;
    }
    return true;
  }

  bool MayComeNext(uint32_t next, const std::vector<bool>& placed) const {
    if (placed[next]) return false;
    for (size_t i = 0; i < history_.size(); ++i) {
      if (!placed[i] && i != next && Precedes(history_[i], history_[next])) {
        return false;
      }
    }
    return true;
  }

  const RequestHistory& history_;
  const Components& state_;
  const Comparison& comparison_;
  const Specification& specification_;
  RequestOrder order_;
  std::vector<bool> placed_;  // by request: in order_
  RequestJudgement judgement_;
};

}  // namespace

const OrderFit* RequestJudgement::Best() const {
  const auto best = std::ranges::max_element(fits, {}, [](const OrderFit& fit) {
    return std::tuple(fit.answers, fit.legal, fit.state);
  });
  return best == fits.end() ? nullptr : &*best;
}

RequestJudgement Judge(const RequestHistory& history, const Components& state,
                       const Comparison& comparison,
                       const Specification& specification) {
  return RequestSearch(history, state, comparison, specification).Run();
}

}  // namespace fairlead::lin
