// order/byte_ranges.h
//
// A set of bytes of the program's memory, as ranges. Few and long: for what the
// program says about its memory.

#ifndef FAIRLEAD_ORDER_BYTE_RANGES_H_
#define FAIRLEAD_ORDER_BYTE_RANGES_H_

#include <cstdint>
#include <map>

namespace fairlead::order {

class ByteRanges {
 public:
  // Ranges that run over the end of memory are cut there.
  void Add(uint64_t address, uint64_t bytes) {
    if (bytes == 0) return;
    Forget(address, bytes);
    last_by_first_[address] = LastOf(address, bytes);
  }

  void Forget(uint64_t address, uint64_t bytes) {
    if (bytes == 0 || last_by_first_.empty()) return;
    const uint64_t last = LastOf(address, bytes);
    auto range = last_by_first_.upper_bound(address);
    if (range != last_by_first_.begin()) --range;
    while (range != last_by_first_.end() && range->first <= last) {
      const uint64_t range_first = range->first;
      const uint64_t range_last = range->second;
      if (range_last < address) {
        ++range;
        continue;
      }
      range = last_by_first_.erase(range);
      if (range_first < address) last_by_first_[range_first] = address - 1;
      if (range_last > last) {
        last_by_first_[last + 1] = range_last;
        return;
      }
    }
  }

  bool Has(uint64_t address) const {
    auto range = last_by_first_.upper_bound(address);
    if (range == last_by_first_.begin()) return false;
    return address <= (--range)->second;
  }

 private:
  static uint64_t LastOf(uint64_t address, uint64_t bytes) {
    const uint64_t last = address + bytes - 1;
    return last < address ? ~uint64_t{0} : last;
  }

  std::map<uint64_t, uint64_t> last_by_first_;  // disjoint
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_BYTE_RANGES_H_
