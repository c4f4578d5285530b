// analysis/asset/layout.h
//
// What the compiler knows about the program's types, as atomic sets are
// inferred from it: the fields of a class and its bases are one set per object.
// Which of them are locations, and which functions are methods.
//
//   left out      const fields, references, locks, atomic flags; unnamed ones
//   wide          more than one scalar: arrays, members of a struct type, and
//                 with them standard containers; one location all the same
//   methods       member functions of the class, of its bases and of classes
//                 derived from it; of a struct that has none, functions that
//                 take a pointer or a reference to it, as ever in C
//
// Unsound: a virtual base is a set of its own, since where it lies is only
// known at run time. Types of libraries are no sets; they are what containers
// are made of.

#ifndef FAIRLEAD_ANALYSIS_ASSET_LAYOUT_H_
#define FAIRLEAD_ANALYSIS_ASSET_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trace/program_tables.h"

namespace fairlead::analysis::asset {

struct Field {
  std::string name;
  uint32_t offset = 0;  // bytes from the start of the complete object
  uint32_t size = 0;    // bytes
  bool wide = false;
  bool left_out = false;
};

struct Layout {
  uint64_t type = 0;
  std::string name;
  uint32_t size = 0;          // bytes
  std::vector<Field> fields;  // ascending by offset; of bases, too
  bool is_set = false;        // some field is a location

  // The index of the field that the byte at `offset` belongs to; kNoField =
  // none, or one that is left out.
  static constexpr uint32_t kNoField = ~uint32_t{0};
  uint32_t FieldAt(uint64_t offset) const;
};

class Layouts {
 public:
  // `tables` must outlive it.
  void Begin(trace::ProgramTables& tables) { tables_ = &tables; }

  // Null for what is no struct of the program's own.
  const Layout* Of(uint64_t type);
  // Whether a member function of the class has been seen, other than those that
  // make and end objects.
  bool HasMethods(uint64_t type) const { return have_methods_.contains(type); }
  void NoteMethod(const trace::FunctionName& function);
  // Whether it is a method for objects of `type`.
  bool IsMethod(const trace::FunctionName& function, uint64_t type);

  // Whether `base` is `derived`, or one of its bases.
  bool IsBase(uint64_t base, uint64_t derived);
  // Whether a function of class `method_of` is a method for objects of `type`.
  bool AreRelated(uint64_t method_of, uint64_t type) {
    return IsBase(method_of, type) || IsBase(type, method_of);
  }
  // Where the object of type `base` begins in one of type `derived`; none =
  // nowhere, or nobody knows.
  std::vector<std::pair<uint64_t, uint32_t>> BasesOf(uint64_t derived);

 private:
  void AddFields(const trace::TypeName& type, uint32_t offset, Layout& layout,
                 int depth);
  void AddBases(uint64_t type, uint32_t offset,
                std::vector<std::pair<uint64_t, uint32_t>>& bases, int depth);

  trace::ProgramTables* tables_ = nullptr;
  std::unordered_map<uint64_t, std::unique_ptr<Layout>> known_;
  std::unordered_map<uint64_t, bool> is_base_;
  std::unordered_set<uint64_t> have_methods_;
};

}  // namespace fairlead::analysis::asset

#endif  // FAIRLEAD_ANALYSIS_ASSET_LAYOUT_H_
