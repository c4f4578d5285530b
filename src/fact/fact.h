// fact/fact.h
//
// A fact: something that is inferred or declared about a program's sources, and
// that techniques go by: which variables belong together, which races are
// meant, which findings nobody wants to hear of. A fact is not a finding (it
// claims no bug) and not an option (it is reviewed, committed, and outlives a
// command). It holds for every program that a store knows: subjects are names
// of the sources, or anchors, which survive edits.
//
// Plain values. The text form is in fact/text.h, merging in fact/merge.h; the
// store keeps them (store/store.h).

#ifndef FAIRLEAD_FACT_FACT_H_
#define FAIRLEAD_FACT_FACT_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fairlead::fact {

enum class Kind : uint8_t {
#define FL_FACT(name, word, least, most, order, used, subjects, title) name,
#include "fact/kinds.inc"
#undef FL_FACT
};

// Whether the order of subjects means something.
enum class SubjectOrder { kList, kSet };
enum class Use { kUsed, kUnused };

struct KindEntry {
  Kind kind;
  std::string_view word;
  size_t least;  // subjects
  size_t most;   // 0 = any number
  SubjectOrder order;
  Use use;
  std::string_view subjects;  // what they are, with an example
  std::string_view title;
};

// All of them, by `Kind`.
std::span<const KindEntry> Kinds();
const KindEntry& EntryOf(Kind kind);
std::string_view WordOf(Kind kind);
std::optional<Kind> FindKind(std::string_view word);

// kAccepted: techniques go by it. kProposed: somebody has to look first.
// kRejected: it is wrong, and must not be proposed again.
enum class State : uint8_t { kProposed, kAccepted, kRejected };

// Where it comes from. Ascending by how much it weighs.
enum class Origin : uint8_t {
  kLearnt,    // from runs
  kInferred,  // from the sources or the binary
  kDeclared,  // a person has written it
};

std::string_view WordOf(State state);
std::string_view WordOf(Origin origin);
std::optional<State> FindState(std::string_view word);
std::optional<Origin> FindOrigin(std::string_view word);

// What a fact is about; two facts with one key are the same fact.
struct Key {
  Kind kind = Kind::kSuppression;
  // Names of the sources, patterns, or anchors ("@1f00"); as `Checked` leaves
  // them.
  std::vector<std::string> subjects = {};
  auto operator<=>(const Key&) const = default;
};

struct Fact {
  Key key = {};
  State state = State::kAccepted;
  Origin origin = Origin::kDeclared;
  std::vector<std::string> runs =
      {};                   // that it was learnt from; sorted, no doubles
  std::string reason = {};  // one line; "" = none was given
  bool operator==(const Fact&) const = default;
};

// `fact` with its lists in order and its reason on one line, if it can be one:
// the number of subjects suits its kind, and each is a word that its kind
// knows.
Result<Fact> Checked(Fact fact);

// Whether some technique goes by it: it is accepted, and of a kind in use.
bool IsInUse(const Fact& fact);

// Eight hexadecimal digits that name a key on the command line, the same
// wherever the fact is.
std::string IdOf(const Key& key);

}  // namespace fairlead::fact

#endif  // FAIRLEAD_FACT_FACT_H_
