// runtime/intercept/annotations.h
//
// The other side of the public header (include/fairlead/fairlead.h): a table of
// functions, handed to every module that has the header's note.
//
// Not yet answered, and so null in the table: requests, state, atomic sets,
// units of work, guarded addresses.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_ANNOTATIONS_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_ANNOTATIONS_H_

#include "abi/module.h"

namespace fairlead::rt {

// Stores our table where the record says.
void HandOutAnnotations(const abi::AnnotationRecord& record);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_ANNOTATIONS_H_
