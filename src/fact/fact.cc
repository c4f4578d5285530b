#include "fact/fact.h"

#include <algorithm>
#include <iterator>

#include "base/closest.h"
#include "base/digest.h"
#include "base/text.h"
#include "finding/suppressions.h"

namespace fairlead::fact {
namespace {

constexpr SubjectOrder kList = SubjectOrder::kList;
constexpr SubjectOrder kSet = SubjectOrder::kSet;
constexpr Use kUsed = Use::kUsed;
constexpr Use kUnused = Use::kUnused;

constexpr KindEntry kKinds[] = {
#define FL_FACT(name, word, least, most, order, used, subjects, title) \
  {Kind::name, word, least, most, order, used, subjects, title},
#include "fact/kinds.inc"
#undef FL_FACT
};

constexpr std::string_view kStates[] = {"proposed", "accepted", "rejected"};
constexpr std::string_view kOrigins[] = {"learnt", "inferred", "declared"};

constexpr std::string_view kComponentRules[] = {
    "equal", "concurrent-within-sequential", "sequential-within-concurrent",
    "ignore"};
constexpr std::string_view kReplyRules[] = {"numbers", "rows", "ignore"};

bool IsAmong(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// "@" and up to 16 hexadecimal digits; of a predecessor also how its thread
// came there: "@1f00/again".
bool IsAnchor(std::string_view subject, Kind kind) {
  std::string_view digits = subject.substr(1);
  const size_t slash = digits.find('/');
  if (kind == Kind::kPredecessor && slash != std::string_view::npos) {
    const std::string_view history = digits.substr(slash + 1);
    if (history != "first" && history != "next" && history != "again") {
      return false;
    }
    digits = digits.substr(0, slash);
  }
  return !digits.empty() && digits.size() <= 16 &&
         digits.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Error Wrong(std::string_view what, const KindEntry& entry) {
  return Error(ErrorCode::kMalformed)
      .Say("{}", what)
      .Hint("a fact of kind {} names {}", entry.word, entry.subjects);
}

// What only this kind asks of its subjects.
Status CheckWords(const Fact& fact, const KindEntry& entry) {
  const std::string& first = fact.key.subjects.front();
  if (fact.key.kind == Kind::kSuppression &&
      !finding::Suppressions::IsKind(first)) {
    return Wrong(fmt::format("'{}' is no kind of finding", first), entry);
  }
  if (fact.key.kind == Kind::kSynchronisation && first != "acquire" &&
      first != "release") {
    return Wrong(fmt::format("'{}' is neither acquire nor release", first),
                 entry);
  }
  if (fact.key.kind == Kind::kComponent &&
      !IsAmong(kComponentRules, fact.key.subjects[1])) {
    return Wrong(
        fmt::format("'{}' is no rule for a component", fact.key.subjects[1]),
        entry);
  }
  if (fact.key.kind == Kind::kReply &&
      !IsAmong(kReplyRules, fact.key.subjects[1])) {
    return Wrong(
        fmt::format("'{}' is no rule for an answer", fact.key.subjects[1]),
        entry);
  }
  return {};
}

void SortAndUnite(std::vector<std::string>& words) {
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
}

template <typename T>
std::optional<T> Find(std::span<const std::string_view> words,
                      std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return {};
  return static_cast<T>(found - words.begin());
}

}  // namespace

std::span<const KindEntry> Kinds() { return kKinds; }
const KindEntry& EntryOf(Kind kind) {
  return kKinds[static_cast<size_t>(kind)];
}
std::string_view WordOf(Kind kind) { return EntryOf(kind).word; }
std::optional<Kind> FindKind(std::string_view word) {
  const auto* found = std::ranges::find(kKinds, word, &KindEntry::word);
  if (found == std::end(kKinds)) return {};
  return found->kind;
}

std::string_view WordOf(State state) {
  return kStates[static_cast<size_t>(state)];
}
std::string_view WordOf(Origin origin) {
  return kOrigins[static_cast<size_t>(origin)];
}
std::optional<State> FindState(std::string_view word) {
  return Find<State>(kStates, word);
}
std::optional<Origin> FindOrigin(std::string_view word) {
  return Find<Origin>(kOrigins, word);
}

Result<Fact> Checked(Fact fact) {
  const KindEntry& entry = EntryOf(fact.key.kind);
  std::vector<std::string>& subjects = fact.key.subjects;
  if (entry.order == SubjectOrder::kSet) SortAndUnite(subjects);
  if (subjects.size() < entry.least) {
    return Wrong(fmt::format("{} needs {}{}, and has {}", entry.word,
                             entry.most == entry.least ? "" : "at least ",
                             Counted(entry.least, "subject"), subjects.size()),
                 entry);
  }
  if (entry.most != 0 && subjects.size() > entry.most) {
    return Wrong(fmt::format("{} has {}, and not {}", entry.word,
                             Counted(entry.most, "subject"), subjects.size()),
                 entry);
  }
  for (const std::string& subject : subjects) {
    if (subject.empty()) return Wrong("a subject is empty", entry);
    if (subject.front() == '@' && !IsAnchor(subject, fact.key.kind)) {
      return Wrong(fmt::format("'{}' is no anchor: @ and up to 16 digits of "
                               "0 to 9 and a to f",
                               subject),
                   entry);
    }
  }
  if (Status right = CheckWords(fact, entry); !right) return right.error();
  for (char& c : fact.reason) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  fact.reason = Trim(fact.reason);
  SortAndUnite(fact.runs);
  if (fact.origin != Origin::kLearnt) fact.runs.clear();
  return fact;
}

bool IsInUse(const Fact& fact) {
  return fact.state == State::kAccepted &&
         EntryOf(fact.key.kind).use == Use::kUsed;
}

std::string IdOf(const Key& key) {
  std::string text(WordOf(key.kind));
  for (const std::string& subject : key.subjects) {
    text += '\0';
    text += subject;
  }
  return fmt::format("{:08x}", DigestOf(text) >> 32);
}

}  // namespace fairlead::fact
