// base/json.h
//
// JSON, at the edges only: values are made from and turned into our own types
// where they enter and leave. Keys keep the order in which they were added, so
// that output can be compared as text.

#ifndef FAIRLEAD_BASE_JSON_H_
#define FAIRLEAD_BASE_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead {

using Json = nlohmann::ordered_json;

// The value that an untrusted text says; the error names line and column.
Result<Json> ParseJson(std::string_view text);

// As text, indented, with a line end. Bytes that are no UTF-8 are replaced.
std::string JsonText(const Json& value);

Json ErrorJson(const Error& error);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_JSON_H_
