#include "instrument/pass/library_calls.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <initializer_list>

#include "abi/hidden_state.h"
#include "instrument/pass/attributes.h"
#include "instrument/pass/formats.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::HiddenState;
using abi::MemoryOrder;
using abi::SiteKind;
using abi::StandardStream;
using abi::HiddenState::kAsctime;
using abi::HiddenState::kCrypt;
using abi::HiddenState::kDrand48;
using abi::HiddenState::kEcvt;
using abi::HiddenState::kEnvironment;
using abi::HiddenState::kGetdate;
using abi::HiddenState::kGetopt;
using abi::HiddenState::kGroup;
using abi::HiddenState::kHost;
using abi::HiddenState::kHsearch;
using abi::HiddenState::kL64a;
using abi::HiddenState::kLocale;
using abi::HiddenState::kLocaleconv;
using abi::HiddenState::kLogin;
using abi::HiddenState::kRand;
using abi::HiddenState::kService;
using abi::HiddenState::kStrtok;
using abi::HiddenState::kTerminal;
using abi::HiddenState::kTime;
using abi::HiddenState::kTmpnam;
using abi::HiddenState::kUser;

constexpr int kNoBound = -1;

struct Bytes {
  Length::Rule rule;
  int a;                  // argument, or -1: the range's own pointer
  int b;                  // argument; kNoBound: no bound
  uint64_t constant = 0;  // in place of b; of kFixed, how many
};
// Where a range begins, or what it is made from.
enum class At {
  kArgument,
  kHidden,   // what stands for a hidden state
  kResult,   // what the call returns; ahead of it, what stands for the state
  kStream,   // a FILE, or a standard one
  kPrinted,  // by the format at `pointer`, of arguments from bytes.a on
  kScanned,
};
struct Range {
  SiteKind kind;
  int pointer;
  Bytes bytes;
  At at = At::kArgument;
  HiddenState state = HiddenState::kStream;
  MemoryOrder order = MemoryOrder::kPlain;
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
constexpr Bytes F(uint64_t bytes) {
  return {Length::Rule::kFixed, -1, 0, bytes};
}
constexpr Bytes TIMES(int a, uint64_t each) {
  return {Length::Rule::kProduct, a, -1, each};
}
constexpr Bytes LEFT(int b) { return {Length::Rule::kLeftText, -1, b}; }
constexpr Bytes LEFT_ALL = {Length::Rule::kLeftText, -1, kNoBound};

constexpr Range Hidden(SiteKind kind, HiddenState state, MemoryOrder order) {
  return {kind, -1, F(8), At::kHidden, state, order};
}
constexpr Range HR(HiddenState state) {
  return Hidden(SiteKind::kRangeRead, state, MemoryOrder::kPlain);
}
constexpr Range HW(HiddenState state) {
  return Hidden(SiteKind::kRangeWrite, state, MemoryOrder::kPlain);
}
constexpr Range HA(HiddenState state) {
  return Hidden(SiteKind::kRangeWrite, state, MemoryOrder::kRelaxed);
}
// A write, unless the argument is a null pointer.
constexpr Range SETS(int argument, HiddenState state) {
  return {SiteKind::kRangeWrite, argument, F(8), At::kHidden, state};
}
constexpr Range RESULT(HiddenState state, Bytes bytes) {
  return {SiteKind::kRangeWrite, -1, bytes, At::kResult, state};
}
constexpr Range Standard(StandardStream stream, HiddenState state,
                         MemoryOrder order = MemoryOrder::kRelaxed) {
  return {SiteKind::kRangeWrite,
          -1,
          {Length::Rule::kStream, -1, -1, static_cast<uint64_t>(stream)},
          At::kStream,
          state,
          order};
}
constexpr Range OUT = Standard(StandardStream::kOut, HiddenState::kOut);
constexpr Range IN = Standard(StandardStream::kIn, HiddenState::kIn);
constexpr Range ERR = Standard(StandardStream::kError, HiddenState::kError);
constexpr Range OUT_UNLOCKED = Standard(
    StandardStream::kOut, HiddenState::kUnlockedStream, MemoryOrder::kPlain);
constexpr Range STREAM(int file) {
  return {SiteKind::kRangeWrite,
          file,
          {Length::Rule::kStream, -1, -1, 0},
          At::kStream,
          HiddenState::kStream,
          MemoryOrder::kRelaxed};
}
constexpr Range UNLOCKED(int file) {
  return {SiteKind::kRangeWrite,
          file,
          {Length::Rule::kStream, -1, -1, 0},
          At::kStream,
          HiddenState::kUnlockedStream,
          MemoryOrder::kPlain};
}
constexpr Range DIRECTORY(int stream) {
  return {SiteKind::kRangeWrite, stream, F(8), At::kArgument,
          HiddenState::kDirectory};
}
constexpr Range PRINTS(int format, int first) {
  return {SiteKind::kRangeRead,
          format,
          {Length::Rule::kText, first, 0},
          At::kPrinted};
}
constexpr Range SCANS(int format, int first) {
  return {SiteKind::kRangeWrite,
          format,
          {Length::Rule::kText, first, 0},
          At::kScanned};
}

StringMap<Entry> MakeTable() {
  StringMap<Entry> table;
  const auto add = [&](StringRef name, Loudness loudness,
                       std::initializer_list<Range> ranges) {
    table[name] = {loudness, ranges};
  };
#define FL_LIBRARY_CALL(name, loudness, ...) add(name, loudness, {__VA_ARGS__});
#include "instrument/pass/library_calls.inc"
#include "instrument/pass/library_hidden.inc"
#include "instrument/pass/library_streams.inc"
#include "instrument/pass/library_system.inc"
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
  if (range.at == At::kResult) return call.getType()->isPointerTy();
  if (!fits(range.pointer, true)) return false;
  if (range.at == At::kPrinted || range.at == At::kScanned) return true;
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
    case Length::Rule::kLeftText:
      return fits(range.bytes.b, false);
    case Length::Rule::kStream:
      return true;
  }
  return false;
}

// The variable that stands for a hidden state, one in the whole program.
GlobalVariable* StandsFor(HiddenState state, Module& module) {
  const std::string name =
      (Twine(abi::kHiddenSymbol) + abi::EntryOf(state).word).str();
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  Type* word = Type::getInt64Ty(module.getContext());
  auto* variable =
      new GlobalVariable(module, word, false, GlobalValue::LinkOnceODRLinkage,
                         ConstantInt::get(word, 0), name);
  variable->setComdat(module.getOrInsertComdat(name));
  return variable;
}

// Its name, as a type: so that readers of the tables know.
StructType* TypeOf(HiddenState state, LLVMContext& context) {
  const StringRef name = abi::EntryOf(state).name;
  if (StructType* known = StructType::getTypeByName(context, name)) {
    return known;
  }
  return StructType::create({Type::getInt64Ty(context)}, name);
}

Value* AddressOf(const Range& range, CallBase& call) {
  if (range.at == At::kHidden || range.at == At::kResult) {
    return StandsFor(range.state, *call.getModule());
  }
  return range.pointer < 0 ? nullptr : call.getArgOperand(range.pointer);
}

bool IsKept(const Range& range) {
  return range.at != At::kArgument || range.state == HiddenState::kDirectory;
}

Site SiteOf(const Range& range, CallBase& call) {
  const Bytes& bytes = range.bytes;
  const auto number = [&](uint64_t value) {
    return ConstantInt::get(Type::getInt64Ty(call.getContext()), value);
  };
  Site site;
  site.at = &call;
  site.kind = range.kind;
  site.order = range.order;
  site.at_result = range.at == At::kResult;
  site.address = AddressOf(range, call);
  if (IsKept(range)) site.layout = TypeOf(range.state, call.getContext());
  if (bytes.rule == Length::Rule::kFixed) {
    site.size = bytes.constant;
    return site;
  }
  site.length.rule = bytes.rule;
  if (bytes.rule == Length::Rule::kStream) {
    site.length.a = number(bytes.constant);
    return site;
  }
  const auto argument = [&](int index) -> Value* {
    if (index >= 0) return call.getArgOperand(index);
    return site.at_result ? nullptr : static_cast<Value*>(site.address);
  };
  site.length.a = argument(bytes.a);
  if (bytes.constant != 0) {
    site.length.b = number(bytes.constant);
  } else if (bytes.rule == Length::Rule::kLeftText) {
    site.length.b =
        bytes.b == kNoBound ? number(~uint64_t{0}) : argument(bytes.b);
  } else if (bytes.rule == Length::Rule::kProduct ||
             bytes.rule == Length::Rule::kBoundedText) {
    site.length.b = argument(bytes.b);
  }
  const auto* known = dyn_cast_or_null<ConstantInt>(site.length.a);
  if (bytes.rule == Length::Rule::kValue && known != nullptr) {
    site.size = known->getZExtValue();
    site.length = {};
  }
  return site;
}

// The accesses that a format says.
void AddFormatted(const Range& range, CallBase& call, Sites& ranges) {
  StringRef format;
  if (!getConstantStringInfo(call.getArgOperand(range.pointer), format)) return;
  const bool printed = range.at == At::kPrinted;
  const auto first = static_cast<unsigned>(range.bytes.a);
  for (const Formatted& each :
       printed ? PrintedArguments(format) : ScannedArguments(format)) {
    Range one = {range.kind, static_cast<int>(first + each.argument),
                 printed ? TEXT : LEFT_ALL};
    if (!each.text) one.bytes = F(each.bytes);
    if (each.bound >= 0)
      one.bytes = BOUND(static_cast<int>(first) + each.bound);
    if (first + each.argument < call.arg_size() && FitsTheCall(one, call)) {
      ranges.push_back(SiteOf(one, call));
    }
  }
}

// Whether the argument that decides says that nothing is changed.
bool OnlyAsks(const Range& range, const CallBase& call) {
  return range.at == At::kHidden && range.pointer >= 0 &&
         isa<ConstantPointerNull>(call.getArgOperand(range.pointer));
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
      if (range.at == At::kPrinted || range.at == At::kScanned) {
        AddFormatted(range, call, result.ranges);
        continue;
      }
      if (OnlyAsks(range, call)) continue;
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
