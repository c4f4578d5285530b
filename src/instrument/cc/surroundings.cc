#include "instrument/cc/surroundings.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace fairlead::cc {
namespace {

namespace fs = std::filesystem;

// Where Debian and apt.llvm.org put LLVM 19.
constexpr char kLlvmDirectory[] = "/usr/lib/llvm-19/bin";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool IsExecutable(const std::string& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

std::string FindInPath(const std::string& name) {
  const std::string path = Environment("PATH");
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string file = path.substr(begin, end - begin) + "/" + name;
    if (end > begin && IsExecutable(file)) return file;
    begin = end + 1;
  }
  return {};
}

// Fills in clang and clang_name.  clang and clang++ are one executable, which
// goes by the name it is called; `clang_name` is what its messages begin with.
void FindClang(DriverMode mode, Surroundings& here) {
  const bool cxx = mode == DriverMode::kCxx;
  std::string chosen = Environment("FAIRLEAD_CLANG");
  if (chosen.empty()) {
    here.clang = fs::path(kLlvmDirectory) / (cxx ? "clang++" : "clang");
    here.clang_name = cxx ? "clang++-19" : "clang-19";
    if (!IsExecutable(here.clang)) here.clang = FindInPath(here.clang_name);
    return;
  }
  if (!chosen.contains('/')) chosen = FindInPath(chosen);
  here.clang = IsExecutable(chosen) ? chosen : std::string();
  here.clang_name = here.clang;
  if (cxx && !fs::path(chosen).filename().string().contains("++")) {
    here.clang_name = fs::path(chosen).parent_path() / "clang++";
    if (IsExecutable(here.clang_name)) here.clang = here.clang_name;
  }
}

// ld.lld beside the real clang, else Debian's.
std::string FindLld(const std::string& clang) {
  std::error_code ignored;
  const fs::path real = fs::canonical(clang, ignored);
  for (const fs::path& directory :
       {real.parent_path(), fs::path(kLlvmDirectory)}) {
    const std::string file = directory / "ld.lld";
    if (IsExecutable(file)) return file;
  }
  return {};
}

// The nearest directory above that is under version control, so that a file
// has the same name wherever in the project it is compiled.
std::string FindRoot() {
  const std::string chosen = Environment("FAIRLEAD_ROOT");
  std::error_code ignored;
  if (!chosen.empty()) return fs::absolute(chosen, ignored);
  const fs::path start = fs::current_path(ignored);
  for (fs::path at = start; !at.empty(); at = at.parent_path()) {
    for (const char* mark : {".git", ".hg", ".svn"}) {
      if (fs::exists(at / mark, ignored)) return at;
    }
    if (at == at.parent_path()) break;
  }
  return start;
}

std::optional<std::string> ReadWhole(const std::string& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

Surroundings LookAround(const std::string& self, DriverMode mode) {
  const fs::path prefix = fs::path(self).parent_path().parent_path();
  Surroundings here;
  FindClang(mode, here);
  here.pass_wanted = prefix / "lib/fairlead/libfairlead_pass.so";
  if (access(here.pass_wanted.c_str(), R_OK) == 0) here.pass = here.pass_wanted;
  here.include = prefix / "include";
  here.root = FindRoot();
  here.lld = FindLld(here.clang);
  here.read_file = ReadWhole;
  return here;
}

}  // namespace fairlead::cc
