// instrument/pass/unit_writer.h
//
// Writes the unit of abi/site.h: all records of a translation unit as bytes of
// one global variable. Records lie in parts, one for each type of record, which
// grow while functions are described and are laid end to end at last. Pointers
// lead from part to part within the unit, so that none needs a relocation, and
// the compiler prints the whole as one string of bytes.

#ifndef FAIRLEAD_INSTRUMENT_PASS_UNIT_WRITER_H_
#define FAIRLEAD_INSTRUMENT_PASS_UNIT_WRITER_H_

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fairlead::pass {

inline constexpr char kUnitsSection[] = "fl_units";

// In the order of the unit. What is aligned to a cache line comes first, then
// by falling alignment.
enum class Part : uint8_t {
  kSites,
  kFunctions,
  kTypes,
  kFields,
  kBases,
  kParams,
  kFiles,
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

  // Makes the global. Call once; nothing may be appended any more.
  llvm::GlobalVariable* Finish(llvm::Module& module);

  // The address of a record in the finished unit.
  llvm::Constant* At(const Ref& record) const;

 private:
  struct Pointer {
    Ref field;
    Ref target;
  };
  std::string& bytes(Part part) { return parts_[static_cast<size_t>(part)]; }
  uint32_t Offset(const Ref& place) const;

  static constexpr size_t kParts = static_cast<size_t>(Part::kCount);
  std::array<std::string, kParts> parts_;
  std::array<uint32_t, kParts> begins_ = {};  // in the unit; set by Finish
  std::vector<Pointer> pointers_;
  llvm::GlobalVariable* global_ = nullptr;
};

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
