#include "cli/scratch.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "base/text.h"

namespace fairlead::cli {
namespace {

namespace fs = std::filesystem;

// The store's own directory, if that is not one that is to be copied.
std::string StoreDirectory(const fs::path& store) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path directory = fs::weakly_canonical(store, error).parent_path();
  const std::string inside = directory.lexically_relative(here).string();
  return inside == "." || inside.starts_with("..") ? "" : directory.string();
}

void RemoveLeft(const fs::path& all) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(all, error)) {
    const auto pid = ParseNumber(entry.path().filename().string());
    if (!pid || *pid == 0 || *pid > 1u << 22) continue;
    if (kill(static_cast<pid_t>(*pid), 0) == 0 || errno != ESRCH) continue;
    fs::remove_all(entry.path(), error);
  }
}

}  // namespace

Result<Scratch> Scratch::Make(const std::string& store) {
  std::error_code error;
  const fs::path all =
      fs::weakly_canonical(store, error).parent_path() / "fresh-dirs";
  fs::create_directories(all, error);
  RemoveLeft(all);
  const fs::path own = all / fmt::format("{}", getpid());
  fs::create_directory(own, error);
  if (error) {
    return SystemError(error.value(),
                       fmt::format("cannot make {}", own.string()));
  }
  return Scratch(own.string());
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

Scratch::~Scratch() {
  if (path_.empty()) return;
  std::error_code error;
  fs::remove(path_, error);
  fs::remove(fs::path(path_).parent_path(), error);
}

Result<std::optional<Scratch>> PrepareScratch(bool fresh,
                                              const std::string& store,
                                              explore::WorkplaceOrder& order) {
  if (!fresh) return std::optional<Scratch>();
  Result<Scratch> scratch = Scratch::Make(store);
  if (!scratch) return scratch.error();
  order.fresh = true;
  order.scratch = scratch->path();
  order.without = StoreDirectory(store);
  return std::optional(*std::move(scratch));
}

}  // namespace fairlead::cli
