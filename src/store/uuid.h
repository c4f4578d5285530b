// store/uuid.h
//
// Keys of rows: UUIDs of version 7 (RFC 9562), which sort by time, so that new
// rows lie together.

#ifndef FAIRLEAD_STORE_UUID_H_
#define FAIRLEAD_STORE_UUID_H_

#include <cstdint>
#include <string>

namespace fairlead::store {

// One that nobody else has made.
std::string MakeUuid(uint64_t now_ms);

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_UUID_H_
