// The answers to a program's requests, and the state that they leave: those of
// some order in which it serves them one at a time
// (docs/design/pike.md). On by itself once an execution begins a request.

#include "base/digest.h"
#include "explore/judge/oracle.h"
#include "explore/judge/request_references.h"
#include "explore/judge/request_words.h"
#include "explore/watch/request_watch.h"

namespace fairlead::explore {
namespace {

void Add(Digester& digest, std::string_view text) {
  digest.Add(text.size());
  digest.Add(std::as_bytes(std::span(text)));
}

// Equal for executions that must be judged alike: what was asked and answered,
// what precedes what, what is left.
uint64_t DigestOf(const RequestWatch& watch) {
  Digester digest;
  const lin::RequestHistory& history = watch.history();
  for (const lin::Request& each : history) {
    digest.Add(each.session);
    digest.Add(each.number);
    Add(digest, each.asks);
    digest.Add(each.answer ? each.answer->status : INT64_MIN);
    Add(digest, each.answer ? each.answer->reply : "");
    for (const lin::Request& other : history) {
      digest.Add(uint8_t{lin::Precedes(each, other)});
    }
  }
  for (const auto& [name, component] : watch.state()) {
    Add(digest, name);
    for (const auto& element : component.sequence) Add(digest, element);
    for (const auto& [element, times] : component.elements) {
      Add(digest, element);
      digest.Add(times);
    }
    for (const auto& [key, value] : component.values) {
      Add(digest, key);
      Add(digest, value);
    }
    Add(digest, component.value.value_or(""));
  }
  return digest.Value();
}

class RequestOracle final : public Oracle {
 public:
  explicit RequestOracle(std::shared_ptr<RequestReferences> references)
      : references_(std::move(references)) {}

  std::unique_ptr<EventObserver> Watch() override {
    if (!maybe_) return nullptr;
    return std::make_unique<RequestWatch>();
  }

  Opinion Judge(const Evidence& evidence) override {
    const auto* watch = static_cast<const RequestWatch*>(evidence.watched);
    if (watch == nullptr) return {};
    if (watch->history().empty()) {
      // A program that has requests has them in its first execution.
      maybe_ = false;
      return {};
    }
    RequestTally& tally = references_->tally();
    for (const auto& [name, changed] : watch->touched()) {
      tally.touched[name] |= changed;
    }
    tally.disagreeing.insert(watch->disagreeing().begin(),
                             watch->disagreeing().end());
    if (!watch->problem().empty()) {
      tally.problems.insert(watch->problem());
      return {};
    }
    return Count(Known(*watch));
  }

  bool Compares() const override { return true; }

 private:
  struct Judged {
    lin::Verdict verdict;
    bool latent = false;
    bool infeasible = false;
    std::optional<Failure> failure = {};
  };

  const Judged& Known(const RequestWatch& watch) {
    const uint64_t digest = DigestOf(watch);
    const auto known = known_.find(digest);
    if (known != known_.end()) return known->second;
    if (known_.size() == kMaxKnown) known_.clear();
    return known_.emplace(digest, JudgeNew(watch)).first->second;
  }

  Judged JudgeNew(const RequestWatch& watch) {
    const lin::RequestHistory& history = watch.history();
    const size_t most = references_->num_orders() + kMaxNewOrders;
    const lin::Specification specification =
        [&](const lin::RequestOrder& order) -> const lin::SerialRun* {
      RequestReferences::Order records;
      for (const uint32_t i : order) {
        records.push_back({history[i].session, history[i].number});
      }
      const bool spent = references_->num_orders() >= most;
      if (spent && !references_->Knows(records)) return nullptr;
      return references_->Of(records);
    };
    const lin::RequestJudgement judgement = lin::Judge(
        history, watch.state(), references_->comparison(), specification);
    Judged judged = {.verdict = judgement.verdict,
                     .latent = judgement.IsLatent(),
                     .infeasible = judgement.all_infeasible};
    if (judgement.verdict == lin::Verdict::kNo) {
      judged.failure = FailureOf({.history = history,
                                  .state = watch.state(),
                                  .sessions = watch.sessions(),
                                  .judgement = judgement,
                                  .comparison = references_->comparison(),
                                  .specification = specification});
    }
    return judged;
  }

  Opinion Count(const Judged& judged) {
    RequestTally& tally = references_->tally();
    ++tally.judged;
    tally.wrong += judged.verdict == lin::Verdict::kNo;
    tally.latent += judged.latent;
    tally.unknown += judged.verdict == lin::Verdict::kUnknown;
    tally.infeasible += judged.infeasible;
    if (!judged.failure) return {};
    return {.failures = {*judged.failure}};
  }

  // More than two sessions of five requests have, all of which overlap (252): a
  // few seconds. What needs more is unknown.
  static constexpr size_t kMaxNewOrders = 300;
  // Some kilobytes each, where something is wrong.
  static constexpr size_t kMaxKnown = 20'000;

  std::shared_ptr<RequestReferences> references_;
  bool maybe_ = true;  // the program has requests, as far as is known
  std::map<uint64_t, Judged> known_;
};

}  // namespace

std::unique_ptr<Oracle> MakeRequestOracle(const OracleSetting& setting) {
  if (setting.expectations.requests == nullptr) return nullptr;
  return std::make_unique<RequestOracle>(setting.expectations.requests);
}

}  // namespace fairlead::explore
