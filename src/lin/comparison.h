// lin/comparison.h
//
// What counts when a concurrent execution is held against a serial one. By
// default everything: the same answers, the same state. People take back what
// their program does not promise, component by component and request by
// request; what differs between two equal serial executions is taken back
// without being asked.
//
// Which rules made a difference is kept, so that the others can be named.
//
// Threads: one.

#ifndef FAIRLEAD_LIN_COMPARISON_H_
#define FAIRLEAD_LIN_COMPARISON_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lin/component.h"
#include "lin/requests.h"

namespace fairlead::lin {

// How a component is held against that of a serial execution.
enum class StateRule : uint8_t {
  kEqual,
  kConcurrentWithin,  // it may have less: a cache that was not filled
  kSerialWithin,      // it may have more: two copies of one thing
  kIgnore,
};

// What of a reply is not compared.
enum class ReplyRule : uint8_t {
  kNumbers,  // each number counts as any other
  kRows,     // its lines may come in any order
  kText,     // all of it; the status still counts
};

// A rule of the user's. `pattern` is a name, or one with * for anything.
struct ComponentRule {
  std::string pattern;
  StateRule rule = StateRule::kEqual;
};
struct RequestRule {
  std::string pattern;  // of what is asked
  ReplyRule rule = ReplyRule::kNumbers;
};
// Elements of a sequence that one of each names may change places.
struct Commutation {
  std::string a;
  std::string b;
};

// What differs by itself, of a request or component: nothing more is compared
// of it than this leaves.
enum class Own : uint8_t { kNumbers, kAll };

class Comparison {
 public:
  Comparison() = default;
  Comparison(std::vector<ComponentRule> components,
             std::vector<RequestRule> requests,
             std::vector<Commutation> commutations)
      : components_(std::move(components)),
        requests_(std::move(requests)),
        commutations_(std::move(commutations)) {}

  // Learns from two executions in one order, which should be equal, what of
  // this program is not. True = something that was not known.
  bool LearnOwn(const std::string& asks, const Answer& one, const Answer& two);
  bool LearnOwn(const std::string& component, const Component& one,
                const Component& two);
  // By what is asked, and by component.
  const std::map<std::string, Own>& own_replies() const { return own_replies_; }
  const std::map<std::string, Own>& own_components() const {
    return own_components_;
  }

  bool SameAnswer(const std::string& asks, const Answer& serial,
                  const Answer& concurrent) const;
  bool SameState(const Components& serial, const Components& concurrent) const;
  bool SameComponent(const std::string& name, const Component& serial,
                     const Component& concurrent) const;

  // Rules that were looked at and let something through, as the user wrote
  // them, by kind and pattern.
  const std::set<std::string>& used() const { return used_; }
  // All of them, in words: "state query-cache within", …
  std::vector<std::string> Unused() const;

 private:
  bool SameOwn(const std::string& name, const Component& serial,
               const Component& concurrent) const;
  bool ByRule(const ComponentRule& rule, const Component& serial,
              const Component& concurrent) const;
  bool Commuted(const Component& serial, const Component& concurrent) const;
  bool MayChangePlaces(std::string_view one, std::string_view two) const;

  std::vector<ComponentRule> components_;
  std::vector<RequestRule> requests_;
  std::vector<Commutation> commutations_;
  std::map<std::string, Own> own_replies_;
  std::map<std::string, Own> own_components_;
  mutable std::set<std::string> used_;
};

// "query cache: concurrent within sequential": in facts and reports.
std::string TextOf(const ComponentRule& rule);
std::string TextOf(const RequestRule& rule);
std::string TextOf(const Commutation& commutation);

// Whether a pattern with * for anything fits all of `text`.
bool Fits(std::string_view pattern, std::string_view text);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_COMPARISON_H_
