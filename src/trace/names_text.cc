#include "trace/names_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "trace/kinds.h"
#include "trace/name_words.h"
#include "trace/type_names_text.h"

namespace fairlead::trace {
namespace {

Status ParseModule(LineParser& line, Names& names) {
  const Result<uint64_t> index =
      line.NumberBelow(kNameLimit, "a module's number");
  if (!index) return index.error();
  Result<std::string> path = line.Escaped("a path");
  if (!path) return path.error();
  ModuleName module = {.path = *std::move(path), .build_id = ""};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    if (key == "build-id") return TakeText(value, module.build_id);
    if (key == "base") return TakeNumber(value, module.base);
    if (key == "size") return TakeNumber(value, module.size);
    if (key == "program") return module.program = true;
    if (key == "instrumented") return module.instrumented = true;
    return false;
  });
  if (rest) names.modules[static_cast<uint32_t>(*index)] = std::move(module);
  return rest;
}

Status ParseThread(LineParser& line, Names& names) {
  const Result<uint64_t> index =
      line.NumberBelow(abi::kMaxThreads, "a thread's number");
  if (!index) return index.error();
  Result<std::string> path = line.Escaped("a thread's path");
  if (!path) return path.error();
  ThreadName thread = {.path = *std::move(path), .name = ""};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    return key == "name" && TakeText(value, thread.name);
  });
  if (rest) {
    names.threads[Tid{static_cast<uint16_t>(*index)}] = std::move(thread);
  }
  return rest;
}

Status ParseSite(LineParser& line, Names& names) {
  const Result<uint64_t> index =
      line.NumberBelow(kNameLimit, "a site's number");
  if (!index) return index.error();
  const Result<std::string_view> word = line.Word("a kind of site");
  if (!word) return word.error();
  const std::optional<abi::SiteKind> kind = FindSiteKind(*word);
  if (!kind) return line.Wrong("no kind of site: '{}'", *word);
  Result<std::string> function = line.Escaped("a function");
  if (!function) return function.error();
  Result<Place> place = TakePlace(line);
  if (!place) return place.error();
  SiteName site = {.kind = *kind,
                   .function = *std::move(function),
                   .place = *std::move(place)};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    if (key == "id") return TakeNumber(value, site.id);
    if (key == "anchor") return TakeNumber(value, site.anchor);
    if (key == "library") return site.library = true;
    if (key == "flags") return TakeBits(SiteBits(), value, site.flags);
    if (key == "size") return TakeNumber(value, site.size);
    if (key == "type") return TakeNumber(value, site.type);
    if (key == "offset") return TakeNumber(value, site.field_offset);
    if (key == "block") return TakeNumber(value, site.block);
    if (key == "loop") return TakeNumber(value, site.loop);
    return false;
  });
  if (rest) names.sites[static_cast<uint32_t>(*index)] = std::move(site);
  return rest;
}

Status ParseCaller(LineParser& line, Names& names) {
  const Result<uint64_t> index =
      line.NumberBelow(kNameLimit, "a caller's number");
  if (!index) return index.error();
  const Result<uint64_t> module =
      line.NumberBelow(kNameLimit, "a module's number");
  if (!module) return module.error();
  const Result<uint64_t> offset = line.Number("an offset");
  if (!offset) return offset.error();
  Result<std::string> function = line.Escaped("a function");
  if (!function) return function.error();
  Result<Place> place = TakePlace(line);
  if (!place) return place.error();
  CallerName caller = {.module = static_cast<uint32_t>(*module),
                       .offset = *offset,
                       .function = *std::move(function),
                       .place = *std::move(place)};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    return key == "anchor" && TakeNumber(value, caller.anchor);
  });
  if (rest) names.callers[static_cast<uint32_t>(*index)] = std::move(caller);
  return rest;
}

Status ParseNode(LineParser& line, Names& names) {
  const Result<uint64_t> index =
      line.NumberBelow(kNameLimit, "a node's number");
  if (!index) return index.error();
  const Result<uint64_t> parent = line.NumberBelow(kNameLimit, "a parent");
  if (!parent) return parent.error();
  if (*parent >= *index) {
    return line.Wrong("a node's parent is not smaller than itself");
  }
  const Result<uint64_t> site = line.NumberBelow(kNameLimit, "a site's number");
  if (!site) return site.error();
  names.nodes[static_cast<uint32_t>(*index)] = {
      .parent = static_cast<uint32_t>(*parent),
      .site = static_cast<uint32_t>(*site)};
  return line.End();
}

Status ParseObject(LineParser& line, Names& names) {
  Result<std::string> name = line.Escaped("an object's name");
  if (!name) return name.error();
  const Result<uint64_t> address = line.Number("an address");
  if (!address) return address.error();
  const Result<uint64_t> size = line.Number("a size");
  if (!size) return size.error();
  ObjectName object = {.name = *std::move(name), .size = *size};
  Status rest = TakeRest(line, [&](auto key, auto value) {
    return key == "whole" && TakeText(value, object.whole);
  });
  if (rest) names.objects[*address] = std::move(object);
  return rest;
}

constexpr struct {
  std::string_view word;
  Status (*parse)(LineParser&, Names&);
} kLines[] = {
    {"module", ParseModule}, {"thread", ParseThread},
    {"site", ParseSite},     {"caller", ParseCaller},
    {"node", ParseNode},     {"object", ParseObject},
    {"type", ParseType},     {"field", ParseField},
    {"base", ParseBase},     {"function", ParseFunction},
};

using Out = std::back_insert_iterator<std::string>;

void PrintModule(Out out, uint32_t index, const ModuleName& module) {
  fmt::format_to(out, "module {} {}", index, Escape(module.path));
  if (!module.build_id.empty()) {
    fmt::format_to(out, " build-id={}", Escape(module.build_id));
  }
  if (module.base != 0) fmt::format_to(out, " base={:#x}", module.base);
  if (module.size != 0) fmt::format_to(out, " size={:#x}", module.size);
  fmt::format_to(out, "{}{}\n", module.program ? " program" : "",
                 module.instrumented ? " instrumented" : "");
}

void PrintSite(Out out, uint32_t index, const SiteName& site) {
  fmt::format_to(out, "site {} {} {} {}", index, WordOf(site.kind),
                 Escape(site.function), PlaceWord(site.place));
  if (site.id != 0) fmt::format_to(out, " id={:#x}", site.id);
  if (site.anchor != 0) fmt::format_to(out, " anchor={:#x}", site.anchor);
  if (site.library) fmt::format_to(out, " library");
  const std::string flags = PrintBits(SiteBits(), site.flags);
  if (!flags.empty()) fmt::format_to(out, " flags={}", flags);
  if (site.size != 0) fmt::format_to(out, " size={}", site.size);
  if (site.type != 0) fmt::format_to(out, " type={:#x}", site.type);
  if (site.field_offset != 0) {
    fmt::format_to(out, " offset={}", site.field_offset);
  }
  if (site.block != 0) fmt::format_to(out, " block={}", site.block);
  if (site.loop != 0) fmt::format_to(out, " loop={}", site.loop);
  fmt::format_to(out, "\n");
}

void PrintCaller(Out out, uint32_t index, const CallerName& caller) {
  fmt::format_to(out, "caller {} {} {:#x} {} {}", index, caller.module,
                 caller.offset, Escape(caller.function),
                 PlaceWord(caller.place));
  if (caller.anchor != 0) fmt::format_to(out, " anchor={:#x}", caller.anchor);
  fmt::format_to(out, "\n");
}

}  // namespace

std::string EscapedPlace(const Place& place) {
  return PlaceText(
      {.file = Escape(place.file), .line = place.line, .column = place.column});
}

std::optional<Place> ParsePlaceUntrusted(std::string_view text) {
  Place place;
  uint32_t numbers[2] = {};
  int num_numbers = 0;
  while (num_numbers < 2) {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) break;
    const std::optional<uint64_t> number = ParseNumber(text.substr(colon + 1));
    if (!number || *number >= kNameLimit) break;
    numbers[num_numbers++] = static_cast<uint32_t>(*number);
    text = text.substr(0, colon);
  }
  std::optional<std::string> file = Unescape(text);
  if (num_numbers == 0 || !file || file->empty()) return {};
  place.file = *std::move(file);
  place.line = numbers[num_numbers - 1];
  place.column = num_numbers == 2 ? numbers[0] : 0;
  return place;
}

std::string PrintNames(const Names& names) {
  std::string text;
  const Out out = std::back_inserter(text);
  for (const auto& [index, module] : names.modules) {
    PrintModule(out, index, module);
  }
  for (const auto& [tid, thread] : names.threads) {
    fmt::format_to(out, "thread {} {}", abi::Index(tid), Escape(thread.path));
    if (!thread.name.empty()) {
      fmt::format_to(out, " name={}", Escape(thread.name));
    }
    text += '\n';
  }
  for (const auto& [id, type] : names.types) text += PrintType(type);
  for (const auto& [index, function] : names.functions) {
    text += PrintFunction(index, function);
  }
  for (const auto& [index, site] : names.sites) PrintSite(out, index, site);
  for (const auto& [index, caller] : names.callers) {
    PrintCaller(out, index, caller);
  }
  for (const auto& [index, node] : names.nodes) {
    fmt::format_to(out, "node {} {} {}\n", index, node.parent, node.site);
  }
  for (const auto& [address, object] : names.objects) {
    fmt::format_to(out, "object {} {:#x} {}", Escape(object.name), address,
                   object.size);
    if (!object.whole.empty()) {
      fmt::format_to(out, " whole={}", Escape(object.whole));
    }
    text += '\n';
  }
  return text;
}

bool IsNameWord(std::string_view word) {
  for (const auto& line : kLines) {
    if (line.word == word) return true;
  }
  return false;
}

Status ParseNameUntrusted(LineParser& line, Names& names) {
  const std::string_view word = line.Take();
  for (const auto& entry : kLines) {
    if (entry.word == word) return entry.parse(line, names);
  }
  return line.Wrong("no kind of name: '{}'", word);
}

Result<Names> ParseNamesUntrusted(std::string_view text) {
  Names names;
  size_t number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    LineParser parser(line, ++number);
    if (parser.AtEnd()) continue;
    if (Status parsed = ParseNameUntrusted(parser, names); !parsed) {
      return parsed.error();
    }
  }
  return names;
}

}  // namespace fairlead::trace
