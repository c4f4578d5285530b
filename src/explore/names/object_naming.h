// explore/names/object_naming.h
//
// What to call the memory that a witness speaks of: a variable and its member
// ("queue.count", "accounts[1].mutex"), a member of a struct ("Pool::mutex",
// "Session#2::requests" where there are several), an element or a node of a
// container ("Ledger::funds_[2]", "node of Users::users_"), a block by where it
// was allocated ("block@main.c:12"), a local by its function.

#ifndef FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMING_H_
#define FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMING_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/names/typed_objects.h"
#include "finding/finding.h"
#include "trace/trace.h"

namespace fairlead::explore {

// Memory of an execution, beside what its trace says.
struct KnownMemory {
  std::map<uint64_t, uint64_t> blocks = {};  // bytes, by first byte
  std::map<uint64_t, uint64_t> stacks = {};  // ends, by first byte
  // Where a block was allocated.
  std::function<finding::Where(uint64_t block)> allocated_at = {};
};

class ObjectNaming {
 public:
  // Both must outlive this. `whole`: all events, of which some will be shown.
  ObjectNaming(const trace::Trace& whole, const KnownMemory& memory);

  // `bytes` at `address` will be spoken of. All before the first name.
  void Expect(uint64_t address, uint64_t bytes);

  // Nothing where nobody knows more than the address.
  std::optional<trace::ObjectName> NameOf(uint64_t address, uint64_t bytes);

  // Of what was named: structs and blocks with where they were allocated, a
  // line each.
  std::vector<std::string> Legend() const;

 private:
  // A block of the heap or a variable.
  struct Region {
    uint64_t first = 0;
    uint64_t size = 0;
    std::string name = {};  // of a variable
  };
  std::optional<Region> BlockAt(uint64_t address) const;
  std::optional<Region> VariableAt(uint64_t address) const;
  bool IsOnStack(uint64_t address) const;
  void NoteUse(const trace::Event& event);
  void NoteCapture(const trace::Event& event);
  void NotePrimitive(const trace::Event& event);

  // "queue.", "Pool::", "Session#2::".
  std::string PrefixOf(const TypedObject& object) const;
  trace::ObjectName InStruct(const TypedObject& object, uint64_t address,
                             uint64_t bytes) const;
  trace::ObjectName InVariable(const Region& variable, uint64_t address) const;
  // "block@main.c:12".
  std::string BlockName(const Region& block) const;
  trace::ObjectName InBlock(const Region& block, uint64_t address);
  std::optional<trace::ObjectName> InStack(uint64_t address);
  // "[3]", if all that was touched there had the size of an element; "" or
  // "+12" if not.
  std::string ElementAt(const Region& region, uint64_t address) const;
  // "name" the first time, "name#2" for the second address of that name, …
  std::string Numbered(const std::string& name, uint64_t first);

  const trace::Trace& whole_;
  const KnownMemory& memory_;
  TypedObjects typed_;
  struct Use {
    std::set<uint64_t> sizes = {};
    bool own = false;  // by the program's own code
  };
  std::map<uint64_t, Use> uses_;               // by a region's first byte
  std::map<uint64_t, std::string> functions_;  // that touched it, on stacks
  // Variables that lambdas have captured, by address.
  std::map<uint64_t, std::string> captured_;
  std::map<uint64_t, std::set<uint64_t>> instances_;  // bases, by type
  std::map<std::string, std::vector<uint64_t>> numbered_;
  std::map<std::string, uint64_t> told_blocks_;  // by name
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMING_H_
