#include "store/blob.h"

#include <zstd.h>

#include "base/check.h"

namespace fairlead::store {
namespace {

constexpr int kLevel = 6;  // written once, read by people
// A schedule of a million choices is 50 MB of text; ten times that is damage.
constexpr unsigned long long kLargest = 512ull << 20;

}  // namespace

std::string Compress(std::string_view text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(),
                                    text.size(), kLevel);
  FL_CHECK(!ZSTD_isError(size), "{}", ZSTD_getErrorName(size));
  bytes.resize(size);
  return bytes;
}

Result<std::string> DecompressUntrusted(std::string_view bytes) {
  const unsigned long long size =
      ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  // The two largest numbers mean that it is not known or no frame.
  if (size > kLargest) {
    return Error(ErrorCode::kCorrupt).Say("a row of the store is damaged");
  }
  std::string text(size, '\0');
  const size_t got =
      ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != text.size()) {
    return Error(ErrorCode::kCorrupt).Say("a row of the store is damaged");
  }
  return text;
}

}  // namespace fairlead::store
