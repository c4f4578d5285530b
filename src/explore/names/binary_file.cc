#include "explore/names/binary_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <tuple>

#include "abi/hidden_state.h"
#include "base/demangle.h"
#include "base/elf_image.h"

namespace fairlead::explore {
namespace {

// More than programs load; a program that loads others without end must not
// fill our memory.
constexpr size_t kMaxFiles = 256;

// Of one file: what is asked for are the places that executions come to.
constexpr size_t kMaxFrames = size_t{1} << 16;

// A file that is written anew is another one.
using Identity = std::tuple<dev_t, ino_t, off_t, time_t, long>;

std::optional<Identity> IdentityOf(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return {};
  return Identity(file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                  file.st_mtim.tv_nsec);
}

// Names of the compiler's own: vtables, type information, what begins with two
// underscores.
bool IsInternal(std::string_view name) {
  if (name.starts_with("_Z")) {
    return name.starts_with("_ZT") || name.starts_with("_ZGV");
  }
  return name.empty() || name.starts_with("_") || name == "completed.0";
}

// The name of what a symbol of the pass stands for, or "".
std::string_view HiddenStateOf(std::string_view symbol) {
  if (!symbol.starts_with(abi::kHiddenSymbol)) return "";
  symbol.remove_prefix(std::string_view(abi::kHiddenSymbol).size());
  for (const abi::HiddenStateEntry& state : abi::kHiddenStates) {
    if (symbol == state.word) return state.name;
  }
  return "";
}

}  // namespace

std::shared_ptr<BinaryFile> BinaryFile::At(const std::string& path) {
  using Known =
      std::map<std::pair<std::string, Identity>, std::shared_ptr<BinaryFile>>;
  static Known& known = *new Known;  // nobody waits for its end
  const std::optional<Identity> identity = IdentityOf(path);
  if (!identity) return std::make_shared<BinaryFile>(path);
  if (known.size() >= kMaxFiles) known.clear();
  std::shared_ptr<BinaryFile>& file = known[{path, *identity}];
  if (file == nullptr) file = std::make_shared<BinaryFile>(path);
  return file;
}

const trace::SiteTable& BinaryFile::Sites() {
  if (sites_) return *sites_;
  sites_.emplace();
  const Result<ElfImage> image = ElfImage::ReadUntrusted(path_);
  if (!image) return *sites_;
  Result<trace::SiteTable> table = trace::ReadSiteTable(*image);
  if (table) sites_ = *std::move(table);
  return *sites_;
}

std::string BinaryFile::ShortName(const std::string& file) {
  if (!site_files_) {
    site_files_.emplace();
    for (const trace::SiteName& site : Sites().sites) {
      site_files_->insert(site.place.file);
    }
  }
  for (const std::string& name : *site_files_) {
    if (!name.empty() && file.ends_with("/" + name)) return name;
  }
  std::error_code failure;
  const std::string here =
      std::filesystem::current_path(failure).string() + "/";
  return !failure && file.starts_with(here) ? file.substr(here.size()) : file;
}

const std::vector<trace::SourceLine>& BinaryFile::Frames(uint64_t offset) {
  if (frames_.size() >= kMaxFrames) frames_.clear();
  const auto [entry, added] = frames_.try_emplace(offset);
  if (!added) return entry->second;
  if (!lines_) lines_.emplace(path_);
  entry->second = lines_->Caller(offset);
  for (trace::SourceLine& frame : entry->second) {
    frame.place.file = ShortName(frame.place.file);
  }
  return entry->second;
}

uint64_t BinaryFile::AnchorAt(const trace::Place& place) {
  if (!call_anchors_) {
    call_anchors_.emplace();
    for (const trace::SiteName& site : Sites().sites) {
      if (site.kind != abi::SiteKind::kCall) continue;
      call_anchors_->try_emplace(site.place, site.anchor);
    }
  }
  const auto found = call_anchors_->find(place);
  return found == call_anchors_->end() ? 0 : found->second;
}

const std::map<uint64_t, trace::ObjectName>& BinaryFile::Objects() {
  if (objects_) return *objects_;
  objects_.emplace();
  const Result<ElfImage> image = ElfImage::ReadUntrusted(path_);
  if (!image) return *objects_;
  for (const ElfSymbol& symbol : image->Symbols()) {
    if (const std::string_view state = HiddenStateOf(symbol.name);
        !state.empty()) {
      objects_->try_emplace(symbol.address, std::string(state), symbol.size);
    }
    if (symbol.function || symbol.size == 0 || IsInternal(symbol.name)) {
      continue;
    }
    objects_->try_emplace(symbol.address, Demangled(symbol.name), symbol.size);
  }
  return *objects_;
}

}  // namespace fairlead::explore
