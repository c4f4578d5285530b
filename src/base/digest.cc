#include "base/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fairlead {

struct Digester::State {
  XXH3_state_t xxh;
};

uint64_t DigestOf(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

uint64_t DigestOf(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

Digester::Digester() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->xxh);
}
Digester::~Digester() = default;
Digester::Digester(Digester&&) noexcept = default;
Digester& Digester::operator=(Digester&&) noexcept = default;

void Digester::Add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size());
}

uint64_t Digester::Value() const { return XXH3_64bits_digest(&state_->xxh); }

}  // namespace fairlead
