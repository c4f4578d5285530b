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
  bool decides = true;     // kDeciding has it, too
  bool no_return = false;  // from here on it fails, whatever else happens
  // The step of another thread that the note is about; and whether the value
  // that it wrote is what this one sees.
  std::optional<uint64_t> from = {};
  bool sees = false;
  std::optional<size_t> event = {};  // into the slice; none: it never happened
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
