#include "fact/text.h"

#include <algorithm>
#include <map>

#include "base/closest.h"
#include "base/text.h"
#include "fact/words.h"

namespace fairlead::fact {
namespace {

using LineResult = std::expected<Fact, LineError>;

LineError Wrong(const Word& word, std::string sentence, std::string hint) {
  return {word.column, std::move(sentence), std::move(hint)};
}

std::string KnownKinds() {
  std::string text;
  for (const KindEntry& entry : Kinds()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", entry.word);
  }
  return text;
}

LineError UnknownKind(const Word& word) {
  std::vector<std::string> known;
  for (const KindEntry& entry : Kinds()) known.emplace_back(entry.word);
  const std::string meant = DidYouMean(word.text, known);
  return Wrong(
      word, fmt::format("'{}' is no kind of fact", word.text),
      meant.empty() ? "begin the line with one of " + KnownKinds() : meant);
}

bool IsMark(const Word& word, std::string_view mark) {
  return !word.quoted && word.text == mark;
}

// What stands in brackets: words between commas, each a state or an origin;
// `learnt from RUN...` is one.
class Brackets {
 public:
  Brackets(std::span<const Word> words, Fact& fact)
      : words_(words), fact_(fact) {}

  // `words_` begins after "[". Null = right; `words_` is used up then.
  std::optional<LineError> Read(size_t open_column) {
    while (true) {
      if (words_.empty()) {
        return LineError{open_column, "this bracket is not closed",
                         "end it with ]"};
      }
      if (std::optional<LineError> wrong = ReadOne()) return wrong;
      if (words_.empty()) continue;
      const Word mark = Take();
      if (IsMark(mark, "]")) break;
      if (!IsMark(mark, ",")) {
        return Wrong(mark, fmt::format("unexpected '{}'", mark.text),
                     "write a comma between state and origin, and ] at the "
                     "end");
      }
    }
    if (words_.empty()) return {};
    return Wrong(words_.front(), "something follows the brackets",
                 "write the reason after a colon that stands alone");
  }

 private:
  Word Take() {
    Word word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  std::optional<LineError> ReadOne() {
    const Word word = Take();
    if (const std::optional<State> state = FindState(word.text)) {
      fact_.state = *state;
      return {};
    }
    const std::optional<Origin> origin = FindOrigin(word.text);
    if (!origin) {
      return Wrong(
          word, fmt::format("'{}' is neither a state nor an origin", word.text),
          "states are proposed, accepted, rejected; origins are "
          "declared, inferred, learnt from RUN...");
    }
    fact_.origin = *origin;
    if (*origin != Origin::kLearnt || words_.empty() ||
        !IsMark(words_.front(), "from")) {
      return {};
    }
    Take();
    while (!words_.empty() && !IsMark(words_.front(), ",") &&
           !IsMark(words_.front(), "]")) {
      fact_.runs.push_back(Take().text);
    }
    return {};
  }

  std::span<const Word> words_;
  Fact& fact_;
};

LineResult ParseLine(std::string_view line) {
  std::expected<SplitLine, LineError> split = SplitFactLine(line);
  if (!split) return std::unexpected(split.error());
  if (split->words.empty()) {
    return std::unexpected(LineError{1, "no fact before the colon",
                                     "write a kind and its subjects"});
  }
  const Word& kind_word = split->words.front();
  const std::optional<Kind> kind = FindKind(kind_word.text);
  if (!kind) return std::unexpected(UnknownKind(kind_word));
  Fact fact;
  fact.key.kind = *kind;
  fact.reason = split->reason;
  const std::span<const Word> words = std::span(split->words).subspan(1);
  for (size_t i = 0; i < words.size(); ++i) {
    if (IsMark(words[i], "[")) {
      Brackets brackets(words.subspan(i + 1), fact);
      if (const auto wrong = brackets.Read(words[i].column)) {
        return std::unexpected(*wrong);
      }
      break;
    }
    if (IsMark(words[i], "]") || IsMark(words[i], ",")) {
      return std::unexpected(
          Wrong(words[i], fmt::format("unexpected '{}'", words[i].text),
                "put a subject that holds it in quotes"));
    }
    fact.key.subjects.push_back(words[i].text);
  }
  Result<Fact> checked = Checked(std::move(fact));
  if (!checked) {
    return std::unexpected(LineError{
        kind_word.column, checked.error().sentence(), checked.error().hint()});
  }
  return *std::move(checked);
}

Error At(size_t line, LineError wrong) {
  return Error(ErrorCode::kMalformed)
      .Say("{}:{}: {}", line, wrong.column, wrong.sentence)
      .Hint("{}", wrong.hint);
}

// Reads line after line.
class Parser {
 public:
  Status Add(std::string_view raw) {
    ++number_;
    const std::string_view line = Trim(raw);
    if (line.starts_with('#')) {
      comments_.emplace_back(line);
      return {};
    }
    if (line.empty()) {
      // The first block of comments is about the file.
      if (document_.entries.empty() && document_.header.empty()) {
        document_.header = std::exchange(comments_, {});
      }
      return {};
    }
    LineResult fact = ParseLine(raw);
    if (!fact) return At(number_, fact.error());
    const auto [at, is_new] = lines_.emplace(fact->key, number_);
    if (!is_new) {
      return At(
          number_,
          {1, fmt::format("this fact stands on line {} already", at->second),
           "take one of them away"});
    }
    document_.entries.push_back(
        {std::exchange(comments_, {}), *std::move(fact)});
    return {};
  }

  Document Finish() && {
    document_.trailing = std::move(comments_);
    return std::move(document_);
  }

 private:
  Document document_;
  std::vector<std::string> comments_;
  std::map<Key, size_t> lines_;  // where each stands
  size_t number_ = 0;
};

}  // namespace

Result<Document> ParseUntrusted(std::string_view text) {
  Parser parser;
  for (const std::string_view line : Split(text, '\n')) {
    if (Status added = parser.Add(line); !added) return added.error();
  }
  return std::move(parser).Finish();
}

std::string PrintKey(const Key& key) {
  std::string text(WordOf(key.kind));
  for (const std::string& subject : key.subjects) text += " " + Quoted(subject);
  return text;
}

std::string PrintFact(const Fact& fact) {
  std::string text = PrintKey(fact.key);
  std::string brackets;
  if (fact.state != State::kAccepted) brackets = WordOf(fact.state);
  if (fact.origin != Origin::kDeclared) {
    if (!brackets.empty()) brackets += ", ";
    brackets += WordOf(fact.origin);
    if (!fact.runs.empty()) brackets += " from";
    for (const std::string& run : fact.runs) brackets += " " + Quoted(run);
  }
  if (!brackets.empty()) text += fmt::format(" [{}]", brackets);
  if (!fact.reason.empty()) text += " : " + fact.reason;
  return text;
}

std::string Print(const Document& document) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : document.entries) entries.push_back(&entry);
  std::ranges::sort(entries, {},
                    [](const Entry* entry) { return entry->fact.key; });
  std::string text;
  for (const std::string& line : document.header) text += line + "\n";
  if (!document.header.empty()) text += "\n";
  // Comments before the first fact would else be read as the header.
  if (document.header.empty() && !entries.empty() &&
      !entries.front()->comments.empty()) {
    text += "\n";
  }
  for (const Entry* entry : entries) {
    for (const std::string& line : entry->comments) text += line + "\n";
    text += PrintFact(entry->fact) + "\n";
  }
  for (const std::string& line : document.trailing) text += line + "\n";
  return text;
}

std::vector<Fact> FactsOf(const Document& document) {
  std::vector<Fact> facts;
  for (const Entry& entry : document.entries) facts.push_back(entry.fact);
  return facts;
}

}  // namespace fairlead::fact
