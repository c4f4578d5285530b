// instrument/pass/formats.h
//
// What the format of a call says about the memory behind its further
// arguments: `%s` of printf reads a text, `%d` of scanf writes an int. Only
// formats that are written in the call; positions ("%2$s") and wide texts are
// left out.
//
// Unsound: formats that the program makes or is handed.

#ifndef FAIRLEAD_INSTRUMENT_PASS_FORMATS_H_
#define FAIRLEAD_INSTRUMENT_PASS_FORMATS_H_

#include <llvm/ADT/StringRef.h>

#include <vector>

namespace fairlead::pass {

// An argument that is a pointer to what is read or written.
struct Formatted {
  unsigned argument = 0;  // from 0, of those that belong to the format
  bool text = false;      // as long as it is; else `bytes`
  unsigned bytes = 0;
  int bound = -1;  // of a text: at most so many, as this argument says
};

// Of printf and its relatives: what is read; `%n` is left out.
std::vector<Formatted> PrintedArguments(llvm::StringRef format);
// Of scanf and its relatives: what is written.
std::vector<Formatted> ScannedArguments(llvm::StringRef format);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_FORMATS_H_
