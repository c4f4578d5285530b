#include "instrument/pass/tables.h"

#include <llvm/IR/Constants.h>
#include <llvm/Support/xxhash.h>

#include "abi/site.h"
#include "instrument/pass/function_facts.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::FileRecord;
using abi::FunctionRecord;
using abi::SiteRecord;

// An existing global of that name: this module wrote the same content before.
GlobalVariable* Existing(Module& module, const std::string& name) {
  return module.getGlobalVariable(name, /*AllowInternal=*/true);
}

void WriteSite(RecordWriter& out, const Site& site, const Ref& function,
               const Ref& file, const Ref& type, Constant* mode,
               Constant* number) {
  const size_t start = out.offset();
  out.Int64(site.id).Int64(site.anchor);
  out.RelativeUnnamed(function.constant).Relative(file);
  out.RelativeUnnamed(mode).Relative(type);
  out.At(start + offsetof(SiteRecord, line)).Int32(site.line);
  out.Int32(site.size).Int32(site.field_offset).Int32(site.flags);
  out.Int16(site.column).Int16(site.block).Int16(site.loop);
  out.Int16(site.ordinal);
  out.At(start + offsetof(SiteRecord, kind));
  out.Int8(static_cast<uint8_t>(site.kind));
  out.Int8(static_cast<uint8_t>(site.order));
  out.Int8(static_cast<uint8_t>(site.failure_order));
  out.Int8(0).RelativeUnnamed(number);
  out.At(start + sizeof(SiteRecord));
}

// Zeros that a runtime writes over, out of any optimizer's sight.
GlobalVariable* MakeCells(Module& module, const Twine& name, size_t count,
                          unsigned bytes, Comdat* comdat) {
  auto* type = ArrayType::get(
      llvm::Type::getIntNTy(module.getContext(), 8 * bytes), count);
  auto* cells = new GlobalVariable(module, type, /*isConstant=*/false,
                                   GlobalValue::LinkOnceODRLinkage,
                                   Constant::getNullValue(type), name);
  cells->setAlignment(Align(bytes));
  cells->setExternallyInitialized(true);
  MakeShared(*cells, comdat);
  return cells;
}

Constant* Element(GlobalVariable* base, uint64_t bytes) {
  LLVMContext& context = base->getContext();
  return ConstantExpr::getInBoundsGetElementPtr(
      llvm::Type::getInt8Ty(context), base,
      ConstantInt::get(llvm::Type::getInt64Ty(context), bytes));
}

}  // namespace

Ref Tables::Text(StringRef text) {
  if (text.empty()) return {};
  Constant*& known = texts_[text];
  if (known == nullptr) {
    Constant* bytes = ConstantDataArray::getString(module_.getContext(), text);
    auto* global =
        new GlobalVariable(module_, bytes->getType(), true,
                           GlobalValue::PrivateLinkage, bytes, "fl.text");
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    global->setAlignment(Align(1));
    KeepSanitizersOff(*global);
    known = global;
  }
  return {known, text.str()};
}

Ref Tables::File(const DIFile* file) {
  if (file == nullptr) return {};
  auto [entry, fresh] = known_.try_emplace(file);
  if (!fresh) return entry->second;
  const SourcePath& source = sources_.Path(file);
  RecordWriter out(module_);
  out.At(offsetof(FileRecord, path)).Relative(Text(source.path));
  out.At(offsetof(FileRecord, root)).Relative(Text(source.root));
  out.Int32(source.library ? abi::kFileLibrary : 0).Int32(0);
  return known_[file] = out.FinishOnce("__fl_file.", "", 4);
}

Ref Tables::TypeOf(const Site& site) {
  if (site.type != nullptr) return Type(site.type);
  if (site.layout != nullptr) return Layout(site.layout);
  return {};
}

FunctionTable Tables::Function(llvm::Function& function, Sites& sites) {
  const FunctionFacts facts = FactsOf(function, types_, sources_);
  FunctionTable table;
  table.pointer_arguments = facts.pointer_arguments;

  // The name comes from a first writing without the pointers inside the group.
  RecordWriter draft(module_);
  draft.Int64(facts.id).Int16(facts.flags).Int32(facts.line);
  for (const Site& site : sites) {
    WriteSite(draft, site, {}, File(site.file), TypeOf(site), nullptr, nullptr);
  }
  const std::string name = draft.ContentName();
  Comdat* comdat = module_.getOrInsertComdat("__fl_fn." + name);

  GlobalVariable* record = Existing(module_, "__fl_fn." + name);
  GlobalVariable* modes = Existing(module_, "__fl_modes." + name);
  GlobalVariable* records = Existing(module_, "__fl_sites." + name);
  GlobalVariable* numbers = Existing(module_, "__fl_numbers." + name);
  if (record == nullptr) {
    modes =
        MakeCells(module_, "__fl_modes." + name, sites.size() + 1, 1, comdat);
    modes->setSection(kModesSection);

    Ref params;
    if (!facts.params.empty()) {
      RecordWriter list(module_);
      for (const Param& param : facts.params) {
        list.Relative(Type(param.pointee)).Int16(param.index).Int16(0);
      }
      params = {list.Finish("__fl_params." + name, "", comdat, 4), ""};
    }
    RecordWriter out(module_);
    out.Int64(facts.id).Relative(Text(facts.name));
    out.Relative(Text(function.getName())).Relative(File(facts.file));
    out.At(offsetof(FunctionRecord, line)).Int32(facts.line);
    out.Relative(Type(facts.type)).RelativeUnnamed(modes).Relative(params);
    out.At(offsetof(FunctionRecord, num_params)).Int16(facts.params.size());
    out.Int16(facts.flags).At(sizeof(FunctionRecord));
    record = out.Finish("__fl_fn." + name, kFunctionsSection, comdat, 8);

    if (!sites.empty()) {
      RecordWriter list(module_);
      numbers =
          MakeCells(module_, "__fl_numbers." + name, sites.size(), 4, comdat);
      for (size_t i = 0; i < sites.size(); ++i) {
        const bool call = IsCallSite(sites[i]);
        Constant* mode = call ? nullptr : Element(modes, i + 1);
        Constant* number = call ? nullptr : Element(numbers, i * 4);
        WriteSite(list, sites[i], {record, ""}, File(sites[i].file),
                  TypeOf(sites[i]), mode, number);
      }
      records = list.Finish("__fl_sites." + name, kSitesSection, comdat, 8);
    }
  }
  table.record = record;
  table.mode = modes;
  for (size_t i = 0; i < sites.size(); ++i) {
    sites[i].record = Element(records, i * sizeof(SiteRecord));
    if (IsCallSite(sites[i])) continue;
    sites[i].mode = Element(modes, i + 1);
    sites[i].number = Element(numbers, i * 4);
  }
  return table;
}

}  // namespace fairlead::pass
