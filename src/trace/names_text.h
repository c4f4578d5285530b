// trace/names_text.h
//
// Names as lines of text, both ways. The lines stand at the head of a trace in
// text form and, compressed, in trace files:
//
//   module 0 /home/me/app build-id=5f3c base=0x5000 size=0x1000 program
//   thread 1 main/1 name=worker
//   type 0x3a Account 24 a.h:3 flags=class
//   field 0x3a balance 16 4
//   base 0x3a 0x2f 0
//   function 7 Get _ZNK7Account3GetEv a.h:9 type=0x3a flags=this param=0:0x3a
//   site 12 store increment lost.c:18:7 id=0x1f anchor=0x2e library
//   (and flags=pointer size=8 type=0x3a offset=16 block=1 loop=2)
//   caller 3 0 0x1234 main lost.c:30 anchor=0x9
//   node 5 2 12
//   object counter 0x555555558010 4
//
// `%` stands for what is not known; white space in names is written %20.

#ifndef FAIRLEAD_TRACE_NAMES_TEXT_H_
#define FAIRLEAD_TRACE_NAMES_TEXT_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/line_parser.h"
#include "trace/names.h"

namespace fairlead::trace {

std::string PrintNames(const Names& names);

// Whether a line that begins with this word is about a name.
bool IsNameWord(std::string_view word);

// Reads one such line into `names`; the word is not taken yet.
Status ParseNameUntrusted(LineParser& line, Names& names);

// Reads a text of such lines.
Result<Names> ParseNamesUntrusted(std::string_view text);

// "file:line" or "file:line:column" with %XX in the file; what `PlaceText`
// gives, escaped.
std::string EscapedPlace(const Place& place);
std::optional<Place> ParsePlaceUntrusted(std::string_view text);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_NAMES_TEXT_H_
