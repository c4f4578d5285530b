// explore/names/place_names.h
//
// Anchors of places, for many executions of one program: what is known of a
// binary's sites does not change from one execution to the next, so it is read
// once. Places are as order::SiteKey has them, and are valid for one execution.

#ifndef FAIRLEAD_EXPLORE_NAMES_PLACE_NAMES_H_
#define FAIRLEAD_EXPLORE_NAMES_PLACE_NAMES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/names/namer.h"
#include "explore/run/control_memory.h"

namespace fairlead::explore {

// A place that has an anchor.
struct SiteFacts {
  trace::Place place = {};
  std::string function = {};
  bool library = false;
  bool update = false;  // an atomic read-modify-write
  bool operator==(const SiteFacts&) const = default;
};

class PlaceNames {
 public:
  // Another execution: `memory` is what it left, and is needed until the next.
  void Begin(const ControlMemory& memory);

  // 0 when the place has none.
  uint64_t AnchorOf(uint64_t place);

  // By anchor, all that were asked for so far.
  const std::map<uint64_t, SiteFacts>& facts() const { return facts_; }

 private:
  struct Module {
    std::string path;
    uint32_t first_site;
    bool operator==(const Module&) const = default;
  };

  uint64_t SiteAnchor(uint32_t index);
  uint64_t CallerAnchor(uint32_t index);
  Namer& NamerNow();

  const ControlMemory* memory_ = nullptr;
  std::unique_ptr<Namer> namer_;  // of this execution; made when needed
  std::vector<Module> modules_;
  std::vector<abi::CallerRecord> callers_;
  std::unordered_map<uint32_t, uint64_t> sites_;  // anchors by index
  std::map<std::pair<uint32_t, uint64_t>, uint64_t>
      calls_;  // by return address
  std::map<uint64_t, SiteFacts> facts_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_PLACE_NAMES_H_
