#include "explore/names/sources.h"

#include <filesystem>

#include "base/elf_image.h"
#include "base/file.h"
#include "base/text.h"

namespace fairlead::explore {
namespace {

namespace fs = std::filesystem;

// Larger ones were not written by people.
constexpr uintmax_t kMaxFileBytes = 16 << 20;

std::string Program(const Namer& namer) {
  for (const abi::ModuleEntry& module : namer.modules()) {
    if ((module.flags & abi::kModuleProgram) != 0) return PathOf(module);
  }
  return "";
}

// Where a file is, or "". Sites name files from the root of their project.
std::string Find(const std::string& file, const std::string& program) {
  std::error_code error;
  const auto usable = [&](const fs::path& path) {
    return fs::is_regular_file(path, error) &&
           fs::file_size(path, error) <= kMaxFileBytes;
  };
  if (usable(file)) return file;
  if (fs::path(file).is_absolute()) return "";
  fs::path directory = fs::path(program).parent_path();
  while (!directory.empty()) {
    if (usable(directory / file)) return (directory / file).string();
    if (directory == directory.parent_path()) break;
    directory = directory.parent_path();
  }
  return "";
}

}  // namespace

std::map<std::string, std::map<uint32_t, std::string>> SourcesOf(
    const finding::Finding& finding, const Namer& namer) {
  const finding::Witness& witness = finding.witness;
  std::map<std::string, std::map<uint32_t, std::string>> sources;
  const auto want = [&](const trace::Place& place) {
    if (!place.file.empty()) sources[place.file][place.line];
  };
  for (const trace::Event& event : witness.slice.events) {
    const trace::Place* place = witness.slice.names.ShownPlaceOf(event);
    if (place != nullptr) want(*place);
  }
  for (const finding::ThreadState& state : witness.threads) {
    for (const finding::Where& frame : state.frames) want(frame.place);
  }
  for (const finding::Where& site : finding.sites) want(site.place);
  const std::string program = Program(namer);
  for (auto& [file, lines] : sources) {
    std::string path = Find(file, program);
    // A test framework names a file as the compiler was given it.
    for (const auto& [other, unused] : sources) {
      if (path.empty() && other.ends_with("/" + file)) {
        path = Find(other, program);
      }
    }
    const Result<std::string> text =
        IsRegularFile(path) ? ReadFile(path, kMaxTextBytes) : std::string();
    const auto all = Split(text ? std::string_view(*text) : "", '\n');
    for (auto& [line, wanted] : lines) {
      if (line != 0 && line <= all.size()) wanted = all[line - 1];
    }
    std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
  }
  std::erase_if(sources, [](const auto& file) { return file.second.empty(); });
  return sources;
}

}  // namespace fairlead::explore
