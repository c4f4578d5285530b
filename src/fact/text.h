// fact/text.h
//
// Facts as text: the file `fairlead.facts`, which people write, review and
// commit. One fact a line, so that version control shows and merges facts:
//
//   # Why this file is there; ends at the first blank line.
//
//   # Comments stay with the fact that they stand before.
//   suppression race */stats.c : counters may lose a few
//   atomic-set Cache.items Cache.size [proposed, learnt from app/3 app/7]
//
// A line is a kind, its subjects, then in brackets what differs from an
// accepted fact that somebody has declared, then after a colon the reason. A
// word with white space or a character of the syntax is written in double
// quotes, with \" \\ \n \t and \xNN inside. docs/reference/facts.md is the
// reference.

#ifndef FAIRLEAD_FACT_TEXT_H_
#define FAIRLEAD_FACT_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fact/fact.h"

namespace fairlead::fact {

// A fact with the comment lines before it, each with its #.
struct Entry {
  std::vector<std::string> comments;
  Fact fact;
};

// A file of facts. No two entries have one key.
struct Document {
  std::vector<std::string> header;  // comments about the whole file
  std::vector<Entry> entries;
  std::vector<std::string> trailing;  // comments after the last fact
};

// Errors carry line and column. A fact that stands twice is one.
Result<Document> ParseUntrusted(std::string_view text);

// In the order of keys, so that equal facts are equal text. What is printed is
// parsed to the same.
std::string Print(const Document& document);

// One line, without its end.
std::string PrintFact(const Fact& fact);
// Kind and subjects only.
std::string PrintKey(const Key& key);

// The facts alone.
std::vector<Fact> FactsOf(const Document& document);

}  // namespace fairlead::fact

#endif  // FAIRLEAD_FACT_TEXT_H_
