// instrument/pass/tables.h
//
// Turns what the pass knows into the tables of abi/site.h: texts, files, types,
// and per function one function record, its site records and their mode bytes.

#ifndef FAIRLEAD_INSTRUMENT_PASS_TABLES_H_
#define FAIRLEAD_INSTRUMENT_PASS_TABLES_H_

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

#include "instrument/pass/record_writer.h"
#include "instrument/pass/site.h"
#include "instrument/pass/source_text.h"
#include "instrument/pass/types.h"

namespace fairlead::pass {

inline constexpr char kSitesSection[] = "fl_sites";
inline constexpr char kFunctionsSection[] = "fl_functions";
inline constexpr char kTypesSection[] = "fl_types";
inline constexpr char kModesSection[] = "fl_modes";

// Where the frame instrumentation finds a function's record and mode byte, and
// which parameters it hands to Hooks::enter.
struct FunctionTable {
  llvm::Constant* record = nullptr;
  llvm::Constant* mode = nullptr;
  llvm::SmallVector<unsigned, 4> pointer_arguments;  // IR argument numbers
};

class Tables {
 public:
  Tables(llvm::Module& module, SourceText& sources, const TypeCatalogue& types)
      : module_(module), sources_(sources), types_(types) {}

  Ref Text(llvm::StringRef text);
  Ref File(const llvm::DIFile* file);
  Ref Type(const llvm::DICompositeType* type);
  // Stands in for a struct that debug information does not describe.
  Ref Layout(const llvm::StructType* layout);

  // Writes the records of one function and tells each site where its record
  // and mode byte are.
  FunctionTable Function(llvm::Function& function, Sites& sites);

 private:
  Ref TypeOf(const Site& site);
  Ref Fields(const llvm::DICompositeType& type, unsigned& count);
  Ref Bases(const llvm::DICompositeType& type, unsigned& count);

  llvm::Module& module_;
  SourceText& sources_;
  const TypeCatalogue& types_;
  llvm::StringMap<llvm::Constant*> texts_;
  llvm::DenseMap<const llvm::Metadata*, Ref> known_;
  llvm::DenseMap<const llvm::StructType*, Ref> layouts_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_TABLES_H_
