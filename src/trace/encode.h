// trace/encode.h
//
// From events to records, the inverse of trace/decode.h. Every record but the
// last of an event carries kFlagExtended.

#ifndef FAIRLEAD_TRACE_ENCODE_H_
#define FAIRLEAD_TRACE_ENCODE_H_

#include <span>
#include <vector>

#include "abi/event.h"
#include "trace/event.h"

namespace fairlead::trace {

// Appends the records of `event`; its `seq` is its position, and not written.
void Encode(const Event& event, std::vector<abi::Event>& records);

std::vector<abi::Event> Encode(std::span<const Event> events);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_ENCODE_H_
