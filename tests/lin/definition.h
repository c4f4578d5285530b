// lin/definition.h
//
// Linearizability as it is defined, for small histories: every order of the
// operations that ended, and of any of the others, is tried.

#ifndef FAIRLEAD_TESTS_LIN_DEFINITION_H_
#define FAIRLEAD_TESTS_LIN_DEFINITION_H_

#include "lin/model.h"

namespace fairlead::lin {

bool IsLinearizable(const History& history, Model& model);

// Whether `order` keeps the order in time and is allowed by the model; and, if
// `all`, has every operation that ended.
bool IsOrderOf(const History& history, Model& model,
               const std::vector<uint32_t>& order, bool all);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_TESTS_LIN_DEFINITION_H_
