#include "explore/run/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/elf_image.h"
#include "base/file.h"
#include "base/required_calls.h"
#include "base/text.h"
#include "trace/site_table.h"

namespace fairlead::explore {
namespace {

Error Unsupported(const std::string& path, std::string_view what) {
  return Error(ErrorCode::kUnsupportedProgram).Say("{} {}", path, what);
}

}  // namespace

std::string FindOnPath(const std::string& name) {
  const char* path = getenv("PATH");
  for (const std::string_view directory :
       Split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    const std::string candidate =
        fmt::format("{}/{}", directory.empty() ? "." : directory, name);
    if (access(candidate.c_str(), X_OK) == 0 &&
        !std::filesystem::is_directory(candidate)) {
      return candidate;
    }
  }
  return "";
}

namespace {

// The file that `name` means; empty if there is none.
std::string Resolve(const std::string& name) {
  const bool directory = name == "." || name == "..";
  return name.contains('/') || directory ? name : FindOnPath(name);
}

// What is known from the file system alone.
Status CheckFile(const std::string& path, const struct stat& file) {
  if (S_ISDIR(file.st_mode)) {
    return Unsupported(path, "is a directory").Hint("name the program in it");
  }
  if (!S_ISREG(file.st_mode)) return Unsupported(path, "is no file");
  // Root may execute whatever somebody may execute.
  if (access(path.c_str(), X_OK) != 0) {
    return Error(ErrorCode::kPermission)
        .Say("{} is not executable", path)
        .Hint("chmod +x {}", ShellQuote(path));
  }
  if ((file.st_mode & (S_ISUID | S_ISGID)) != 0) {
    return Unsupported(path,
                       "is set-user-id or set-group-id: the system does "
                       "not load our runtime into it")
        .Hint("run a copy without that bit: cp {0} /tmp && chmod ug-s /tmp/{1}",
              ShellQuote(path),
              std::filesystem::path(path).filename().string());
  }
  return {};
}

// As many as the kernel reads of a script.
std::string FirstBytes(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char room[256];
  const ssize_t got = fd ? read(fd.get(), room, sizeof(room)) : -1;
  return {room, got > 0 ? static_cast<size_t>(got) : 0};
}

Error NotElf(const std::string& path) {
  if (const std::string text = FirstBytes(path); text.starts_with("#!")) {
    const std::string_view line =
        Trim(std::string_view(text).substr(2, text.find('\n') - 2));
    return Unsupported(path, "is a script")
        .Hint("to control its interpreter: fairlead run -- {} {}", line, path);
  }
  return Unsupported(path, "is no ELF program")
      .Hint("name the program that was built, not its source or a text");
}

Status CheckElf(const std::string& path, const ElfImage& image) {
  if (!image.is_64_bit() || image.machine() != EM_X86_64) {
    const bool intel =
        image.machine() == EM_386 || image.machine() == EM_X86_64;
    return Unsupported(path, intel ? "is a 32-bit program"
                                   : "is built for another architecture")
        .Hint("build it for x86-64");
  }
  if (!image.is_whole()) {
    return Unsupported(path, "is damaged: its end is missing")
        .Hint("build or copy it again");
  }
  if (image.type() != ET_EXEC && image.type() != ET_DYN) {
    return Unsupported(path, "is no program but an object file or a core dump")
        .Hint("name the program that was linked from it");
  }
  if (!image.has_interpreter()) {
    return Unsupported(path,
                       "is linked statically (or is a library), so our "
                       "runtime cannot be loaded into it")
        .Hint("link it without -static");
  }
  return {};
}

int64_t WrittenAt(const struct stat& file) {
  return file.st_mtim.tv_sec * 1'000'000'000 + file.st_mtim.tv_nsec;
}

// As it is where the system does not say.
std::string Canonical(const std::string& path) {
  std::error_code unknown;
  const auto found = std::filesystem::canonical(path, unknown);
  return unknown ? path : found.string();
}

}  // namespace

Result<Program> InspectProgram(const std::string& name) {
  if (Status able = CheckRequiredCalls(); !able) return able.error();
  if (name.empty()) {
    return Error(ErrorCode::kNotFound)
        .Say("the name of the program is empty")
        .Hint("give its path behind --");
  }
  const std::string path = Resolve(name);
  struct stat file;
  if (path.empty() || stat(path.c_str(), &file) != 0) {
    const int error = path.empty() ? ENOENT : errno;
    return SystemError(error, fmt::format("cannot run {}", name));
  }
  if (Status fit = CheckFile(path, file); !fit) return fit.error();
  const Result<ElfImage> image = ElfImage::ReadUntrusted(path);
  if (!image) {
    return image.error().code() == ErrorCode::kMalformed ? NotElf(path)
                                                         : image.error();
  }
  if (Status fit = CheckElf(path, *image); !fit) return fit.error();
  const Result<Sanitizers> sanitizers = FindSanitizers(path, *image);
  if (!sanitizers) return sanitizers.error();
  const Result<trace::SiteTable> table = trace::ReadSiteTable(*image);
  if (!table) return table.error().In(path);
  return Program{.path = Canonical(path),
                 .device = file.st_dev,
                 .inode = file.st_ino,
                 .written_ns = WrittenAt(file),
                 .build_id = image->BuildId(),
                 .instrumented = table->instrumented,
                 .num_sites = table->num_distinct,
                 .sanitizers = *sanitizers};
}

Status CheckUnchanged(const Program& program) {
  if (program.inode == 0) return {};  // nobody has inspected it
  struct stat file;
  if (stat(program.path.c_str(), &file) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return {};  // nobody knows
    return Error(ErrorCode::kUnknown)
        .Say("{} was removed while it was tested", program.path)
        .Hint("build it, and test again; what was found until then is kept");
  }
  if (file.st_dev == program.device && file.st_ino == program.inode &&
      WrittenAt(file) == program.written_ns) {
    return {};
  }
  return Error(ErrorCode::kUnknown)
      .Say("{} was built anew, or replaced, while it was tested", program.path)
      .Hint("test again; what was found until then is kept");
}

}  // namespace fairlead::explore
