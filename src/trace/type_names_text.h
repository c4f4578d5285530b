// trace/type_names_text.h
//
// The lines about types and functions among those about names
// (trace/names_text.h). Fields and bases follow the type that they belong to.

#ifndef FAIRLEAD_TRACE_TYPE_NAMES_TEXT_H_
#define FAIRLEAD_TRACE_TYPE_NAMES_TEXT_H_

#include <cstdint>
#include <string>

#include "base/result.h"
#include "trace/line_parser.h"
#include "trace/names.h"

namespace fairlead::trace {

// With a line for each field and base.
std::string PrintType(const TypeName& type);
std::string PrintFunction(uint32_t index, const FunctionName& function);

// Each reads the rest of a line that begins with its word.
Status ParseType(LineParser& line, Names& names);
Status ParseField(LineParser& line, Names& names);
Status ParseBase(LineParser& line, Names& names);
Status ParseFunction(LineParser& line, Names& names);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_TYPE_NAMES_TEXT_H_
