#include "instrument/pass/tables.h"

#include <algorithm>

#include "abi/packed_sites.h"
#include "abi/site.h"
#include "instrument/pass/function_facts.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::FileRecord;
using abi::FunctionRecord;
using abi::ParamRecord;

// A number too large for its field is cut.
template <typename To>
To Cut(uint64_t value) {
  return static_cast<To>(value);
}

uint8_t Orders(const Site& site) {
  return static_cast<uint8_t>(static_cast<unsigned>(site.order) |
                              static_cast<unsigned>(site.failure_order) << 4);
}

// One more than its index among its like; 0 for none.
uint32_t NumberOf(const Ref& record, size_t each) {
  return record.null ? 0 : record.offset / static_cast<uint32_t>(each) + 1;
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

void Tables::WriteSite(const Site& site) {
  abi::PackedSite packed = {.fields = {}, .id = site.id, .anchor = site.anchor};
  uint32_t* fields = packed.fields;
  fields[abi::kPackedLine] = site.line;
  fields[abi::kPackedSize] = Cut<uint32_t>(site.size);
  fields[abi::kPackedFieldOffset] = Cut<uint32_t>(site.field_offset);
  fields[abi::kPackedFlags] =
      site.flags | static_cast<uint32_t>(site.length.rule)
                       << abi::kSiteLengthShift;
  fields[abi::kPackedColumn] = Cut<uint16_t>(site.column);
  fields[abi::kPackedBlock] = Cut<uint16_t>(site.block);
  fields[abi::kPackedLoop] = Cut<uint16_t>(site.loop);
  fields[abi::kPackedOrdinal] = Cut<uint16_t>(site.ordinal);
  fields[abi::kPackedKind] = static_cast<uint32_t>(site.kind);
  fields[abi::kPackedOrders] = Orders(site);
  fields[abi::kPackedBehind] = Cut<uint8_t>(site.behind);
  fields[abi::kPackedType] = NumberOf(TypeOf(site), sizeof(abi::TypeRecord));
  fields[abi::kPackedFile] = NumberOf(File(site.file), sizeof(FileRecord));
  unit_.AppendSite(packed);
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
  table.first_site = unit_.num_sites();
  for (const Site& site : sites) WriteSite(site);
  return table;
}

Constant* Tables::functions() const {
  return unit_.At({.null = false, .part = Part::kFunctions, .offset = 0});
}

}  // namespace fairlead::pass
