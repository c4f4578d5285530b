// instrument/pass/unit_writer.h
//
// Writes the unit of abi/site.h: all records of a translation unit as bytes of
// one global variable, and the memory for its sites, a second one. Records lie
// in parts, one for each type of record, which grow while functions are
// described and are laid end to end at last. Pointers lead from part to part
// within the unit, so that none needs a relocation, and the compiler prints the
// whole as one string of bytes.

#ifndef FAIRLEAD_INSTRUMENT_PASS_UNIT_WRITER_H_
#define FAIRLEAD_INSTRUMENT_PASS_UNIT_WRITER_H_

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "abi/packed_sites.h"

namespace fairlead::pass {

inline constexpr char kUnitsSection[] = "fl_units";

// In the order of the unit, by falling alignment.
enum class Part : uint8_t {
  kFunctions,
  kTypes,
  kFields,
  kBases,
  kParams,
  kFiles,
  kPackedSites,
  kTexts,
  kCount
};

// A place in the unit that a record may point to.
struct Ref {
  bool null = true;
  Part part = Part::kTexts;
  uint32_t offset = 0;
};

class UnitWriter {
 public:
  // Where the next record of `part` will be.
  Ref Next(Part part) const;

  // Appends the bytes of `record`, a struct of abi/site.h with null pointers,
  // and says where it is.
  template <typename Record>
  Ref Append(Part part, const Record& record) {
    return AppendBytes(part, &record, sizeof(Record));
  }
  Ref AppendBytes(Part part, const void* bytes, size_t size);

  // Makes the relative pointer at `field` bytes into the record at `record`
  // lead to `target`.
  void Point(const Ref& record, size_t field, const Ref& target);

  // Appends a site, packed.
  void AppendSite(const abi::PackedSite& site);
  uint32_t num_sites() const { return num_sites_; }

  // Makes the globals, and gives the unit. Call once; nothing may be appended
  // any more.
  llvm::GlobalVariable* Finish(llvm::Module& module);

  // Memory for the records of sites; null where there is none.
  llvm::GlobalVariable* sites() const { return sites_; }
  // Where the record of a site is in it, by its number in the unit.
  static uint64_t PlaceOfSite(uint32_t number);
  // The address of a record in the finished unit.
  llvm::Constant* At(const Ref& record) const;
  // The address of the record of a site, by its number in the unit; there is
  // one.
  llvm::Constant* SiteAt(uint32_t number) const;

 private:
  struct Pointer {
    Ref field;
    Ref target;
  };
  std::string& bytes(Part part) { return parts_[static_cast<size_t>(part)]; }
  uint32_t Offset(const Ref& place) const;
  // All bytes, with what leads from part to part; all but the way to the sites.
  std::string Laid();
  llvm::Constant* WithWayToSites(llvm::StringRef all) const;

  static constexpr size_t kParts = static_cast<size_t>(Part::kCount);
  std::array<std::string, kParts> parts_;
  std::array<uint32_t, kParts> begins_ = {};  // in the unit; set by Finish
  std::vector<Pointer> pointers_;
  abi::PackedSite last_site_ = {};
  uint32_t num_sites_ = 0;
  llvm::GlobalVariable* global_ = nullptr;
  llvm::GlobalVariable* sites_ = nullptr;  // null where there is none
};

// The distance from the word at `offset` of `holder` to `target`.
llvm::Constant* Distance(llvm::Constant* target, llvm::GlobalVariable* holder,
                         size_t offset);

// Keeps sanitizers from adding to a global of ours.
void KeepSanitizersOff(llvm::GlobalVariable& global);

// The name of something that all units of a program share: objects that another
// version has compiled have their own.
std::string SharedName(llvm::StringRef name);

// Gives a global or function of ours that units share what all of them need:
// hidden, link-once, in a section group of its name.
void MakeShared(llvm::GlobalObject& global);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_UNIT_WRITER_H_
