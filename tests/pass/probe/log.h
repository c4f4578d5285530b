// tests/pass/probe/log.h
//
// What the probe saw, kept in memory and written as text when the program ends.
// Equal events are one line with a count, so that the text does not depend on
// the order in which threads ran:
//
//   event <tab> kind=load <tab> file=a.c <tab> line=7 <tab> value=1 <tab> …
//
// Threads: any; one lock around everything.

#ifndef FAIRLEAD_TESTS_PASS_PROBE_LOG_H_
#define FAIRLEAD_TESTS_PASS_PROBE_LOG_H_

#include <cstdint>
#include <string>

#include "abi/hooks.h"
#include "abi/site.h"

namespace fairlead::probe {

// A line of output under construction: a word, then fields.
class Line {
 public:
  explicit Line(const char* word) : text_(word) {}
  Line& Add(const char* name, const char* value);
  Line& Add(const char* name, uint64_t value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

const char* WordOf(abi::SiteKind kind);

// The last part of a path.
const char* BaseName(const char* path);

// Adds kind, file, line, function, type and field of a site.
void Describe(const abi::SiteRecord& site, Line& line);

// Adds one occurrence of an event.
void Tell(const Line& line);

// The node of the call tree for a call at `site` from `parent`; 0 = the root.
uint32_t NodeOf(uint32_t parent, const abi::SiteRecord* site);

// The functions that made the calls from the root to `node`: "main>f".
std::string ChainOf(uint32_t node);

// Writes everything told to the file that PROBE_EVENTS names.
void WriteLog();

}  // namespace fairlead::probe

#endif  // FAIRLEAD_TESTS_PASS_PROBE_LOG_H_
