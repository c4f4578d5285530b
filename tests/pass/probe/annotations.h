// tests/pass/probe/annotations.h
//
// The probe's side of the public header: every call becomes a line of the log,
// `call <tab> name=… <tab> text=… <tab> number=…`. A choice takes the last of
// its options.

#ifndef FAIRLEAD_TESTS_PASS_PROBE_ANNOTATIONS_H_
#define FAIRLEAD_TESTS_PASS_PROBE_ANNOTATIONS_H_

#include "abi/module.h"

namespace fairlead::probe {

// Stores the probe's table where `record` says.
void Attach(const abi::AnnotationRecord& record);

}  // namespace fairlead::probe

#endif  // FAIRLEAD_TESTS_PASS_PROBE_ANNOTATIONS_H_
