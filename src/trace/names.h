// trace/names.h
//
// What the numbers in events mean: sites, functions, types, callers, calling
// contexts, threads, modules, objects. Filled from the control page and the
// binaries when an execution is recorded, kept in trace files, written in the
// text form as lines of their own (trace/names_text.h). A number without a name
// is no error: it is shown as a number.

#ifndef FAIRLEAD_TRACE_NAMES_H_
#define FAIRLEAD_TRACE_NAMES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "abi/ids.h"
#include "abi/site.h"
#include "trace/event.h"
#include "trace/place.h"
#include "trace/types.h"

namespace fairlead::trace {

struct SiteName {
  abi::SiteKind kind = abi::SiteKind::kNone;
  std::string function = {};  // as in the source; "" = not known
  Place place = {};
  uint64_t id = 0;
  uint64_t anchor = 0;
  bool library = false;
  // What the compiler knows of it.
  uint32_t flags = 0;  // abi::SiteFlag; kSiteLibrary is `library`
  uint32_t size = 0;   // bytes; 0 = known only at run time
  uint64_t type = 0;   // TypeName of the struct accessed or allocated; 0 = none
  uint32_t field_offset = 0;  // bytes from the start of `type`
  uint16_t block = 0;         // basic block, numbered in its function
  uint16_t loop = 0;          // innermost loop, numbered from 1; 0 = none
  bool operator==(const SiteName&) const = default;

  bool has(abi::SiteFlag flag) const { return (flags & flag) != 0; }
};

// A call from code without sites.
struct CallerName {
  uint32_t module = 0;
  uint64_t offset = 0;  // of the return address from the module's base
  uint64_t anchor = 0;
  std::string function = {};
  Place place = {};
  bool operator==(const CallerName&) const = default;
};

struct NodeName {
  uint32_t parent = 0;  // smaller than the node's own number
  uint32_t site = 0;
  bool operator==(const NodeName&) const = default;
};

struct ModuleName {
  std::string path = {};
  std::string build_id = {};  // lower-case hexadecimal; "" = none
  uint64_t base = 0;
  uint64_t size = 0;  // bytes from `base` to the end of what is mapped
  bool program = false;
  bool instrumented = false;
  bool operator==(const ModuleName&) const = default;
};

struct ThreadName {
  std::string path = {};  // by creation: main, main/1, main/1/1
  std::string name = {};  // given by the program; "" = none
  bool operator==(const ThreadName&) const = default;
};

struct ObjectName {
  std::string name = {};
  uint64_t size = 0;  // bytes; 0 = not known
  // Of what begins here and has more members than this one ("nodes[1]", where
  // `name` is "nodes[1].next"): what a pointer here points to. "" = `name`.
  std::string whole = {};
  bool operator==(const ObjectName&) const = default;
};

struct Names {
  std::map<uint32_t, SiteName> sites;
  std::map<uint32_t, FunctionName> functions;
  std::map<uint64_t, TypeName> types;  // by TypeName::id
  std::map<uint32_t, CallerName> callers;
  std::map<uint32_t, NodeName> nodes;
  std::map<uint32_t, ModuleName> modules;
  std::map<Tid, ThreadName> threads;
  std::map<uint64_t, ObjectName> objects;  // by first byte; do not overlap
  bool operator==(const Names&) const = default;

  // The thread's path, or "thread-7" when it has none.
  std::string ThreadText(Tid tid) const;
  std::optional<Tid> FindThread(std::string_view text) const;

  // "counter", "table+8", or the address in hexadecimal.
  std::string ObjectText(uint64_t address) const;
  // The same of what a pointer with that value points to.
  std::string PointeeText(uint64_t address) const;

  // Where the event's site or caller is; null when nobody knows.
  const Place* PlaceOf(const Event& event) const;
  std::string FunctionOf(const Event& event) const;

  // The call in code of the application that led to an event in a library's;
  // nothing for any other event, or when it is not known.
  struct Origin {
    uint32_t node = 0;               // the context that the call made
    const SiteName* call = nullptr;  // never null
    std::string callee;              // the library's function that was called
  };
  std::optional<Origin> OriginOf(const Event& event) const;

  // Where people should look for the event: its origin, or its own place.
  const Place* ShownPlaceOf(const Event& event) const;

  // Takes over what `later` knows; where both know something, `later` is right.
  void Merge(Names later);
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_NAMES_H_
