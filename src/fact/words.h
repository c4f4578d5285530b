// fact/words.h
//
// The words of a line of facts: bare or in double quotes, with the column where
// each begins. Knows nothing of what they mean.

#ifndef FAIRLEAD_FACT_WORDS_H_
#define FAIRLEAD_FACT_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fairlead::fact {

struct Word {
  std::string text;
  size_t column = 1;    // from 1, in bytes
  bool quoted = false;  // then it is never part of the syntax
};

// An error of a line, whose number the caller knows.
struct LineError {
  size_t column;
  std::string sentence;
  std::string hint;
};

// The words up to a bare ":", and what follows that.
struct SplitLine {
  std::vector<Word> words;
  std::string reason;  // trimmed
};

// `line` has no line end. Brackets and commas are words of their own.
std::expected<SplitLine, LineError> SplitFactLine(std::string_view line);

// As `SplitFactLine` reads it back: bare where that is safe.
std::string Quoted(std::string_view word);

}  // namespace fairlead::fact

#endif  // FAIRLEAD_FACT_WORDS_H_
