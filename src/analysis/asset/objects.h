// analysis/asset/objects.h
//
// Which atomic set, and which of its locations, an access touches: by the type
// that the compiler gave its site, or by its address, for what libraries do in
// members and in the memory that belongs to them.
//
//   site with a struct of the program     the object, by address less offset
//   … that has no methods, in an object   the field of that object
//   any other site, in an object          the field that it lies in
//   … in a block that a field points to   that field: buffers, nodes
//   … in no object, in module data        the statics of the site's file
//
// A block belongs to the field that the pointer to it was first written to,
// directly or by way of another such block.
//
// Unsound: an object in memory that another one had, and that nobody frees or
// constructs, is taken for that other one.
// Incomplete: a block that two objects point to belongs to one of them.

#ifndef FAIRLEAD_ANALYSIS_ASSET_OBJECTS_H_
#define FAIRLEAD_ANALYSIS_ASSET_OBJECTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/asset/layout.h"
#include "trace/event.h"

namespace fairlead::analysis::asset {

// One atomic set of an execution.
struct SetInstance {
  uint64_t number = 0;             // in the order of their making, from 1
  const Layout* layout = nullptr;  // null = statics
  uint64_t begin = 0;              // of the object
  std::string file;  // whose statics they are, or it is; "" = otherwise
  std::vector<uint64_t> addresses;  // of statics, by location
};

struct Located {
  std::shared_ptr<SetInstance> set;
  uint32_t field = 0;   // index in the layout, or of statics
  bool wide = false;    // more than one scalar
  bool buffer = false;  // in a block that the field points to
  uint64_t offset = 0;  // from the start of the object, or of that block
};

class Objects {
 public:
  // `tables` must outlive it.
  void Begin(trace::ProgramTables& tables) {
    tables_ = &tables;
    layouts_.Begin(tables);
  }
  Layouts& layouts() { return layouts_; }

  // For an access.
  std::optional<Located> Locate(const trace::Event& event);

  // A method of class `type` is entered on `address`.
  void OnMethod(uint64_t type, uint64_t address, bool constructs);
  // What is neither access nor frame. Sets that are gone are dropped.
  void OnOther(const trace::Event& event);

  // Sets that were dropped since it was asked last.
  std::vector<uint64_t> TakeGone() { return std::move(gone_); }

 private:
  // What never changes about a site.
  struct Use {
    bool known = false;
    const Layout* layout = nullptr;
    uint32_t offset = 0;
    bool indexed = false;
    bool pointer = false;
    bool library = false;
    std::string file;
  };
  struct Owned {
    uint64_t end;
    std::shared_ptr<SetInstance> set;
    uint32_t field;
  };
  struct Range {
    uint64_t end;
    std::shared_ptr<SetInstance> set;
  };
  using ObjectKey = std::pair<uint64_t, uint64_t>;  // address, type

  const Use& UseOf(const trace::Event& event);
  std::shared_ptr<SetInstance> ObjectAt(uint64_t address, const Layout& layout);
  std::optional<Located> InObject(uint64_t address) const;
  // Whether an object begins there that is a member of a known one.
  bool IsInside(uint64_t address) const;
  std::optional<Located> InBlock(uint64_t address) const;
  std::optional<Located> Typed(const trace::Event& event, const Use& use);
  std::optional<Located> InStatics(const trace::Event& event, const Use& use);
  bool IsModuleData(uint64_t address) const;
  void Own(const Located& by, uint64_t pointer);
  void Drop(uint64_t begin, uint64_t end);

  trace::ProgramTables* tables_ = nullptr;
  Layouts layouts_;
  std::vector<Use> uses_;  // by site
  uint64_t num_sets_ = 0;
  std::map<ObjectKey, std::shared_ptr<SetInstance>> objects_;  // bases, too
  std::multimap<uint64_t, Range> ranges_;                      // by first byte
  std::map<uint64_t, uint64_t> blocks_;                        // end by begin
  std::map<uint64_t, Owned> owned_;                            // by first byte
  std::map<uint64_t, uint64_t> module_data_;                   // end by begin
  std::map<std::string, std::shared_ptr<SetInstance>> statics_;  // by file
  // By site: which of the statics it touches. What one site touches is one.
  std::unordered_map<uint32_t, uint32_t> static_of_site_;
  std::vector<uint64_t> gone_;
};

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_OBJECTS_H_
