#include "tests/pass/probe/tables.h"

#include <cstdio>
#include <cstdlib>
#include <set>

#include "tests/pass/probe/log.h"

namespace fairlead::probe {
namespace {

struct Bit {
  uint32_t bit;
  const char* word;
};

constexpr Bit kSiteBits[] = {{abi::kSiteVolatile, "volatile"},
                             {abi::kSitePointer, "pointer"},
                             {abi::kSiteFeedsAddress, "feeds-address"},
                             {abi::kSiteFeedsIndex, "feeds-index"},
                             {abi::kSiteFeedsBranch, "feeds-branch"},
                             {abi::kSiteFeedsCall, "feeds-call"},
                             {abi::kSiteLibrary, "library"},
                             {abi::kSiteIndexed, "indexed"},
                             {abi::kSiteNoValue, "no-value"},
                             {abi::kSiteWeakCas, "weak"},
                             {abi::kSiteSignalFence, "signal-fence"},
                             {abi::kSiteThis, "this"},
                             {abi::kSiteFloat, "float"},
                             {abi::kSiteAnnotated, "annotated"},
                             {abi::kSiteVtable, "vtable"},
                             {abi::kSiteCovered, "covered"},
                             {abi::kSiteBound, "bound"}};
constexpr Bit kFunctionBits[] = {{abi::kFunctionConstructor, "constructor"},
                                 {abi::kFunctionDestructor, "destructor"},
                                 {abi::kFunctionStatic, "static"},
                                 {abi::kFunctionLambda, "lambda"},
                                 {abi::kFunctionThis, "this"},
                                 {abi::kFunctionLibrary, "library"},
                                 {abi::kFunctionInternal, "internal"},
                                 {abi::kFunctionConst, "const"},
                                 {abi::kFunctionUnit, "unit"},
                                 {abi::kFunctionNotUnit, "not-a-unit"},
                                 {abi::kFunctionGuarded, "guarded"}};
constexpr Bit kTypeBits[] = {{abi::kTypeClass, "class"},
                             {abi::kTypeUnion, "union"},
                             {abi::kTypeLibrary, "library"},
                             {abi::kTypeLayoutOnly, "layout-only"}};
constexpr Bit kFieldBits[] = {
    {abi::kFieldConst, "const"},         {abi::kFieldAtomic, "atomic"},
    {abi::kFieldLock, "lock"},           {abi::kFieldPointer, "pointer"},
    {abi::kFieldReference, "reference"}, {abi::kFieldBitField, "bit-field"},
    {abi::kFieldArray, "array"}};

template <size_t n>
void AddFlags(const Bit (&bits)[n], uint32_t flags, Line& line) {
  std::string words;
  for (const Bit& bit : bits) {
    if ((flags & bit.bit) == 0) continue;
    if (!words.empty()) words += ',';
    words += bit.word;
  }
  line.Add("flags", words.c_str());
}

void Put(std::FILE* out, const Line& line) {
  std::fprintf(out, "%s\n", line.text().c_str());
}

// Unnamed types, such as a lambda's, have no name to give.
const char* NameOf(const abi::TypeRecord* type) {
  return type != nullptr && type->name ? type->name.get() : "";
}

void PutSite(std::FILE* out, const abi::SiteRecord& site) {
  Line line("site");
  Describe(site, line);
  line.Add("id", site.id).Add("anchor", site.anchor).Add("size", site.size);
  line.Add("block", site.block).Add("loop", site.loop);
  line.Add("ordinal", site.ordinal);
  line.Add("failure-order", static_cast<uint64_t>(site.failure_order()));
  line.Add("linkage", site.function->linkage_name.get());
  line.Add("path", site.file ? site.file->path.get() : "");
  line.Add("root", site.file ? site.file->root.get() : "");
  AddFlags(kSiteBits, site.flags, line);
  Put(out, line);
}

void PutFunction(std::FILE* out, const abi::FunctionRecord& function) {
  Line line("function");
  line.Add("id", function.id).Add("name", function.name.get());
  line.Add("linkage", function.linkage_name.get());
  line.Add("file", function.file ? BaseName(function.file->path.get()) : "");
  line.Add("line", function.line).Add("class", NameOf(function.type.get()));
  std::string params;
  for (uint16_t i = 0; i < function.num_params; ++i) {
    const abi::ParamRecord& param = function.params.get()[i];
    if (i != 0) params += ',';
    params += std::to_string(param.index) + ':' + NameOf(param.pointee.get());
  }
  line.Add("params", params.c_str());
  AddFlags(kFunctionBits, function.flags, line);
  Put(out, line);
}

void PutType(std::FILE* out, const abi::TypeRecord& type) {
  Line line("type");
  line.Add("id", type.id).Add("name", type.name.get()).Add("size", type.size);
  line.Add("file", type.file ? BaseName(type.file->path.get()) : "");
  line.Add("line", type.line);
  AddFlags(kTypeBits, type.flags, line);
  Put(out, line);
  for (uint16_t i = 0; i < type.num_fields; ++i) {
    const abi::FieldRecord& field = type.fields.get()[i];
    Line member("field");
    member.Add("of", type.name.get()).Add("name", field.name.get());
    member.Add("offset", field.offset).Add("size", field.size);
    member.Add("type", NameOf(field.type.get()));
    AddFlags(kFieldBits, field.flags, member);
    Put(out, member);
  }
  for (uint16_t i = 0; i < type.num_bases; ++i) {
    const abi::BaseRecord& base = type.bases.get()[i];
    Line parent("base");
    parent.Add("of", type.name.get()).Add("type", NameOf(base.type.get()));
    parent.Add("offset", base.offset);
    parent.Add("flags", base.flags & abi::kBaseVirtual ? "virtual" : "");
    Put(out, parent);
  }
}

}  // namespace

void WriteTables(const abi::ModuleRecord& module) {
  const char* path = std::getenv("PROBE_TABLES");
  if (path == nullptr) return;
  std::FILE* out = std::fopen(path, "a");
  if (out == nullptr) return;
  // Units repeat what they have in common, under the same ids.
  std::set<uint64_t> functions, types;
  for (auto* unit = module.units_begin.get(); unit < module.units_end.get();
       unit = abi::NextUnit(unit)) {
    for (uint32_t i = 0; i < unit->num_functions; ++i) {
      const abi::FunctionRecord& function = unit->functions.get()[i];
      if (!functions.insert(function.id).second) continue;
      PutFunction(out, function);
      for (uint32_t j = 0; j < function.num_sites; ++j) {
        PutSite(out, function.sites.get()[j]);
      }
    }
    for (uint32_t i = 0; i < unit->num_types; ++i) {
      const abi::TypeRecord& type = unit->types.get()[i];
      if (types.insert(type.id).second) PutType(out, type);
    }
  }
  std::fclose(out);
}

}  // namespace fairlead::probe
