// explore/names/typed_objects.h
//
// Where the program's own structs lay in an execution, by what its events say:
// an access to a field tells where the struct around it begins, and so does
// what a library does to a field that it was given the address of (a lock, a
// container, an atomic). A block that a library made for a container (an
// element, a node) is that field's, too.
//
// Incomplete: nothing is known of a struct whose fields nobody touched, and of
// arrays in structs that are only touched by a variable index.
// Assumes: a block of the heap has one type as long as it lives. Where a stack
// was used again, the larger or more often touched struct wins.

#ifndef FAIRLEAD_EXPLORE_NAMES_TYPED_OBJECTS_H_
#define FAIRLEAD_EXPLORE_NAMES_TYPED_OBJECTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "explore/names/field_path.h"
#include "trace/trace.h"

namespace fairlead::explore {

struct TypedObject {
  uint64_t base = 0;
  uint64_t type = 0;
  bool operator==(const TypedObject&) const = default;
};

// What a block was made for: a field, or a variable that is a container itself.
struct BlockOwner {
  uint64_t address = 0;  // in that field or variable
  bool operator==(const BlockOwner&) const = default;
};

class TypedObjects {
 public:
  // `blocks`: bytes of those on the heap, by first byte. `whole` must outlive
  // this.
  TypedObjects(const trace::Trace& whole,
               const std::map<uint64_t, uint64_t>& blocks);

  // The outermost struct that the byte at `address` is in.
  std::optional<TypedObject> At(uint64_t address) const;

  // Of the block that begins at `block`.
  std::optional<BlockOwner> OwnerOf(uint64_t block) const;

  const trace::TypeName& TypeOf(const TypedObject& object) const {
    return types_.at(object.type);
  }
  const Types& types() const { return types_; }

 private:
  void OnAccess(const trace::Event& event);
  void OnSync(const trace::Event& event);
  void NoteOwner(const trace::Event& event);
  void NoteMaker(const trace::Event& event);
  // A struct of that type begins `offset` bytes before `address`.
  void Claim(uint64_t address, uint64_t offset, uint64_t type);
  bool Fits(uint64_t address, uint64_t base, uint64_t type) const;
  const trace::SiteName* SiteOf(const trace::Event& event) const;
  // The struct of the program's that a site speaks of; null = none.
  const trace::TypeName* OwnTypeOf(const trace::SiteName& site) const;
  std::optional<uint64_t> BlockAt(uint64_t address) const;

  const trace::Names& names_;
  const Types& types_;
  const std::map<uint64_t, uint64_t>& blocks_;
  std::map<std::pair<uint64_t, uint64_t>, size_t> claims_;  // base, type
  uint64_t largest_ = 0;  // bytes, of the types claimed
  std::map<uint64_t, BlockOwner> owners_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_TYPED_OBJECTS_H_
