#include "instrument/pass/instrument.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "instrument/pass/accesses.h"
#include "instrument/pass/attributes.h"
#include "instrument/pass/blocks.h"
#include "instrument/pass/collect.h"
#include "instrument/pass/compiled.h"
#include "instrument/pass/counts.h"
#include "instrument/pass/frames.h"
#include "instrument/pass/identity.h"
#include "instrument/pass/idle_copy.h"
#include "instrument/pass/module_record.h"
#include "instrument/pass/ranges.h"
#include "instrument/pass/stubs.h"
#include "instrument/pass/tables.h"
#include "instrument/pass/ways_out.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Set on a module that has been through the pass: link-time optimisation may
// bring it to a second pipeline.
constexpr char kDone[] = "fairlead.instrumented";

bool IsLibrary(const Function& function, SourceText& sources) {
  const DISubprogram* subprogram = function.getSubprogram();
  return subprogram != nullptr && sources.Path(subprogram->getFile()).library;
}

// See frames.h. A coroutine may go on in another thread than it began in, so
// it cannot hold on to a thread's slot.
bool WantsFrame(const Function& function, const Sites& sites, bool library,
                const WaysOut& ways_out) {
  if (function.isPresplitCoroutine()) return false;
  if (!library) return true;
  return ways_out.Has(function) && any_of(sites, IsCallSite);
}

class ModuleInstrumenter {
 public:
  ModuleInstrumenter(Module& module, const Options& options)
      : module_(module),
        options_(options),
        sources_(options.root),
        types_(module) {}

  void Run() {
    SmallVector<Function*, 32> functions;
    for (Function& function : module_) {
      if (IsInstrumented(function)) functions.push_back(&function);
    }
    if (functions.empty()) return;
    if (options_.ids_only) {
      for (Function* function : functions) {
        Locals locals;
        AttachMetadata(Identify(*function, locals));
      }
      return;
    }
    Tables tables(module_, sources_, types_);
    std::vector<Work> work;
    IdleCopies copies;
    const WaysOut ways_out(functions);
    for (Function* function : functions) {
      Describe(*function, ways_out, tables, work, copies);
    }
    GlobalVariable* unit = tables.Finish();
    Stubs stubs(module_,
                {.functions = tables.functions(), .sites = tables.sites()});
    // All are kept before the first is changed: a call may be of a leaf that
    // comes later.
    for (const Work& one : work) Keep(one, copies);
    for (Work& one : work) Instrument(one, tables, stubs, copies);
    copies.Switch(tables.functions());
    stubs.PlaceSteps();
    AddModuleRecord(module_, stubs, unit);
  }

 private:
  Sites Identify(Function& function, Locals& locals) {
    Sites sites = CollectSites(function, locals, types_);
    for (Site& site : sites) {
      if (sources_.Path(site.file).library) site.flags |= abi::kSiteLibrary;
    }
    AssignIdentity(function, sources_, sites);
    return sites;
  }

  struct Work {
    Function* function;
    Sites sites;
    FunctionTable table;
    Stretches stretches;
    bool framed;
    bool library;
  };

  void Describe(Function& function, const WaysOut& ways_out, Tables& tables,
                std::vector<Work>& work, IdleCopies& copies) {
    Locals locals;
    Work one = {.function = &function,
                .sites = Identify(function, locals),
                .table = {},
                .stretches = {},
                .framed = false,
                .library = IsLibrary(function, sources_)};
    // A function without sites still counts instructions, and is entered.
    one.framed = options_.frames &&
                 WantsFrame(function, one.sites, one.library, ways_out);
    if (one.library && !one.framed) erase_if(one.sites, IsCallSite);
    if (one.sites.empty() && !one.framed) {
      if (one.library) copies.AddSilent(function);
      return;
    }
    if (one.framed) one.stretches = PlanCounts(function, one.sites, locals);
    one.table = tables.Function(function, one.sites);
    work.push_back(std::move(one));
  }

  void Keep(const Work& work, IdleCopies& copies) {
    if (!options_.idle_copies) return;
    copies.Keep(
        {.function = work.function,
         .id = work.table.id,
         .mode = work.table.record.offset + offsetof(abi::FunctionRecord, mode),
         .code = work.library ? IdleCopies::Code::kLibrary
                              : IdleCopies::Code::kApplication});
  }

  // Freezing keeps the sum of an address and an offset from being an address of
  // its own, which every call would have to ask the linker for.
  static void SetRecords(Work& work, const Tables& tables) {
    Value* records = nullptr;
    if (work.framed && any_of(work.sites, IsCallSite)) {
      IRBuilder<> at(BehindStaticLocals(work.function->getEntryBlock()));
      at.SetCurrentDebugLocation(DebugLoc());
      records = at.CreateFreeze(tables.SitesOf(work.table), "fl.sites");
    }
    for (const auto& [i, site] : enumerate(work.sites)) {
      site.place = UnitWriter::PlaceOfSite(work.table.first_site + i);
      site.records = records;
      site.offset = i * sizeof(abi::SiteRecord);
    }
  }

  void Instrument(Work& work, const Tables& tables, Stubs& stubs,
                  IdleCopies& copies) {
    SetRecords(work, tables);
    Frame frame(*work.function, work.table.record.offset, stubs);
    if (work.framed) frame.Open(work.table.pointer_arguments, work.stretches);
    if (options_.accesses) {
      for (const Site& site : work.sites) {
        if (IsCallSite(site)) continue;
        IsRange(site) ? InstrumentRange(site, stubs)
                      : InstrumentAccess(site, stubs);
      }
    }
    // Templates of libraries are many: for a fast compiler they go without.
    frame.Close(work.sites, work.library ? nullptr : &copies);
  }

  Module& module_;
  const Options& options_;
  SourceText sources_;
  TypeCatalogue types_;
};

}  // namespace

PreservedAnalyses InstrumentPass::run(Module& module, ModuleAnalysisManager&) {
  if (module.getNamedMetadata(kDone) != nullptr) {
    return PreservedAnalyses::all();
  }
  module.getOrInsertNamedMetadata(kDone);
  if (!options_.ids_only) {
    AdoptLibraryTemplates(module);
    RemoveFalsifiedAttributes(module);
  }
  ModuleInstrumenter(module, options_).Run();
  if (options_.debug_kept == DebugKept::kLines) {
    stripNonLineTableDebugInfo(module);
  }
  return PreservedAnalyses::none();
}

}  // namespace fairlead::pass
