#include "store/uuid.h"

#include <fmt/core.h>

#include "base/random_number.h"

namespace fairlead::store {

std::string MakeUuid(uint64_t now_ms) {
  const uint64_t random[] = {RandomNumber(), RandomNumber()};
  const uint64_t time = now_ms & 0xffff'ffff'ffff;  // 48 bits
  return fmt::format("{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}", time >> 16,
                     time & 0xffff, random[0] & 0xfff,
                     0x8000 | (random[0] >> 12 & 0x3fff),
                     random[1] & 0xffff'ffff'ffff);
}

}  // namespace fairlead::store
