// lin/edn.h
//
// EDN, the notation of Clojure, in which Jepsen writes histories, read as JSON:
// keywords become strings with their colon, lists and sets become arrays, keys
// of maps become strings without a colon, tags are left out. Untrusted.

#ifndef FAIRLEAD_LIN_EDN_H_
#define FAIRLEAD_LIN_EDN_H_

#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace fairlead::lin {

class EdnReader {
 public:
  // Forms of `text`, which outlives the reader, one after the other. If all of
  // it is one list or vector, its elements instead.
  explicit EdnReader(std::string_view text) : text_(text) {}

  // None = the end.
  Result<std::optional<Json>> Next();
  // Of the form that was read last.
  size_t line() const { return form_line_; }

 private:
  // Forms inside of each other; more are no history.
  static constexpr int kMaxDepth = 64;

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek() const { return AtEnd() ? '\0' : text_[at_]; }
  // What is no form: white space, commas, comments, discarded forms.
  Status SkipBlank(int depth);
  Result<Json> Form(int depth);
  Result<Json> Sequence(char closing, int depth);
  Result<Json> Map(int depth);
  Result<Json> String();
  Result<Json> Tagged(int depth);
  Result<Json> Atom();
  std::string_view Token();
  Error Wrong(std::string_view what) const;
  size_t LineAt(size_t at);

  std::string_view text_;
  size_t at_ = 0;
  bool begun_ = false;
  char closing_ = '\0';    // of what is around all of it
  size_t counted_to_ = 0;  // for line numbers
  size_t line_ = 1;
  size_t form_line_ = 1;
};

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_EDN_H_
