// trace/location.h
//
// Addresses told as (block number, offset). Follows the memory events of an
// execution, so that the same execution gives the same locations whatever
// addresses the system handed out. What lies in no known block (a code address,
// a number that only looks like an address) stays as it is.

#ifndef FAIRLEAD_TRACE_LOCATION_H_
#define FAIRLEAD_TRACE_LOCATION_H_

#include <cstdint>
#include <map>

#include "trace/event.h"

namespace fairlead::trace {

// Numbers of blocks that are no allocation: above all that a program makes.
inline constexpr uint64_t kModuleBlocks = uint64_t{1} << 60;
inline constexpr uint64_t kStackBlocks = uint64_t{2} << 60;
inline constexpr uint64_t kTlsBlocks = uint64_t{3} << 60;

struct Location {
  uint64_t block = 0;  // number; 0 = in no block, `offset` is the address
  uint64_t offset = 0;
  bool operator==(const Location&) const = default;
};

class Blocks {
 public:
  // Takes note of a memory event; others change nothing.
  void OnEvent(const Event& event);

  // Makes a block known that no event tells of: a module, a stack. Its number
  // is the caller's and must not be one of the stream's.
  void AddKnown(uint64_t begin, uint64_t end, uint64_t number);

  Location Locate(uint64_t address) const;

  size_t num_live() const { return live_.size(); }

 private:
  struct Extent {
    uint64_t end;     // one past its last byte
    uint64_t number;  // of the block
    uint64_t origin;  // its first byte once; offsets count from there
    bool known;       // a module, stack…: stays around what is put into it
  };
  void Add(uint64_t begin, uint64_t size, uint64_t number, bool known);
  void Remove(uint64_t begin, uint64_t size);

  std::map<uint64_t, Extent> live_;  // by first byte; do not overlap
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_LOCATION_H_
