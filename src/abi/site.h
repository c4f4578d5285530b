// abi/site.h
//
// What the pass writes about a program and everyone else reads: sites,
// functions, types and files. A site record is the static half of an event;
// its address is the site's name inside the process, its `id` the name that
// survives rebuilds, its `anchor` the name that survives edits elsewhere.
//
//   fl_units  UnitRecord[]  one per translation unit, with everything that it
//                           has to say behind it: functions, sites, types
//   fl_stubs  code          the stubs that instrumented code calls
//   (abi/hooks.h)
//
// Both are sections of the binary; abi/module.h says how to find them. A unit
// is one piece of writable data. Its site records are packed
// (abi/packed_sites.h); what code points to is an array of zeros, one record a
// site, until a runtime unpacks them. `mode` and `number` are a runtime's own.
// A function that several units have compiled (an inline one) is in each of
// them, with equal ids; the code that the linker kept speaks of one of them.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_SITE_H_
#define FAIRLEAD_ABI_SITE_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/relative.h"

namespace fairlead::abi {

enum class SiteKind : uint8_t {
#define FL_SITE_KIND(name, word, number, reads, writes) name = number,
#include "abi/sites.inc"
#undef FL_SITE_KIND
};

// C11 memory orders, in the order of <stdatomic.h>, after "not atomic".
enum class MemoryOrder : uint8_t {
  kPlain = 0,
  kUnordered = 1,
  kRelaxed = 2,
  kConsume = 3,
  kAcquire = 4,
  kRelease = 5,
  kAcqRel = 6,
  kSeqCst = 7,
};

// Bits of SiteRecord::flags.
enum SiteFlag : uint32_t {
  kSiteVolatile = 1u << 0,
  kSitePointer = 1u << 1,       // the value has pointer type
  kSiteFeedsAddress = 1u << 2,  // the loaded value is dereferenced
  kSiteFeedsIndex = 1u << 3,    // … or takes part in an index
  kSiteFeedsBranch = 1u << 4,   // … or decides a branch
  kSiteFeedsCall = 1u << 5,     // … or is passed to a call
  kSiteLibrary = 1u << 6,       // written in a system header or library
  kSiteIndexed = 1u << 7,       // field_offset leaves out a variable index
  kSiteNoValue = 1u << 8,       // wider than 8 bytes: events carry no value
  kSiteWeakCas = 1u << 9,       // may fail spuriously
  kSiteSignalFence = 1u << 10,  // orders against signal handlers only
  kSiteThis = 1u << 11,         // the address derives from `this`
  kSiteFloat = 1u << 12,        // the value is floating point (its bits)
  kSiteAnnotated = 1u << 13,    // the field carries an annotate attribute
  kSiteCovered = 1u << 14,      // the callee's own sites tell the access too
  kSiteBound = 1u << 15,        // a loop counts up to it, or by it
};
inline constexpr uint32_t kSiteVtable = 1u << 19;  // stores a class's vtable
// Between them: how many bytes a range site touches, by what it hands to its
// hook.
inline constexpr uint32_t kSiteLengthShift = 16;
enum class LengthRule : uint8_t {
  kFixed = 0,        // SiteRecord::size
  kValue = 1,        // `a`
  kProduct = 2,      // `a` * `b`
  kText = 3,         // strlen(a) + 1
  kBoundedText = 4,  // strnlen(a, b)
  kStream = 5,    // one; of the FILE at the address, which the call locks, or,
                  // where that is null, of a standard one (StandardStream)
  kLeftText = 6,  // ahead of the call 1, behind it strlen(a) + 1, at most b
};
// `a` of a site whose rule is kStream, if its address is null.
enum class StandardStream : uint8_t { kOut = 0, kIn = 1, kError = 2 };
constexpr LengthRule LengthRuleOf(uint32_t flags) {
  return static_cast<LengthRule>(flags >> kSiteLengthShift & 7);
}

// Mode bits, tested by the stubs. 0 = idle: no hook is called.
enum SiteMode : uint8_t {
  kModeBefore = 1u << 0,  // call Hooks::before* ahead of the access
  kModeAfter = 1u << 1,   // call Hooks::after* with the values behind it
  kModeCount = 1u << 2,   // call Hooks::before*, which only counts
  // Bits 3 to 7 are the runtime's own; any of them makes the site non-idle.
};
// Mode bits of a function. 0 = idle as a whole: optimised code runs a body
// without hooks, chosen at entry. Whoever sets the mode of a site must first
// set kModeSites (or another bit) in its function's mode, or the site may never
// be reached; an activation that began idle stays idle.
enum FunctionMode : uint8_t {
  kModeContext = 1u << 0,  // keep the calling context (calls Hooks::enter)
  kModeEvents = 1u << 1,   // also tell about entry and exit
  kModeSites = 1u << 2,    // some site of the function is not idle
};

struct FileRecord {
  RelativeText path;  // relative to root, or absolute if not below it
  RelativeText root;  // absolute directory; null when path is absolute
  uint32_t flags;     // kFileLibrary
  uint32_t reserved;
};
enum FileFlag : uint32_t { kFileLibrary = 1u << 0 };
static_assert(sizeof(FileRecord) == 16);

struct TypeRecord;

struct FieldRecord {
  RelativeText name;                // null for an unnamed member
  uint32_t offset;                  // bytes from the start of the type
  uint32_t size;                    // bytes; of the storage for a bit-field
  Relative<const TypeRecord> type;  // of a member of struct type; else null
  uint32_t flags;                   // FieldFlag
};
enum FieldFlag : uint32_t {
  kFieldConst = 1u << 0,
  kFieldAtomic = 1u << 1,
  kFieldLock = 1u << 2,  // mutex, rwlock, spinlock, condvar, semaphore, once
  kFieldPointer = 1u << 3,
  kFieldReference = 1u << 4,
  kFieldBitField = 1u << 5,
  kFieldArray = 1u << 6,
};
static_assert(sizeof(FieldRecord) == 20);

struct BaseRecord {
  Relative<const TypeRecord> type;
  uint32_t offset;  // bytes; of the vtable entry for a virtual base
  uint32_t flags;   // BaseFlag
};
enum BaseFlag : uint32_t { kBaseVirtual = 1u << 0 };
static_assert(sizeof(BaseRecord) == 12);

struct TypeRecord {
  uint64_t id;  // hash of the linkage identifier, or of name and file in C
  RelativeText name;  // null for an unnamed type, such as a lambda's
  Relative<const FileRecord> file;
  uint32_t line;
  uint32_t size;  // bytes
  Relative<const FieldRecord> fields;
  Relative<const BaseRecord> bases;
  uint16_t num_fields;
  uint16_t num_bases;
  uint32_t flags;  // TypeFlag
};
enum TypeFlag : uint32_t {
  kTypeClass = 1u << 0,  // declared with C++'s `class` or `struct`, not C's
  kTypeUnion = 1u << 1,
  kTypeLibrary = 1u << 2,
  kTypeLayoutOnly = 1u << 3,  // known from code alone: no fields are listed
};
static_assert(sizeof(TypeRecord) == 40);

struct ParamRecord {
  Relative<const TypeRecord> pointee;  // struct the pointer points to, or null
  uint16_t index;                      // position; `this` is 0 where present
  uint16_t reserved;
};
static_assert(sizeof(ParamRecord) == 8);

struct SiteRecord;

struct FunctionRecord {
  uint64_t id;  // hash of the linkage name (and of the file, if static)
  RelativeText name;
  RelativeText linkage_name;
  Relative<const FileRecord> file;
  uint32_t line;
  Relative<const TypeRecord> type;     // class of a member function
  Relative<const ParamRecord> params;  // pointer parameters only
  uint16_t num_params;                 // length of params
  uint16_t flags;                      // FunctionFlag
  Relative<SiteRecord> sites;          // null until they are unpacked
  uint32_t num_sites;
  uint8_t mode;  // FunctionMode
  uint8_t reserved[3];
};
enum FunctionFlag : uint16_t {
  kFunctionConstructor = 1u << 0,
  kFunctionDestructor = 1u << 1,
  kFunctionStatic = 1u << 2,  // a static member: no `this`
  kFunctionLambda = 1u << 3,
  kFunctionThis = 1u << 4,  // parameter 0 is `this`
  kFunctionLibrary = 1u << 5,
  kFunctionInternal = 1u << 6,  // file-scope static
  kFunctionConst = 1u << 7,     // a const member function
  // Declared so by the public header's macros.
  kFunctionUnit = 1u << 8,
  kFunctionNotUnit = 1u << 9,
  kFunctionGuarded = 1u << 10,
};
static_assert(sizeof(FunctionRecord) == 48);
static_assert(offsetof(FunctionRecord, mode) == 44);

// One cache line, so that a stub touches no other.
struct SiteRecord {
  uint64_t id;      // exact: linkage name, file, line, column, kind, ordinal
  uint64_t anchor;  // linkage name, text of the source line, kind, ordinal
  Relative<FunctionRecord> function;
  Relative<const FileRecord> file;
  Relative<const TypeRecord> type;  // accessed struct, or type allocated
  uint32_t line;                    // 0 = unknown
  uint32_t size;                    // bytes; 0 = known only at run time
  uint32_t field_offset;            // bytes from the start of `type`
  uint32_t flags;                   // SiteFlag, LengthRule
  uint16_t column;
  uint16_t block;    // basic block, numbered in its function from 0
  uint16_t loop;     // innermost loop, numbered from 1; 0 = none
  uint16_t ordinal;  // among sites of equal function, line, column and kind
  SiteKind kind;
  uint8_t orders;   // MemoryOrder; of a failed compare-and-swap from bit 4 on
  uint8_t behind;   // instructions that its slot has counted, but come later
  uint8_t mode;     // SiteMode; 0 for ever for kCall and kAlloc
  uint32_t number;  // Event::site, for a runtime to fill in
  uint32_t told;    // what its events always say (abi/access_event.h)

  MemoryOrder order() const { return static_cast<MemoryOrder>(orders & 15); }
  MemoryOrder failure_order() const {
    return static_cast<MemoryOrder>(orders >> 4);
  }
  // Whether there is anything to switch on.
  bool has_mode() const {
    return kind != SiteKind::kCall && kind != SiteKind::kAlloc;
  }
};
static_assert(sizeof(SiteRecord) == 64);
static_assert(offsetof(SiteRecord, line) == 28);
static_assert(offsetof(SiteRecord, kind) == 52);
static_assert(offsetof(SiteRecord, mode) == 55);
static_assert(offsetof(SiteRecord, number) == 56);
inline constexpr uint32_t kMostBehind = 255;

struct UnitRecord {
  uint32_t size;  // bytes of the whole unit, this record included; the next
                  // unit begins behind them, at a multiple of kUnitAlignment
  uint32_t num_functions;
  uint32_t num_sites;
  uint32_t num_types;
  Relative<FunctionRecord> functions;
  // Of all functions, in their order. Outside the unit, in memory that is zero
  // at start and aligned to a cache line.
  Relative<SiteRecord> sites;
  Relative<const TypeRecord> types;
  Relative<const FileRecord> files;
  Relative<const uint8_t> packed;  // the sites (abi/packed_sites.h)
  uint32_t num_packed_bytes;
  uint32_t num_files;
  uint32_t reserved;
};
inline constexpr uint32_t kUnitAlignment = 8;
static_assert(sizeof(UnitRecord) == 48);
static_assert(offsetof(UnitRecord, sites) == 20);

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_SITE_H_
