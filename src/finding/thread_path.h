// finding/thread_path.h
//
// A role of a target that is named like a thread, "main/1", is that thread and
// no other; any other name is whoever fits. Paths are ways of creation, equal
// in all executions that create their threads in one order.

#ifndef FAIRLEAD_FINDING_THREAD_PATH_H_
#define FAIRLEAD_FINDING_THREAD_PATH_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace fairlead::finding {

// As the number that the director compares (abi::ChildPath); none for a name
// that is no path.
std::optional<uint64_t> ThreadPathOf(std::string_view role);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_THREAD_PATH_H_
