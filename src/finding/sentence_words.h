// finding/sentence_words.h
//
// The parts of the sentences of finding/sentence.h: threads, objects, places
// and locks as they are said there.

#ifndef FAIRLEAD_FINDING_SENTENCE_WORDS_H_
#define FAIRLEAD_FINDING_SENTENCE_WORDS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "finding/slice_for.h"
#include "trace/trace.h"

namespace fairlead::finding {

class SentenceWords {
 public:
  // Both must outlive this.
  SentenceWords(const Sliced& sliced, const trace::Trace& whole)
      : names_(sliced.trace.names), whole_(whole) {}

  // "main/1 (worker)", and "main/1" from the second time on.
  std::string Thread(trace::Tid tid) const;
  std::string Object(uint64_t address) const;
  // Of what is said of a block as a whole.
  std::string Pointee(uint64_t address) const;
  // " at shop.cc:15", "" where nobody knows.
  std::string At(const trace::Event& event) const;
  static std::string At(const trace::Place& place);

  // "reads", "writes", "changes" (what is made of several words, or both).
  std::string Verb(const trace::Event& event) const;

  // Names of locks: "a and b".
  std::string Locks(const std::vector<uint64_t>& locks) const;

  const trace::Names& names() const { return names_; }
  const trace::Trace& whole() const { return whole_; }

 private:
  const trace::Names& names_;
  const trace::Trace& whole_;
  mutable std::set<trace::Tid> told_;
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SENTENCE_WORDS_H_
