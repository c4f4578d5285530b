// trace/text.h
//
// The text form of traces, both ways: what `fairlead trace print` writes, and
// what fixtures are written in. Printing and parsing are inverse to each other,
// for every kind of event and every field.
//
//   main: write x          #init  @init.c:3
//   main: fork a
//   a:    lock m point
//   a:    rmw x relaxed size=4 value=2 old=1
//   expect race none
//
// The grammar is in docs/reference/trace-text.md. An object is a name, a name
// with an offset (x+4) or an address; names that no `object` line declares get
// addresses of their own, 4096 bytes apart. A thread that no `thread` line
// declares gets the next number; `main` is always 0.

#ifndef FAIRLEAD_TRACE_TEXT_H_
#define FAIRLEAD_TRACE_TEXT_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"

namespace fairlead::trace {

// One line without its end and label. `seq=` is written when `event` does not
// follow `previous` directly; null = it should be number 0.
std::string PrintEvent(const Event& event, const Names& names,
                       const Event* previous);

// Names, events, specs and expectations.
std::string PrintTrace(const Trace& trace);

Result<Trace> ParseTraceUntrusted(std::string_view text);

// The same for a text that is part of a test or of us: it must be right.
Trace ParseTrace(std::string_view text);

// Bytes of an access whose line does not say.
inline constexpr uint64_t kDefaultAccessBytes = 8;

// Whether the operand behind the word is a thread (`fork a`), kept in `value`.
bool NamesAThread(EventKind kind);

// Whether a name can stand for an object: it is no other word of a line.
bool IsObjectWord(std::string_view word);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_TEXT_H_
