// instrument/pass/tables.h
//
// Turns what the pass knows into the records of abi/site.h: texts, files,
// types, and per function one function record and its site records. First
// everything is described; then the unit is finished, and records have
// addresses.

#ifndef FAIRLEAD_INSTRUMENT_PASS_TABLES_H_
#define FAIRLEAD_INSTRUMENT_PASS_TABLES_H_

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

#include "instrument/pass/site.h"
#include "instrument/pass/source_text.h"
#include "instrument/pass/types.h"
#include "instrument/pass/unit_writer.h"

namespace fairlead::pass {

// Where the records of a function are, and which parameters it hands to
// Hooks::enter.
struct FunctionTable {
  uint64_t id = 0;
  Ref record = {};
  uint32_t first_site = 0;  // its number in the unit
  llvm::SmallVector<unsigned, 4> pointer_arguments = {};  // of the IR
};

class Tables {
 public:
  Tables(llvm::Module& module, SourceText& sources, const TypeCatalogue& types)
      : module_(module), sources_(sources), types_(types) {}

  // Writes the records of one function.
  FunctionTable Function(llvm::Function& function, const Sites& sites);

  // Call once, behind the last function.
  llvm::GlobalVariable* Finish() { return unit_.Finish(module_); }

  // Of the finished unit.
  llvm::Constant* functions() const;
  llvm::Constant* sites() const { return unit_.sites(); }
  // Its first site; there is one.
  llvm::Constant* SitesOf(const FunctionTable& table) const {
    return unit_.SiteAt(table.first_site);
  }

 private:
  Ref Text(llvm::StringRef text);
  Ref File(const llvm::DIFile* file);
  Ref Type(const llvm::DICompositeType* type);
  // Stands in for a struct that debug information does not describe.
  Ref Layout(const llvm::StructType* layout);
  Ref TypeOf(const Site& site);
  Ref Fields(const llvm::DICompositeType& type, unsigned& count);
  Ref Bases(const llvm::DICompositeType& type, unsigned& count);
  void WriteSite(const Site& site);

  llvm::Module& module_;
  SourceText& sources_;
  const TypeCatalogue& types_;
  UnitWriter unit_;
  llvm::StringMap<Ref> texts_;
  llvm::DenseMap<const llvm::Metadata*, Ref> known_;
  llvm::DenseMap<const llvm::StructType*, Ref> layouts_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_TABLES_H_
