// abi/relative.h
//
// A pointer stored as the distance from its own address. The tables in an
// instrumented binary use nothing else: they need no relocation at start-up,
// stay in read-only pages, and mean the same at every load address.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_RELATIVE_H_
#define FAIRLEAD_ABI_RELATIVE_H_

#include <stdint.h>

namespace fairlead::abi {

template <typename T>
struct Relative {
  int32_t distance;  // bytes from this field; 0 = null

  T* get() const {
    if (distance == 0) return nullptr;
    const char* self = reinterpret_cast<const char*>(&distance);
    return reinterpret_cast<T*>(const_cast<char*>(self) + distance);
  }
  T* operator->() const { return get(); }
  explicit operator bool() const { return distance != 0; }
};

using RelativeText = Relative<const char>;

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_RELATIVE_H_
