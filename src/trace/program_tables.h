// trace/program_tables.h
//
// What the compiler recorded about the program, by the numbers that events
// carry: for analyses, while events stream by. Names for people come later,
// when the execution is over (trace/names.h).
//
// What is not known (a caller, a module that is not instrumented, a number that
// makes no sense) gives an empty site, or null.

#ifndef FAIRLEAD_TRACE_PROGRAM_TABLES_H_
#define FAIRLEAD_TRACE_PROGRAM_TABLES_H_

#include <cstdint>
#include <span>

#include "trace/event.h"
#include "trace/names.h"

namespace fairlead::trace {

class ProgramTables {
 public:
  virtual ~ProgramTables() = default;

  // Where the event happened; its `kind` is kNone if that is not known. Cheap
  // enough for every event. Holds until the next call.
  const SiteName& SiteOf(const Event& event) {
    if (!event.instrumented()) return unknown_;
    const size_t inside = event.site - first_;
    return inside < near_.size() ? near_[inside] : Find(event.site);
  }

  // By SiteName::type and the like; of a kEnter or kLeave event.
  virtual const TypeName* TypeOf(uint64_t id) = 0;
  virtual const FunctionName* FunctionOf(const Event& event) = 0;

 protected:
  // The site with this number. May set Near.
  virtual const SiteName& Find(uint32_t site) = 0;

  // These are the sites from `first` on, until told otherwise.
  void Near(uint32_t first, std::span<const SiteName> sites) {
    first_ = first;
    near_ = sites;
  }
  const SiteName& unknown() const { return unknown_; }

 private:
  uint32_t first_ = 0;
  std::span<const SiteName> near_;
  SiteName unknown_;
};

// Those of a stored trace. `names` outlives it.
class NamedTables final : public ProgramTables {
 public:
  explicit NamedTables(const Names& names) : names_(names) {}

  const TypeName* TypeOf(uint64_t id) override;
  const FunctionName* FunctionOf(const Event& event) override;

 protected:
  const SiteName& Find(uint32_t site) override;

 private:
  const Names& names_;
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_PROGRAM_TABLES_H_
