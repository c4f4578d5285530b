#include "instrument/pass/library_calls.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Function.h>

#include <initializer_list>

#include "instrument/pass/attributes.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::SiteKind;

struct Bytes {
  Length::Rule rule;
  int a;  // argument, or -1: the range's own pointer
  int b;
};
struct Range {
  SiteKind kind;
  int pointer;
  Bytes bytes;
};
enum Loudness { kQuiet, kLoud, kAtomic };

struct Entry {
  Loudness loudness;
  SmallVector<Range, 2> ranges;
};

constexpr Range R(int pointer, Bytes bytes) {
  return {SiteKind::kRangeRead, pointer, bytes};
}
constexpr Range W(int pointer, Bytes bytes) {
  return {SiteKind::kRangeWrite, pointer, bytes};
}
constexpr Bytes N(int a) { return {Length::Rule::kValue, a, 0}; }
constexpr Bytes N2(int a, int b) { return {Length::Rule::kProduct, a, b}; }
constexpr Bytes BOUND(int b) { return {Length::Rule::kBoundedText, -1, b}; }
constexpr Bytes LIKE(int a) { return {Length::Rule::kText, a, 0}; }
constexpr Bytes TEXT = {Length::Rule::kText, -1, 0};

StringMap<Entry> MakeTable() {
  StringMap<Entry> table;
  const auto add = [&](StringRef name, Loudness loudness,
                       std::initializer_list<Range> ranges) {
    table[name] = {loudness, ranges};
  };
#define FL_LIBRARY_CALL(name, loudness, ...) add(name, loudness, {__VA_ARGS__});
#include "instrument/pass/library_calls.inc"
#undef FL_LIBRARY_CALL
  return table;
}

const Entry* Find(StringRef name) {
  static const StringMap<Entry> table = MakeTable();
  const auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

bool FitsTheCall(const Range& range, const CallBase& call) {
  const auto fits = [&](int argument, bool pointer) {
    if (argument < 0) return true;
    if (static_cast<unsigned>(argument) >= call.arg_size()) return false;
    Type* type = call.getArgOperand(argument)->getType();
    return pointer ? type->isPointerTy() : type->isIntegerTy();
  };
  if (!fits(range.pointer, true)) return false;
  switch (range.bytes.rule) {
    case Length::Rule::kFixed:
      return true;
    case Length::Rule::kValue:
      return fits(range.bytes.a, false);
    case Length::Rule::kProduct:
      return fits(range.bytes.a, false) && fits(range.bytes.b, false);
    case Length::Rule::kText:
      return fits(range.bytes.a, true);
    case Length::Rule::kBoundedText:
      return fits(range.bytes.a, true) && fits(range.bytes.b, false);
  }
  return false;
}

Site SiteOf(const Range& range, CallBase& call) {
  const auto argument = [&](int index) {
    return call.getArgOperand(index < 0 ? range.pointer : index);
  };
  Site site;
  site.at = &call;
  site.kind = range.kind;
  site.address = call.getArgOperand(range.pointer);
  site.length = {.rule = range.bytes.rule, .a = argument(range.bytes.a)};
  if (range.bytes.rule == Length::Rule::kProduct ||
      range.bytes.rule == Length::Rule::kBoundedText) {
    site.length.b = argument(range.bytes.b);
  }
  const auto* bytes = dyn_cast<ConstantInt>(site.length.a);
  if (range.bytes.rule == Length::Rule::kValue && bytes != nullptr) {
    site.size = bytes->getZExtValue();
    site.length = {};
  }
  return site;
}

// Classes whose members are synchronisation or whose state is not the user's:
// the runtime sees the former at the level of their system calls.
bool IsLeftAlone(StringRef name) {
  for (StringRef prefix :
       {"St6thread", "St18condition_variable", "St15__exception_ptr",
        "St6locale", "St8ios_base4Init", "St5mutex", "St14__shared_mutex",
        "St6chrono", "St28__atomic_futex_unsigned_base", "St13__future_base",
        "St3pmr26synchronized_pool_resource"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

// `_ZNSt…` or `_ZNKSt…`: a member of a class in namespace std; `_ZNSs` and
// friends abbreviate its strings and streams.
void AddMemberAccess(CallBase& call, const Function& callee, Sites& ranges) {
  StringRef name = callee.getName();
  if (!name.consume_front("_ZN")) return;
  const bool is_const = name.consume_front("K");
  if (!name.starts_with("S") || name.starts_with("S_") || IsLeftAlone(name)) {
    return;
  }
  const unsigned self = call.hasStructRetAttr() ? 1 : 0;
  if (call.arg_size() <= self) return;
  const uint64_t bytes = callee.getParamDereferenceableBytes(self);
  if (bytes == 0) return;  // no object: a static member

  Site site;
  site.at = &call;
  site.kind = is_const ? SiteKind::kObjectRead : SiteKind::kObjectWrite;
  site.address = call.getArgOperand(self);
  site.size = bytes;
  ranges.push_back(site);
}

}  // namespace

LibraryCall LibraryCallOf(CallBase& call) {
  LibraryCall result;
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr) return result;
  if (IsLibraryTemplate(*callee)) {
    AddMemberAccess(call, *callee, result.ranges);
    for (Site& range : result.ranges) range.flags |= abi::kSiteCovered;
    return result;
  }
  if (!callee->isDeclaration()) return result;
  if (const Entry* entry = Find(callee->getName())) {
    result.quiet = entry->loudness != kLoud;
    for (const Range& range : entry->ranges) {
      if (!FitsTheCall(range, call)) continue;
      result.ranges.push_back(SiteOf(range, call));
      // Which order it is, an argument tells; the strongest includes it.
      if (entry->loudness == kAtomic) {
        result.ranges.back().order = abi::MemoryOrder::kSeqCst;
      }
    }
    return result;
  }
  AddMemberAccess(call, *callee, result.ranges);
  return result;
}

}  // namespace fairlead::pass
