#include "instrument/pass/tables.h"

#include <algorithm>

#include "abi/access_event.h"
#include "abi/site.h"
#include "instrument/pass/function_facts.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::FileRecord;
using abi::FunctionRecord;
using abi::ParamRecord;
using abi::SiteRecord;

// A number too large for its field is cut.
template <typename To>
To Cut(uint64_t value) {
  return static_cast<To>(value);
}

uint8_t Orders(const Site& site) {
  return static_cast<uint8_t>(static_cast<unsigned>(site.order) |
                              static_cast<unsigned>(site.failure_order) << 4);
}

}  // namespace

Ref Tables::Text(StringRef text) {
  if (text.empty()) return {};
  auto [entry, fresh] = texts_.try_emplace(text);
  if (fresh) {
    entry->second = unit_.AppendBytes(Part::kTexts, text.data(), text.size());
    unit_.AppendBytes(Part::kTexts, "", 1);
  }
  return entry->second;
}

Ref Tables::File(const DIFile* file) {
  if (file == nullptr) return {};
  auto [entry, fresh] = known_.try_emplace(file);
  if (!fresh) return entry->second;
  const SourcePath& source = sources_.Path(file);
  FileRecord record = {};
  record.flags = source.library ? abi::kFileLibrary : 0;
  const Ref place = unit_.Append(Part::kFiles, record);
  unit_.Point(place, offsetof(FileRecord, path), Text(source.path));
  unit_.Point(place, offsetof(FileRecord, root), Text(source.root));
  return known_[file] = place;
}

Ref Tables::TypeOf(const Site& site) {
  if (site.type != nullptr) return Type(site.type);
  if (site.layout != nullptr) return Layout(site.layout);
  return {};
}

void Tables::WriteSite(const Site& site, const Ref& function) {
  SiteRecord record = {};
  record.id = site.id;
  record.anchor = site.anchor;
  record.line = site.line;
  record.size = Cut<uint32_t>(site.size);
  record.field_offset = Cut<uint32_t>(site.field_offset);
  record.flags = site.flags | static_cast<uint32_t>(site.length.rule)
                                  << abi::kSiteLengthShift;
  record.column = Cut<uint16_t>(site.column);
  record.block = Cut<uint16_t>(site.block);
  record.loop = Cut<uint16_t>(site.loop);
  record.ordinal = Cut<uint16_t>(site.ordinal);
  record.kind = site.kind;
  record.orders = Orders(site);
  record.behind = Cut<uint8_t>(site.behind);
  record.told = abi::ToldBy(site.kind, site.order, site.flags, site.size);
  const Ref type = TypeOf(site);
  const Ref file = File(site.file);
  const Ref place = unit_.Append(Part::kSites, record);
  unit_.Point(place, offsetof(SiteRecord, function), function);
  unit_.Point(place, offsetof(SiteRecord, file), file);
  unit_.Point(place, offsetof(SiteRecord, type), type);
}

FunctionTable Tables::Function(llvm::Function& function, const Sites& sites) {
  const FunctionFacts facts = FactsOf(function, types_, sources_);
  FunctionRecord record = {};
  record.id = facts.id;
  record.line = facts.line;
  record.num_params = Cut<uint16_t>(facts.params.size());
  record.flags = facts.flags;
  record.num_sites = Cut<uint32_t>(sites.size());

  FunctionTable table = {.id = facts.id,
                         .pointer_arguments = facts.pointer_arguments};
  const Ref file = File(facts.file);
  const Ref type = Type(facts.type);
  Ref params;
  for (const Param& param : facts.params) {
    const Ref pointee = Type(param.pointee);
    ParamRecord one = {};
    one.index = Cut<uint16_t>(param.index);
    const Ref place = unit_.Append(Part::kParams, one);
    unit_.Point(place, offsetof(ParamRecord, pointee), pointee);
    if (params.null) params = place;
  }
  table.record = unit_.Append(Part::kFunctions, record);
  const auto point = [&](size_t field, const Ref& target) {
    unit_.Point(table.record, field, target);
  };
  point(offsetof(FunctionRecord, name), Text(facts.name));
  point(offsetof(FunctionRecord, linkage_name), Text(function.getName()));
  point(offsetof(FunctionRecord, file), file);
  point(offsetof(FunctionRecord, type), type);
  point(offsetof(FunctionRecord, params), params);
  table.sites = unit_.Next(Part::kSites);
  if (!sites.empty()) point(offsetof(FunctionRecord, sites), table.sites);
  for (const Site& site : sites) WriteSite(site, table.record);
  return table;
}

Constant* Tables::ModeOf(const FunctionTable& table) const {
  Ref mode = table.record;
  mode.offset += offsetof(FunctionRecord, mode);
  return unit_.At(mode);
}

}  // namespace fairlead::pass
