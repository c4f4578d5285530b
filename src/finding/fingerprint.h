// finding/fingerprint.h
//
// What makes two findings the same: their kind and the places of their cause.
// Places count by what survives a rebuild and edits elsewhere: the anchor of a
// site, or function and file name of code without sites. Never by lines,
// addresses, thread numbers or seeds. The order of places does not count: two
// threads that deadlock may be seen either way round.
//
// Incomplete: one cause that shows itself at two places (a damaged pointer that
// is used here or there) makes two findings.
// Unsound: two causes at one place make one.

#ifndef FAIRLEAD_FINDING_FINGERPRINT_H_
#define FAIRLEAD_FINDING_FINGERPRINT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace fairlead::finding {

// `cause` is what else tells causes of this kind apart: a signal's name, the
// text of an assertion. Digits in it do not count where they are part of an
// address or a number, since these change.
uint64_t Fingerprint(Kind kind, std::string_view cause,
                     const std::vector<Where>& sites);

// Of a prediction: by the identity of its target (finding/target.h).
uint64_t Fingerprint(Kind kind, const Target& target);

// `text` with each number (also hexadecimal) as one '#'. Digits inside a word
// stay.
std::string WithoutNumbers(std::string_view text);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_FINGERPRINT_H_
