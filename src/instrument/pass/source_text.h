// instrument/pass/source_text.h
//
// The text of source lines, for anchors, and the names of files relative to the
// project's root, for ids. A line is normalised so that re-indenting it or
// editing the comment behind it leaves the anchor alone.

#ifndef FAIRLEAD_INSTRUMENT_PASS_SOURCE_TEXT_H_
#define FAIRLEAD_INSTRUMENT_PASS_SOURCE_TEXT_H_

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <string>
#include <vector>

namespace fairlead::pass {

// White space folded to single blanks or dropped beside punctuation, comments
// dropped, literals kept as they are.
//
// Incomplete: a line is looked at alone, so the inside of a block comment or of
// a raw string that began above it is read as code.
std::string NormaliseLine(llvm::StringRef line);

struct SourcePath {
  std::string path;      // relative to `root`, or absolute if not below it
  std::string root;      // empty when `path` is absolute
  bool library = false;  // a system header, not the application's
};

class SourceText {
 public:
  // `root`: absolute, or empty to use each file's compilation directory.
  explicit SourceText(std::string root) : root_(std::move(root)) {}

  // Normalised text of a line counted from 1; empty if it cannot be read.
  llvm::StringRef Line(const llvm::DIFile* file, unsigned line);

  // Untouched source outlives the pass only as long as this object.
  const SourcePath& Path(const llvm::DIFile* file);

 private:
  std::string root_;
  llvm::StringMap<std::vector<std::string>> lines_;  // by absolute path
  llvm::DenseMap<const llvm::DIFile*, SourcePath> paths_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_SOURCE_TEXT_H_
