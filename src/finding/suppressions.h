// finding/suppressions.h
//
// Findings that the user does not want to hear of, by pattern:
//
//   # what is known, and why
//   misuse    LegacyPool::*
//   *         third_party/*
//   crash     *in thread main/2*
//
//   race      */stats.c
//
// A line is a kind (or * for all) and a pattern with * and ?, which is held
// against the function and the file of every place of the finding, and against
// its message. The whole of one of them must match. Kinds are those of
// findings, and of predictions: race, deadlock, atomicity, condvar.

#ifndef FAIRLEAD_FINDING_SUPPRESSIONS_H_
#define FAIRLEAD_FINDING_SUPPRESSIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"

namespace fairlead::finding {

class Suppressions {
 public:
  struct Rule {
    std::string kind;  // its word; * = every one
    std::string pattern;
    std::string line;  // as it was written
  };

  // Errors carry line and column.
  static Result<Suppressions> ParseUntrusted(std::string_view text);

  // Whether findings or predictions of this kind can be suppressed; * = all.
  static bool IsKind(std::string_view word);

  // One more rule; `line` is what `Match` gives for it. `kind` is one.
  void Add(std::string kind, std::string pattern, std::string line);
  const std::vector<Rule>& rules() const { return rules_; }

  // The line that matches, or none.
  std::optional<std::string> Match(const Finding& finding) const;
  // The same for a prediction of this kind.
  std::optional<std::string> Match(std::string_view kind,
                                   const std::vector<Where>& sites,
                                   const std::string& message) const;

 private:
  std::vector<Rule> rules_;
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SUPPRESSIONS_H_
