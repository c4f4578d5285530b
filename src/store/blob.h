// store/blob.h
//
// Texts as they lie in the store: compressed with zstd.

#ifndef FAIRLEAD_STORE_BLOB_H_
#define FAIRLEAD_STORE_BLOB_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead::store {

std::string Compress(std::string_view text);
Result<std::string> DecompressUntrusted(std::string_view bytes);

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_BLOB_H_
