// cli/print.h
//
// How results reach standard output and standard error: nothing that comes from
// the program, a file or a store acts on the terminal (base/printable.h).

#ifndef FAIRLEAD_CLI_PRINT_H_
#define FAIRLEAD_CLI_PRINT_H_

#include <stdio.h>

#include <string_view>

#include "base/json.h"

namespace fairlead::cli {

// Text for people.
void Print(FILE* stream, std::string_view text);

// The same of a report about a finding, in colour on a terminal that has any,
// unless NO_COLOR is set (no-color.org).
void PrintFinding(FILE* stream, std::string_view text);

// JSON, indented or as one line. Text in it that is no UTF-8 is replaced.
void PrintJson(FILE* stream, const Json& json);
void PrintJsonLine(FILE* stream, const Json& json);

// What the program itself wrote, or a file format: byte for byte, except on a
// terminal. False if it could not be written.
bool PrintAsIs(FILE* stream, std::string_view bytes);

// Whether what was printed so far has reached whoever reads it.
bool Flush(FILE* stream);

// Why the first of what was lost could not be written, as in errno; 0 = nothing
// was. A stream remembers only that something failed.
int LostBecause();

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_PRINT_H_
