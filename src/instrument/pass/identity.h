// instrument/pass/identity.h
//
// Names for sites. The exact id says which site of which build's source this
// is; the anchor says which site of the program, and survives edits elsewhere
// in the file, a rebuild and another -O level.
//
//   id      function, file, line, column, kind, ordinal
//   anchor  function, text of the source line, kind, size, ordinal
//
// The ordinal counts sites that are equal in everything before it, in the order
// of the code. `function` is the linkage name; for a file-scope static, whose
// name is not unique, the file is added.
//
// With -fairlead-ids-only both are kept as metadata (`!fairlead.site`), so that
// a pass that runs late sees the same names.

#ifndef FAIRLEAD_INSTRUMENT_PASS_IDENTITY_H_
#define FAIRLEAD_INSTRUMENT_PASS_IDENTITY_H_

#include <llvm/IR/Function.h>

#include <string>

#include "instrument/pass/site.h"
#include "instrument/pass/source_text.h"

namespace fairlead::pass {

inline constexpr char kSiteMetadata[] = "fairlead.site";

// The name of `function` that ids and anchors are built on.
std::string FunctionIdentity(const llvm::Function& function,
                             SourceText& sources);

// Fills in ordinal, id and anchor of all sites of one function.
void AssignIdentity(const llvm::Function& function, SourceText& sources,
                    Sites& sites);

// Attaches id and anchor of each site to its instruction: a list of pairs,
// since one instruction may be two sites.
void AttachMetadata(const Sites& sites);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_IDENTITY_H_
