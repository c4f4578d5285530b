// instrument/pass/types.h
//
// Finds the debug-information description of a struct that code names. The
// code's name (`class.std::vector.12`) lacks template arguments and may be
// numbered, so candidates of that name are told apart by size and by the class
// that the function is a member of.
//
// Incomplete: two instantiations of one template with the same size, named
// outside their own members, resolve to none rather than to a guess.

#ifndef FAIRLEAD_INSTRUMENT_PASS_TYPES_H_
#define FAIRLEAD_INSTRUMENT_PASS_TYPES_H_

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

namespace fairlead::pass {

// Name with scopes, without template arguments: "std::vector".
std::string PlainName(const llvm::DIType& type);

// The same name from an IR struct: "class.std::vector.12" -> "std::vector".
std::string PlainName(const llvm::StructType& type);

// Strips typedefs, const, volatile and atomic; null for void.
const llvm::DIType* WithoutQualifiers(const llvm::DIType* type);

class TypeCatalogue {
 public:
  explicit TypeCatalogue(const llvm::Module& module);

  // The type that `layout` is in debug information, or null.
  const llvm::DICompositeType* Resolve(const llvm::StructType& layout,
                                       const llvm::DataLayout& sizes,
                                       const llvm::Function& function) const;

  // The definition of a type that may only be declared here, or null.
  const llvm::DICompositeType* Definition(
      const llvm::DICompositeType* type) const;

  // The class whose member `function` is, or null.
  const llvm::DICompositeType* ClassOf(const llvm::Function& function) const;

 private:
  using Candidates = llvm::SmallVector<const llvm::DICompositeType*, 2>;

  llvm::StringMap<Candidates> by_name_;                          // plain name
  llvm::StringMap<const llvm::DICompositeType*> by_identifier_;  // linkage
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_TYPES_H_
