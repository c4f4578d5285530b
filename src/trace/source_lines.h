// trace/source_lines.h
//
// From an address in a binary to function, file and line, by its debug
// information (libdw). For calls out of code without sites; sites know their
// places themselves.

#ifndef FAIRLEAD_TRACE_SOURCE_LINES_H_
#define FAIRLEAD_TRACE_SOURCE_LINES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/names.h"

namespace fairlead::trace {

struct SourceLine {
  std::string function;  // linkage name; "" = not known
  Place place;           // no file = not known
};

class SourceLines {
 public:
  // A file that cannot be read, or has no debug information, knows nothing.
  explicit SourceLines(const std::string& path);
  ~SourceLines();
  SourceLines(SourceLines&&) noexcept;

  // Of the call that returns to `offset`, an address of the file's own: the
  // innermost function, and those that it is inlined into, if any, outwards.
  // So what is told does not depend on what the optimiser has inlined. Empty
  // when nothing is known.
  std::vector<SourceLine> Caller(uint64_t offset) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_SOURCE_LINES_H_
