// instrument/pass/site.h
//
// A site while the pass works on it: the instruction, what it does to memory,
// and everything that will be written into its abi::SiteRecord. Collected once
// per function on untouched IR, before any transformation; values are held by
// handles that follow replacement, since an earlier site's transformation may
// replace the value that a later site's address is.

#ifndef FAIRLEAD_INSTRUMENT_PASS_SITE_H_
#define FAIRLEAD_INSTRUMENT_PASS_SITE_H_

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

#include <cstdint>
#include <vector>

#include "abi/site.h"

namespace fairlead::pass {

// How many bytes a range access touches, when only the running program knows.
struct Length {
  using Rule = abi::LengthRule;  // kFixed: Site::size
  Rule rule = Rule::kFixed;
  llvm::WeakTrackingVH a = {};
  llvm::WeakTrackingVH b = {};
};

struct Site {
  llvm::Instruction* at = nullptr;
  abi::SiteKind kind = abi::SiteKind::kNone;
  llvm::WeakTrackingVH address = {};  // null for fences and calls
  uint64_t size = 0;                  // bytes; 0 = see length
  Length length = {};
  bool at_result = false;  // behind the call, the address is what it returned
  abi::MemoryOrder order = abi::MemoryOrder::kPlain;
  abi::MemoryOrder failure_order = abi::MemoryOrder::kPlain;
  uint32_t flags = 0;  // abi::SiteFlag

  // Where it stands.
  const llvm::DIFile* file = nullptr;
  unsigned line = 0;
  unsigned column = 0;
  unsigned block = 0;
  unsigned loop = 0;

  // What it touches. `type` wins over `layout`, which stands in for it when
  // the code names a struct that debug information does not describe.
  const llvm::DICompositeType* type = nullptr;
  llvm::StructType* layout = nullptr;
  uint64_t field_offset = 0;

  // Who it is (identity.h).
  unsigned ordinal = 0;
  uint64_t id = 0;
  uint64_t anchor = 0;

  // Of the instructions that its frame has counted, those behind it (frames.h).
  unsigned behind = 0;

  // Where its record is, from the beginning of the unit's sites.
  uint64_t place = 0;
  // The address of its record: so many bytes behind a value of its function
  // (instrument.cc), null where there is no call site. One relocation for all
  // sites of a function.
  llvm::Value* records = nullptr;
  uint64_t offset = 0;
};

using Sites = std::vector<Site>;

// Its record, for a call of a stub.
inline llvm::Value* RecordOf(llvm::IRBuilder<>& at, const Site& site) {
  return at.getInt64(site.place);
}

// The address of its record, for a slot.
inline llvm::Value* AddressOf(llvm::IRBuilder<>& at, const Site& site) {
  if (site.offset == 0) return site.records;
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), site.records,
                                       site.offset);
}

// True for sites that mark a call for the calling context and have no mode.
inline bool IsCallSite(const Site& site) {
  return site.kind == abi::SiteKind::kCall ||
         site.kind == abi::SiteKind::kAlloc;
}

// True for sites whose number of bytes is passed to the hook.
inline bool IsRange(const Site& site) {
  switch (site.kind) {
    case abi::SiteKind::kRangeRead:
    case abi::SiteKind::kRangeWrite:
    case abi::SiteKind::kObjectRead:
    case abi::SiteKind::kObjectWrite:
    case abi::SiteKind::kAsm:
      return true;
    default:
      return false;
  }
}

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_SITE_H_
