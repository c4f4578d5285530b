#include "instrument/pass/instrument.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "instrument/pass/accesses.h"
#include "instrument/pass/attributes.h"
#include "instrument/pass/collect.h"
#include "instrument/pass/frames.h"
#include "instrument/pass/identity.h"
#include "instrument/pass/idle_copy.h"
#include "instrument/pass/module_record.h"
#include "instrument/pass/ranges.h"
#include "instrument/pass/tables.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Set on a module that has been through the pass: link-time optimisation may
// bring it to a second pipeline.
constexpr char kDone[] = "fairlead.instrumented";

bool IsInstrumented(const Function& function) {
  return !function.isDeclaration() &&
         !function.hasFnAttribute(Attribute::Naked) &&
         !function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !function.getName().starts_with("__fl_");
}

bool IsLibrary(const Function& function, SourceText& sources) {
  const DISubprogram* subprogram = function.getSubprogram();
  return subprogram != nullptr && sources.Path(subprogram->getFile()).library;
}

// See frames.h. A coroutine may go on in another thread than it began in, so
// it cannot hold on to a thread's slot.
bool WantsFrame(const Function& function, const Sites& sites,
                SourceText& sources) {
  if (function.isPresplitCoroutine()) return false;
  for (const Site& site : sites) {
    if (IsCallSite(site)) return true;
  }
  return !IsLibrary(function, sources);
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
      for (Function* function : functions) Identify(*function);
      return;
    }
    HookTable hooks(module_);
    Tables tables(module_, sources_, types_);
    IdleCopies copies;
    // All are kept before the first is changed: a call may be of a leaf that
    // comes later.
    std::vector<Work> work;
    for (Function* function : functions) Keep(*function, tables, copies, work);
    for (const Work& one : work) Instrument(one, hooks, copies);
    copies.Switch();
    AddModuleRecord(module_, hooks);
  }

 private:
  Sites Identify(Function& function) {
    Locals locals;
    Sites sites = CollectSites(function, locals, types_);
    for (Site& site : sites) {
      if (sources_.Path(site.file).library) site.flags |= abi::kSiteLibrary;
    }
    AssignIdentity(function, sources_, sites);
    AttachMetadata(sites);
    return sites;
  }

  struct Work {
    Function* function;
    Sites sites;
    FunctionTable table;
    bool framed;
    bool library;
  };

  void Keep(Function& function, Tables& tables, IdleCopies& copies,
            std::vector<Work>& work) {
    Sites sites = Identify(function);
    // A function without sites still counts instructions, and is entered.
    const bool framed =
        options_.frames && WantsFrame(function, sites, sources_);
    if (sites.empty() && !framed) return;
    FunctionTable table = tables.Function(function, sites);
    const bool library = IsLibrary(function, sources_);
    if (options_.idle_copies) {
      copies.Keep(function, table.mode,
                  library ? IdleCopies::Code::kLibrary
                          : IdleCopies::Code::kApplication);
    }
    work.push_back(
        {&function, std::move(sites), std::move(table), framed, library});
  }

  void Instrument(const Work& work, const HookTable& hooks,
                  IdleCopies& copies) {
    Frame frame(*work.function, hooks, work.table);
    if (work.framed) {
      Locals locals;
      frame.Open(locals);
    }
    if (options_.accesses) {
      for (const Site& site : work.sites) {
        if (IsCallSite(site)) continue;
        IsRange(site) ? InstrumentRange(site, hooks, frame)
                      : InstrumentAccess(site, hooks, frame);
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
