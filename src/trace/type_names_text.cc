#include "trace/type_names_text.h"

#include <fmt/format.h>

#include "trace/name_words.h"

namespace fairlead::trace {
namespace {

constexpr BitWord kSiteBits[] = {{abi::kSiteVolatile, "volatile"},
                                 {abi::kSitePointer, "pointer"},
                                 {abi::kSiteFeedsAddress, "feeds-address"},
                                 {abi::kSiteFeedsIndex, "feeds-index"},
                                 {abi::kSiteFeedsBranch, "feeds-branch"},
                                 {abi::kSiteFeedsCall, "feeds-call"},
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
constexpr BitWord kFunctionBits[] = {{abi::kFunctionConstructor, "constructor"},
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
constexpr BitWord kTypeBits[] = {{abi::kTypeClass, "class"},
                                 {abi::kTypeUnion, "union"},
                                 {abi::kTypeLibrary, "library"},
                                 {abi::kTypeLayoutOnly, "layout-only"}};
constexpr BitWord kFieldBits[] = {
    {abi::kFieldConst, "const"},         {abi::kFieldAtomic, "atomic"},
    {abi::kFieldLock, "lock"},           {abi::kFieldPointer, "pointer"},
    {abi::kFieldReference, "reference"}, {abi::kFieldBitField, "bit-field"},
    {abi::kFieldArray, "array"}};

std::string FlagsWord(std::span<const BitWord> words, uint32_t bits) {
  const std::string flags = PrintBits(words, bits);
  return flags.empty() ? "" : " flags=" + flags;
}

// The type that a line about one of its parts names.
Result<TypeName*> TakeType(LineParser& line, Names& names) {
  const Result<uint64_t> id = line.Number("a type's id");
  if (!id) return id.error();
  const auto found = names.types.find(*id);
  if (found == names.types.end()) {
    return line.Wrong("no type {:#x} stands before this", *id);
  }
  return &found->second;
}

// "0" or "0:0x3a".
bool TakeParam(std::string_view value, std::vector<ParamName>& params) {
  const size_t colon = std::min(value.find(':'), value.size());
  ParamName param;
  if (!TakeNumber(value.substr(0, colon), param.index)) return false;
  if (colon != value.size() &&
      !TakeNumber(value.substr(colon + 1), param.pointee)) {
    return false;
  }
  params.push_back(param);
  return true;
}

}  // namespace

std::span<const BitWord> SiteBits() { return kSiteBits; }

std::string PrintBits(std::span<const BitWord> words, uint32_t bits) {
  std::string text;
  for (const BitWord& each : words) {
    if ((bits & each.bit) == 0) continue;
    if (!text.empty()) text += ',';
    text += each.word;
  }
  return text;
}

bool TakeBits(std::span<const BitWord> words, std::string_view value,
              uint32_t& into) {
  for (const std::string_view word : Split(value, ',')) {
    const auto found = std::ranges::find(words, word, &BitWord::word);
    if (found == words.end()) return false;
    into |= found->bit;
  }
  return true;
}

std::string PrintType(const TypeName& type) {
  std::string text = fmt::format(
      "type {:#x} {} {} {}{}\n", type.id, Escape(type.name), type.size,
      PlaceWord(type.place), FlagsWord(kTypeBits, type.flags));
  for (const FieldName& field : type.fields) {
    text += fmt::format("field {:#x} {} {} {}", type.id, Escape(field.name),
                        field.offset, field.size);
    if (field.type != 0) text += fmt::format(" type={:#x}", field.type);
    text += FlagsWord(kFieldBits, field.flags) + '\n';
  }
  for (const BaseName& base : type.bases) {
    text +=
        fmt::format("base {:#x} {:#x} {}{}\n", type.id, base.type, base.offset,
                    base.flags & abi::kBaseVirtual ? " virtual" : "");
  }
  return text;
}

std::string PrintFunction(uint32_t index, const FunctionName& function) {
  std::string text =
      fmt::format("function {} {} {} {}", index, Escape(function.name),
                  Escape(function.linkage_name), PlaceWord(function.place));
  if (function.id != 0) text += fmt::format(" id={:#x}", function.id);
  if (function.type != 0) text += fmt::format(" type={:#x}", function.type);
  text += FlagsWord(kFunctionBits, function.flags);
  for (const ParamName& param : function.params) {
    text += fmt::format(" param={}", param.index);
    if (param.pointee != 0) text += fmt::format(":{:#x}", param.pointee);
  }
  return text + '\n';
}

Status ParseType(LineParser& line, Names& names) {
  const Result<uint64_t> id = line.Number("a type's id");
  if (!id) return id.error();
  Result<std::string> name = line.Escaped("a type's name");
  if (!name) return name.error();
  const Result<uint64_t> size = line.NumberBelow(kNameLimit, "a size");
  if (!size) return size.error();
  Result<Place> place = TakePlace(line);
  if (!place) return place.error();
  TypeName type = {.id = *id,
                   .name = *std::move(name),
                   .place = *std::move(place),
                   .size = static_cast<uint32_t>(*size)};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    return key == "flags" && TakeBits(kTypeBits, value, type.flags);
  });
  if (rest) names.types[*id] = std::move(type);
  return rest;
}

Status ParseField(LineParser& line, Names& names) {
  const Result<TypeName*> type = TakeType(line, names);
  if (!type) return type.error();
  Result<std::string> name = line.Escaped("a field's name");
  if (!name) return name.error();
  const Result<uint64_t> offset = line.NumberBelow(kNameLimit, "an offset");
  if (!offset) return offset.error();
  const Result<uint64_t> size = line.NumberBelow(kNameLimit, "a size");
  if (!size) return size.error();
  FieldName field = {.name = *std::move(name),
                     .offset = static_cast<uint32_t>(*offset),
                     .size = static_cast<uint32_t>(*size)};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    if (key == "type") return TakeNumber(value, field.type);
    return key == "flags" && TakeBits(kFieldBits, value, field.flags);
  });
  if (rest) (*type)->fields.push_back(std::move(field));
  return rest;
}

Status ParseBase(LineParser& line, Names& names) {
  const Result<TypeName*> type = TakeType(line, names);
  if (!type) return type.error();
  const Result<uint64_t> other = line.Number("a type's id");
  if (!other) return other.error();
  const Result<uint64_t> offset = line.NumberBelow(kNameLimit, "an offset");
  if (!offset) return offset.error();
  BaseName base = {.type = *other, .offset = static_cast<uint32_t>(*offset)};
  Status rest = TakeRest(line, [&](auto key, auto) {
    if (key != "virtual") return false;
    base.flags |= abi::kBaseVirtual;
    return true;
  });
  if (rest) (*type)->bases.push_back(base);
  return rest;
}

Status ParseFunction(LineParser& line, Names& names) {
  const Result<uint64_t> index =
      line.NumberBelow(kNameLimit, "a function's number");
  if (!index) return index.error();
  Result<std::string> name = line.Escaped("a function");
  if (!name) return name.error();
  Result<std::string> linkage_name = line.Escaped("a linkage name");
  if (!linkage_name) return linkage_name.error();
  Result<Place> place = TakePlace(line);
  if (!place) return place.error();
  FunctionName function = {.name = *std::move(name),
                           .linkage_name = *std::move(linkage_name),
                           .place = *std::move(place)};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    if (key == "id") return TakeNumber(value, function.id);
    if (key == "type") return TakeNumber(value, function.type);
    if (key == "param") return TakeParam(value, function.params);
    return key == "flags" && TakeBits(kFunctionBits, value, function.flags);
  });
  if (rest) {
    names.functions[static_cast<uint32_t>(*index)] = std::move(function);
  }
  return rest;
}

}  // namespace fairlead::trace
