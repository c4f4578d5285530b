// report/colour.h
//
// Colours for the text of a finding on a terminal: what happened and why in
// bold, the steps that get in each other's way, what went wrong. Nothing is
// said by a colour alone.

#ifndef FAIRLEAD_REPORT_COLOUR_H_
#define FAIRLEAD_REPORT_COLOUR_H_

#include <string>
#include <string_view>

namespace fairlead::report {

// `text` as FindingText gives it, made printable: what is added here is the
// only thing in it that a terminal obeys.
std::string Coloured(std::string_view text);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_COLOUR_H_
