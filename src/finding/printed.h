// finding/printed.h
//
// What a program said about its failure on its standard streams, so that two
// failures are told apart by their reasons and not by an exit code that they
// share. Knows how test frameworks and the C and C++ libraries put it; of any
// other program the last line of standard error counts. A pure function of two
// texts, which are untrusted.
//
// Incomplete: a program that goes on printing after its reason is known by its
// last line.

#ifndef FAIRLEAD_FINDING_PRINTED_H_
#define FAIRLEAD_FINDING_PRINTED_H_

#include <optional>
#include <string>
#include <string_view>

#include "trace/names.h"

namespace fairlead::finding {

struct Printed {
  std::string_view who = {};  // "GoogleTest", "assert"; "" = the last line
  std::string test = {};      // "Orders.Count"; "" = no test
  trace::Place place = {};    // as it was printed; no file = not told
  // What identifies the reason: no lines, no numbers, no values where they can
  // be told from the rest.
  std::string cause = {};
  std::string message = {};  // for people, one line
  bool operator==(const Printed&) const = default;
};

// The first reason of the kind that says most. Nothing: no framework spoke, and
// standard error is empty.
std::optional<Printed> ReadPrinted(std::string_view output,
                                   std::string_view error);

// The test that had begun and not ended when the text does; "" = none.
std::string TestUnderWay(std::string_view output);

// The last line with something in it, without colours; "" = none.
std::string LastLineOf(std::string_view text);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_PRINTED_H_
