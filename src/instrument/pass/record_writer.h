// instrument/pass/record_writer.h
//
// Writes abi records as constants of the module. A record is a packed struct
// of integers and relative pointers; its content names it, so that the same
// record written by several translation units is one record in the program:
// same name, same link-once section group, one survivor.

#ifndef FAIRLEAD_INSTRUMENT_PASS_RECORD_WRITER_H_
#define FAIRLEAD_INSTRUMENT_PASS_RECORD_WRITER_H_

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace fairlead::pass {

// A constant that a record may point to, and text that is equal exactly for
// equal constants in any translation unit.
struct Ref {
  llvm::Constant* constant = nullptr;  // null = a null pointer
  std::string key;
};

class RecordWriter {
 public:
  explicit RecordWriter(llvm::Module& module) : module_(module) {}

  // Checks that the next field is at `offset`, as the abi struct says.
  RecordWriter& At(size_t offset);
  RecordWriter& Int(unsigned bits, uint64_t value);
  RecordWriter& Int8(uint64_t value) { return Int(8, value); }
  RecordWriter& Int16(uint64_t value) { return Int(16, value); }
  RecordWriter& Int32(uint64_t value) { return Int(32, value); }
  RecordWriter& Int64(uint64_t value) { return Int(64, value); }
  // A relative pointer. Its key becomes part of the content.
  RecordWriter& Relative(const Ref& target);
  // A relative pointer that is no part of the content.
  RecordWriter& RelativeUnnamed(llvm::Constant* target);

  size_t offset() const { return offset_; }
  // Hash of the content so far, 32 hexadecimal digits.
  std::string ContentName() const;

  // Creates the global. `comdat` null: one of the global's own name.
  llvm::GlobalVariable* Finish(const llvm::Twine& name, llvm::StringRef section,
                               llvm::Comdat* comdat, unsigned alignment);
  // The record named by its content, written unless this module has it already.
  Ref FinishOnce(llvm::StringRef prefix, llvm::StringRef section,
                 unsigned alignment);

 private:
  struct Field {
    unsigned bits;
    uint64_t value;
    llvm::Constant* target;  // non-null: a relative pointer, bits = 32
    size_t offset;
  };

  llvm::Module& module_;
  std::vector<Field> fields_;
  std::string content_;
  size_t offset_ = 0;
};

// Keeps sanitizers from adding to a global of ours.
void KeepSanitizersOff(llvm::GlobalVariable& global);

// Gives a global of ours what all of them need: hidden, link-once, in a section
// group, out of reach of sanitizers.
void MakeShared(llvm::GlobalVariable& global, llvm::Comdat* comdat);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_RECORD_WRITER_H_
