// report/interleaving.h
//
// The interleaving of a witness as a table: a column per thread, a row per
// event, with what each row has to do with rows of other threads. The model
// that every renderer draws; nothing here knows how.

#ifndef FAIRLEAD_REPORT_INTERLEAVING_H_
#define FAIRLEAD_REPORT_INTERLEAVING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "finding/finding.h"

namespace fairlead::report {

struct Row {
  std::optional<uint64_t> step;  // the event's number; none: it never happened
  size_t column = 0;             // into `threads`
  std::string text;              // "write ready = 1"
  std::string note;              // "overwrites step 12, unseen"; "" = none
  trace::Place place;
  std::string function;
  std::string source;   // the line there, without its indentation; "" = unknown
  bool failed = false;  // this is what went wrong
  bool conflicts = false;  // one of the steps that get in each other's way
};

// kDeciding: those that tell it in the fewest rows, if that is known.
enum class Rows { kDeciding, kAll };

struct Interleaving {
  std::vector<std::string> threads;  // those with rows, by number
  std::vector<Row> rows;
  size_t left_out = 0;  // rows that kAll has, too
};

Interleaving InterleavingOf(const finding::Finding& finding,
                            Rows rows = Rows::kAll);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_INTERLEAVING_H_
