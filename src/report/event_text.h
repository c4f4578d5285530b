// report/event_text.h
//
// An event in a few words, for a cell of a table: "read head = heap#3",
// "signal ready (nobody waits)".

#ifndef FAIRLEAD_REPORT_EVENT_TEXT_H_
#define FAIRLEAD_REPORT_EVENT_TEXT_H_

#include <string>

#include "trace/names.h"

namespace fairlead::report {

std::string EventText(const trace::Event& event, const trace::Names& names);

// The value that an access found or left in memory; "" = not known, or it is no
// access.
std::string StoredText(const trace::Event& event, const trace::Names& names);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_EVENT_TEXT_H_
