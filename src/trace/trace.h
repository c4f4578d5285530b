// trace/trace.h
//
// An execution's events as a value, with the names of what they speak of. The
// unit that analyses are tested on; large traces are read event by event
// instead (trace/file_reader.h).

#ifndef FAIRLEAD_TRACE_TRACE_H_
#define FAIRLEAD_TRACE_TRACE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/event.h"
#include "trace/names.h"

namespace fairlead::trace {

// What a fixture claims about its trace: `expect race none`.
struct Expectation {
  std::string analysis;
  std::string claim;  // words with one space between them
  size_t line = 0;    // of the fixture
  bool operator==(const Expectation&) const = default;
};

struct Trace {
  std::vector<Event> events;  // `seq` ascends; gaps where events were left out
  Names names;
  std::map<std::string, uint64_t, std::less<>> labels;  // seq by label
  std::vector<std::string> specs;                       // `spec` lines
  std::vector<Expectation> expectations;

  bool operator==(const Trace&) const = default;

  // The event with this label, which must exist.
  const Event& operator[](std::string_view label) const;
  const Event* FindEvent(uint64_t seq) const;
};

// Refuses what no program does: events of a thread before its fork or after its
// end, a second fork of a thread, a wake-up by what has not happened. Traces
// that leave out thread life (fixtures) are fine.
Status Validate(const Trace& trace);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_TRACE_H_
