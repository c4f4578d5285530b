// base/printable.h
//
// Text that is safe to show. Names, messages and output come from the program
// under test, from files and from stores; on a terminal, control characters in
// them would act: move the cursor, rename the window, hide what stands there.

#ifndef FAIRLEAD_BASE_PRINTABLE_H_
#define FAIRLEAD_BASE_PRINTABLE_H_

#include <string>
#include <string_view>

namespace fairlead {

// `text` with everything that a terminal would obey as \xNN, and bytes that are
// no UTF-8 likewise; line ends and tabs stay. UTF-8 that only looks like
// something stays, but for marks that reverse the direction of writing.
std::string Printable(std::string_view text);

// The same on one line.
std::string PrintableLine(std::string_view text);

// For text that is JSON already: the same characters as \uNNNN, so that it
// stays JSON and means the same.
std::string PrintableJson(std::string_view json);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_PRINTABLE_H_
