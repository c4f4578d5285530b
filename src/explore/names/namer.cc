#include "explore/names/namer.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>

#include "base/demangle.h"
#include "base/printable.h"
#include "base/short_name.h"
#include "trace/library_file.h"

namespace fairlead::explore {
namespace {

using trace::CallerName;
using trace::Names;
using trace::SiteName;

// Of a calling context, for people: more is a recursion, or damage.
constexpr size_t kMaxCallSites = 1024;

// Threads that each create the next: beyond this, a number says as much.
constexpr size_t kMaxPath = 4096;

std::string WhereText(const std::string& function, const trace::Place& place) {
  const std::string text =
      trace::PlaceText({.file = place.file, .line = place.line, .column = 0});
  const std::string name = ShortName(function);
  if (name.empty()) return text;
  return text.empty() ? name : fmt::format("{} ({})", text, name);
}

}  // namespace

std::string PathOf(const abi::ModuleEntry& module) {
  return std::string(module.path, strnlen(module.path, abi::kPathBytes));
}

std::string BuildIdOf(const abi::ModuleEntry& module) {
  std::string text;
  const size_t bytes =
      std::min<size_t>(module.build_id_bytes, abi::kBuildIdBytes);
  for (size_t i = 0; i < bytes; ++i) {
    text += fmt::format("{:02x}", module.build_id[i]);
  }
  return text;
}

Namer::Namer(const ControlMemory& memory)
    : modules_(memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules)),
      callers_(memory.Copy<abi::CallerRecord>(abi::RegionId::kCallers)),
      nodes_(memory.Copy<abi::NodeRecord>(abi::RegionId::kNodes)) {
  NameThreads(memory.Copy<abi::ThreadEntry>(abi::RegionId::kThreads));
}

void Namer::NameThreads(const std::vector<abi::ThreadEntry>& entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const abi::ThreadEntry& entry = entries[i];
    const size_t parent = abi::Index(entry.parent);
    // A parent is older than its child; anything else is damage.
    std::string path =
        parent < i ? fmt::format("{}/{}", threads_[parent].path, entry.ordinal)
                   : "main";
    if ((parent >= i && i != 0) || path.size() > kMaxPath) {
      path = fmt::format("thread-{}", i);
    }
    threads_.push_back({.path = std::move(path),
                        .name = std::string(
                            entry.name, strnlen(entry.name, abi::kNameBytes))});
  }
}

BinaryFile& Namer::FileOf(size_t module) {
  std::shared_ptr<BinaryFile>& file = files_[module];
  if (file == nullptr) file = BinaryFile::At(PathOf(modules_[module]));
  return *file;
}

trace::SourceLine Namer::CallAt(size_t module, uint64_t offset) {
  const std::vector<trace::SourceLine>& frames = FileOf(module).Frames(offset);
  if (frames.empty()) return {};
  const auto own = std::ranges::find_if(frames, [](const auto& frame) {
    return !trace::IsLibraryFile(frame.place.file);
  });
  return own == frames.end() ? frames[0] : *own;
}

uint64_t Namer::AnchorAt(size_t module, const trace::Place& place) {
  if (modules_[module].num_sites == 0) return 0;
  return FileOf(module).AnchorAt(place);
}

size_t Namer::ModuleOf(uint32_t site) const {
  size_t module = 0;
  while (module < modules_.size() &&
         site - modules_[module].first_site >= modules_[module].num_sites) {
    ++module;
  }
  return module;
}

SiteName Namer::Site(uint32_t index) {
  const size_t module = ModuleOf(index);
  if (module == modules_.size()) return {};
  const uint32_t inside = index - modules_[module].first_site;
  const trace::SiteTable& table = FileOf(module).Sites();
  return inside < table.sites.size() ? table.sites[inside] : SiteName();
}

const trace::FunctionName* Namer::Function(uint32_t index) {
  for (size_t i = 0; i < modules_.size(); ++i) {
    const uint32_t inside = index - modules_[i].first_function;
    if (inside >= modules_[i].num_functions) continue;
    const auto& functions = FileOf(i).Sites().functions;
    return inside < functions.size() ? &functions[inside] : nullptr;
  }
  return nullptr;
}

const trace::TypeName* Namer::Type(uint64_t id) {
  for (size_t i = 0; i < modules_.size(); ++i) {
    if (modules_[i].num_sites == 0) continue;
    const auto& types = FileOf(i).Sites().types;
    const auto found = types.find(id);
    if (found != types.end()) return &found->second;
  }
  return nullptr;
}

void Namer::AddType(uint64_t id, Names& names) {
  std::vector<uint64_t> wanted = {id};
  while (!wanted.empty()) {
    const uint64_t next = wanted.back();
    wanted.pop_back();
    if (next == 0 || names.types.contains(next)) continue;
    const trace::TypeName* type = Type(next);
    if (type == nullptr) continue;
    names.types[next] = *type;
    for (const trace::FieldName& field : type->fields) {
      wanted.push_back(field.type);
    }
    for (const trace::BaseName& base : type->bases) wanted.push_back(base.type);
  }
}

// Those that sites and functions speak of.
void Namer::AddTypes(Names& names) {
  for (const auto& [index, site] : names.sites) AddType(site.type, names);
  for (const auto& [index, function] : names.functions) {
    AddType(function.type, names);
    for (const trace::ParamName& param : function.params) {
      AddType(param.pointee, names);
    }
  }
}

CallerName Namer::Caller(uint32_t index) {
  if (index == 0 || index >= callers_.size()) return {};
  const abi::CallerRecord& record = callers_[index];
  CallerName caller = {.module = record.module,
                       .offset = record.offset,
                       .anchor = static_cast<uint64_t>(record.anchor)};
  if (record.module < modules_.size()) {
    trace::SourceLine source = CallAt(record.module, record.offset);
    caller.function = Demangled(source.function);
    caller.place = std::move(source.place);
  }
  return caller;
}

finding::Where Namer::WhereOf(uint32_t site, uint32_t flags) {
  if ((flags & abi::kFlagInstrumented) != 0) {
    SiteName name = Site(site);
    // Of several calls at one place (a constructor and a destructor, say) the
    // first, since an address tells no more than the place.
    const bool call = name.kind == abi::SiteKind::kCall;
    const uint64_t anchor =
        call ? AnchorAt(ModuleOf(site), name.place) : name.anchor;
    return {.function = std::move(name.function),
            .place = std::move(name.place),
            .anchor = anchor};
  }
  CallerName name = Caller(site);
  // The body without sites of a function that has them: the same place has one
  // name, whichever body ran.
  const uint64_t anchor =
      name.module < modules_.size() ? AnchorAt(name.module, name.place) : 0;
  return {.function = std::move(name.function),
          .place = std::move(name.place),
          .anchor = anchor};
}

finding::Where Namer::CodeOf(uint64_t address) {
  std::vector<finding::Where> frames = FramesAt(address);
  if (frames.empty()) return {};
  const auto own = std::ranges::find_if(frames, [](const auto& frame) {
    return !trace::IsLibraryFile(frame.place.file);
  });
  return own == frames.end() ? frames[0] : *own;
}

std::vector<finding::Where> Namer::FramesAt(uint64_t address) {
  std::vector<finding::Where> frames;
  for (size_t i = 0; i < modules_.size(); ++i) {
    const abi::ModuleEntry& module = modules_[i];
    if (address < module.begin || address >= module.end) continue;
    // `Caller` takes return addresses, which lie behind what they belong to.
    for (const trace::SourceLine& frame :
         FileOf(i).Frames(address - module.base + 1)) {
      frames.push_back(
          {.function = Demangled(frame.function), .place = frame.place});
    }
    break;
  }
  return frames;
}

size_t Namer::NumSites(size_t module) {
  const size_t told = modules_[module].num_sites;
  return told == 0 ? 0 : std::min(told, FileOf(module).Sites().sites.size());
}

finding::Where Namer::OwnWhere(uint32_t site, uint32_t flags, uint64_t node) {
  finding::Where where = WhereOf(site, flags);
  const bool library = (flags & abi::kFlagInstrumented) != 0
                           ? Site(site).library
                           : trace::IsLibraryFile(where.place.file);
  if (!library) return where;
  for (const uint32_t call : CallSites(static_cast<uint32_t>(node))) {
    if (!Site(call).library) return WhereOf(call, abi::kFlagInstrumented);
  }
  where.place = {};
  return where;
}

std::string Namer::OwnPlace(uint32_t site, uint32_t flags, uint64_t node) {
  const std::string text = finding::WhereText(OwnWhere(site, flags, node));
  return text.empty() ? Where(site, flags) : text;
}

std::vector<uint32_t> Namer::CallSites(uint32_t node) const {
  std::vector<uint32_t> sites;
  while (node != 0 && node < nodes_.size() && nodes_[node].parent < node &&
         sites.size() < kMaxCallSites) {
    sites.push_back(nodes_[node].site);
    node = nodes_[node].parent;
  }
  return sites;
}

std::string Namer::Where(uint32_t site, uint32_t flags) {
  if ((flags & abi::kFlagInstrumented) != 0) {
    const SiteName name = Site(site);
    return WhereText(name.function, name.place);
  }
  const CallerName name = Caller(site);
  std::string text = WhereText(name.function, name.place);
  if (text.empty() && name.module < modules_.size() && name.offset != 0) {
    text = fmt::format("{}+{:#x}", PathOf(modules_[name.module]), name.offset);
  }
  return text;
}

bool Namer::IsInCLibrary(uint32_t site, uint32_t flags) {
  if ((flags & abi::kFlagInstrumented) != 0 || site == 0) return false;
  const CallerName name = Caller(site);
  return name.module < modules_.size() &&
         PathOf(modules_[name.module]).ends_with("/libc.so.6");
}

bool Namer::IsLibraryCode(uint64_t address) {
  for (size_t i = 0; i < modules_.size(); ++i) {
    const abi::ModuleEntry& module = modules_[i];
    if (address < module.begin || address >= module.end) continue;
    const std::string file = CallAt(i, address - module.base + 1).place.file;
    return !file.empty() && trace::IsLibraryFile(file);
  }
  return false;
}

std::string Namer::Code(uint64_t address) {
  for (size_t i = 0; i < modules_.size(); ++i) {
    const abi::ModuleEntry& module = modules_[i];
    if (address < module.begin || address >= module.end) continue;
    // `Caller` takes return addresses, which lie behind what they belong to.
    const uint64_t offset = address - module.base;
    const trace::SourceLine source = CallAt(i, offset + 1);
    const std::string text =
        WhereText(Demangled(source.function), source.place);
    return text.empty() ? fmt::format("{}+{:#x}", PathOf(module), offset)
                        : text;
  }
  return "";
}

std::string Namer::Thread(abi::Tid tid) const {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) return fmt::format("thread-{}", index);
  const trace::ThreadName& thread = threads_[index];
  if (thread.name.empty()) return thread.path;
  return fmt::format("{} ({})", thread.path, PrintableLine(thread.name));
}

const trace::Names& Namer::Objects() {
  if (objects_) return *objects_;
  objects_.emplace();
  for (size_t i = 0; i < modules_.size(); ++i) {
    const uint32_t wanted = abi::kModuleProgram | abi::kModuleInstrumented;
    if ((modules_[i].flags & wanted) == 0) continue;
    for (const auto& [address, object] : FileOf(i).Objects()) {
      objects_->objects.try_emplace(modules_[i].base + address, object);
    }
  }
  return *objects_;
}

std::string Namer::Object(uint64_t address) {
  return Objects().ObjectText(address);
}

Names Namer::For(const UsedNumbers& used) {
  Names names;
  for (size_t i = 0; i < modules_.size(); ++i) {
    const abi::ModuleEntry& module = modules_[i];
    names.modules[static_cast<uint32_t>(i)] = {
        .path = PathOf(module),
        .build_id = BuildIdOf(module),
        .base = module.base,
        .size = module.end > module.base ? module.end - module.base : 0,
        .program = (module.flags & abi::kModuleProgram) != 0,
        .instrumented = (module.flags & abi::kModuleInstrumented) != 0};
  }
  for (size_t i = 0; i < threads_.size(); ++i) {
    names.threads[abi::Tid{static_cast<uint16_t>(i)}] = threads_[i];
  }
  std::set<uint32_t> sites = used.sites;
  for (uint32_t node : used.nodes) {
    while (node != 0 && node < nodes_.size() && !names.nodes.contains(node) &&
           nodes_[node].parent < node) {
      names.nodes[node] = {.parent = nodes_[node].parent,
                           .site = nodes_[node].site};
      sites.insert(nodes_[node].site);
      node = nodes_[node].parent;
    }
  }
  for (const uint32_t site : sites) {
    if (site != 0) names.sites[site] = Site(site);
  }
  for (const uint32_t caller : used.callers) {
    if (caller != 0) names.callers[caller] = Caller(caller);
  }
  for (const uint32_t index : used.functions) {
    const trace::FunctionName* function = Function(index);
    if (function != nullptr) names.functions[index] = *function;
  }
  AddTypes(names);
  names.objects = Objects().objects;
  return names;
}

}  // namespace fairlead::explore
