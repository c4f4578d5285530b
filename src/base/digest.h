// base/digest.h
//
// 64-bit digests of bytes (XXH3), to tell things apart and to notice damage.
// Not for secrets, and not against somebody who wants two inputs to collide.

#ifndef FAIRLEAD_BASE_DIGEST_H_
#define FAIRLEAD_BASE_DIGEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace fairlead {

uint64_t DigestOf(std::span<const std::byte> bytes);
uint64_t DigestOf(std::string_view text);

// A digest of what arrives in pieces; equal to that of the whole.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(Digester&&) noexcept;
  Digester& operator=(Digester&&) noexcept;

  void Add(std::span<const std::byte> bytes);
  template <typename T>
    requires std::has_unique_object_representations_v<T>
  void Add(const T& value) {
    Add(std::as_bytes(std::span(&value, 1)));
  }
  uint64_t Value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_DIGEST_H_
